// The page of one file: it plays the project that is in it, with the engine that is in it, also from a disk and without network.

import { h, setText } from "../dom.ts";
import { FlockworkWorld } from "../element.ts";
import type { Param } from "../protocol.ts";
import { type Place, TextWithPlaces } from "../places.ts";
import { type Project, checkedProject, plainProject } from "../project.ts";
import { saveFile } from "../save.ts";
import { changed, toWrite } from "../sliders.ts";
import { projectName, toZip } from "../zip.ts";
import { failureButton } from "./failure.ts";

addEventListener("DOMContentLoaded", () => {
  const main = document.querySelector("main");
  const json = document.querySelector("#flockwork-project")?.textContent ?? "";
  try {
    const project = checkedProject(JSON.parse(json));
    main?.append(...parts(project));
  } catch (error) {
    main?.append(h("p", { role: "alert" }, `This page has no world that can be shown: ${error instanceof Error ? error.message : String(error)}.`));
  }
});

function parts(project: Project): Node[] {
  const world = new FlockworkWorld();
  for (const name of ["controls", "sliders", "autoplay"]) {
    world.setAttribute(name, "");
  }
  const name = h("h1", {}, projectName(project).replaceAll("_", " "));
  document.title = projectName(project);
  world.addEventListener(
    "ready",
    ({ detail }) => {
      name.textContent = detail.name;
      document.title = detail.name;
    },
    { once: true },
  );
  world.setAttribute("aria-label", "The world");
  let list = files(project);
  const showFiles = () => {
    const changed = files(project);
    changed.open = list.open;
    list.replaceWith(changed);
    list = changed;
  };
  // Which files have run from which tick on; nothing if more has happened than that.
  const own = startOf(project);
  let shown: Version[] | undefined = [own];
  let calm: ReturnType<typeof setTimeout> | undefined;
  world.addEventListener("input", () => (shown = undefined));
  const say = (error: Error) => {
    name.textContent = error.message;
  };
  // An editor that shows this page gives it the files that were saved since.
  const note = new TextWithPlaces(h("p", { role: "status", class: "note" }), openPlace);
  const sayFor = (words: string) => {
    note.element.classList.add("calm");
    note.update(words);
    clearTimeout(calm);
    calm = setTimeout(() => note.element.classList.contains("calm") && note.update(""), CALM_MS);
  };
  // What runs now fails: the error is under the world.
  world.addEventListener("error", ({ detail }) => detail.length > 0 && note.element.classList.contains("calm") && note.update(""));
  const writeParams = (only?: Param) => {
    if (editor !== undefined) {
      write(editor, world, project, only).then(sayFor).catch(say);
    }
  };
  if (editor !== undefined) {
    world.paramWriter = writeParams;
    world.placeOpener = openPlace;
  }
  // A debugger may stand somewhere before the world is there, and go on before the world has followed.
  let last = new Promise<void>((resolve) => world.addEventListener("ready", () => resolve(), { once: true }));
  addEventListener("message", ({ data }: MessageEvent<FromEditor>) => {
    // A world that follows a debugger keeps the note about files that were saved, and one that has written params what it has written.
    const isCalm = note.element.classList.contains("calm");
    if (data?.flockworkNote !== undefined || (data?.flockworkProject !== undefined && !isCalm)) {
      note.element.classList.remove("calm");
      note.update(data.flockworkNote ?? "");
    }
    if (data?.flockworkState !== undefined) {
      editor?.setState(data.flockworkState);
    }
    if (data?.flockworkSelect !== undefined) {
      world.select(data.flockworkSelect).catch(say);
    }
    const turn = data?.flockworkTurn;
    if (turn !== undefined) {
      const follow = async () => {
        const before = shown;
        shown = versionsOf(project, turn);
        await showTurn(world, project, turn, shown, before);
        showFiles();
      };
      last = last.then(follow).catch(say);
      return;
    }
    if (data?.flockworkProject !== undefined) {
      shown = undefined;
      // A debugger may have run with another seed and other params.
      const saved = { ...own, files: data.flockworkProject.files };
      const follow = async () => {
        if (!isRunWith(project, saved)) {
          await begin(world, project, saved);
        } else if (await takeFiles(world, project, saved.files)) {
          sayFor(`Saved: the new version runs from tick ${world.state?.tick ?? 0} on.`);
        }
      };
      follow().catch(say);
      showFiles();
    }
  });
  queueMicrotask(() => {
    world.load(plainProject(project) as Parameters<FlockworkWorld["load"]>[0]).catch(say);
  });
  if (editor !== undefined) {
    world.append(why(editor, world));
  }
  // Its room is kept, so that the controls stay where they are.
  const inEditor = editor === undefined ? [] : [writeButton(world, project, writeParams)];
  return [h("div", { class: "head" }, name, failureButton(world)), ...(editor === undefined ? [] : [note.element]), world, ...inEditor, list];
}

/** What an editor tells the page that it shows. */
interface FromEditor {
  /** The files as they were saved. */
  flockworkProject?: { files: Record<string, string> };
  /** What there is to say about them. */
  flockworkNote?: string;
  /** What it wants to know when it opens its window again. */
  flockworkState?: unknown;
  /** The agent that it asks for. */
  flockworkSelect?: number;
  /** Where its debugger stands. */
  flockworkTurn?: Turn;
}

/** The turn of an agent in the run of a debugger. */
interface Turn {
  tick: number;
  agent: number;
  /** The files at the start and those of each edit; without them, the files that the page has run from the first tick on. */
  versions?: Version[];
}

/** Files that run from a tick on. Those at the start have the seed and the params that the run has instead of its own. */
interface Version {
  tick: number;
  files: Record<string, string>;
  seed?: number;
  params?: Record<string, string>;
}

/** What the page tells an editor that shows it. */
interface Editor {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
}

/** VS Code has this function where it shows the page. */
declare const acquireVsCodeApi: undefined | (() => Editor);

/** The editor that shows this page. */
const editor = typeof acquireVsCodeApi === "undefined" ? undefined : acquireVsCodeApi();

/** Time between two messages to an editor while the world plays, in milliseconds. */
const TELL_MS = 500;

/** How long it is said that a saved file runs. */
const CALM_MS = 8000;

/** Tells an editor the tick and what the selected agent computes, and says under the world why this agent moves as it does. */
function why(editor: Editor, world: FlockworkWorld): Node {
  const hint = "click an agent to see why it moves as it does, and its values in the code";
  const shown = new TextWithPlaces(h("pre", { class: "why", slot: "under-bar", tabindex: 0 }), openPlace);
  shown.update(hint);
  let told = 0;
  let why: string | undefined;
  world.addEventListener("ready", () => void world.watch("values", "explanation"));
  world.addEventListener("tick", ({ detail: { values, explanation, playing, selected, tick } }) => {
    if (explanation !== undefined) {
      why = explanation?.text;
      shown.update(why ?? hint);
    }
    const now = performance.now();
    const isNew = values !== undefined || selected === undefined;
    if (isNew && (!playing || now - told >= TELL_MS)) {
      told = now;
      const ofAgent = values === undefined ? {} : { flockworkValues: values, flockworkWidth: innerWidth, flockworkWhy: why };
      editor.postMessage({ flockworkTick: tick, ...ofAgent });
    }
  });
  return shown.element;
}

/** Opens a place in the editor. */
function openPlace(place: Place): void {
  editor?.postMessage({ flockworkOpen: place });
}

/**
 * Writes params that were set, or only one of them, into the scenario, through the editor, so that its undo takes it back. Returns what was
 * written, in words.
 */
async function write(editor: Editor, world: FlockworkWorld, project: Project, only?: Param): Promise<string> {
  const before = project.files.get(project.scenario);
  const written = toWrite((only === undefined ? (world.state?.params ?? []) : [only]).filter(changed));
  const [path, text] = await world.writeParams(only);
  project.files.set(path, text);
  editor.postMessage({ flockworkWrite: { path, before, text } });
  return `Written into ${path}: ${written}. Undo in that file takes it back.`;
}

/** A button that writes all params that were set into the scenario, if there are several: each has one of its own. */
function writeButton(world: FlockworkWorld, project: Project, write: () => void): Node {
  const written = h("button", { type: "button", onclick: () => write() });
  const row = h("p", { class: "write" }, written);
  written.hidden = true;
  world.addEventListener("tick", ({ detail: { params } }) => {
    if (params !== undefined) {
      const set = params.filter(changed);
      written.hidden = set.length < 2;
      setText(written, `Write ${set.length} params into ${project.scenario}`);
      written.title = `Write ${toWrite(set)} into ${project.scenario}, and save it`;
    }
  });
  return row;
}

/** Returns which files run from which tick on where a debugger stands. */
function versionsOf(project: Project, { versions = [] }: Turn): Version[] {
  return versions.length > 0 ? versions : [startOf(project)];
}

/** Returns what a project begins with. */
function startOf({ files, seed, params }: Project): Version {
  return {
    tick: 0,
    files: Object.fromEntries(files),
    ...(seed === undefined ? {} : { seed }),
    ...(params.size === 0 ? {} : { params: Object.fromEntries(params) }),
  };
}

/** Returns whether a project is run with the seed and the params of a start. */
function isRunWith({ seed, params }: Project, start: Version): boolean {
  const wanted = Object.entries(start.params ?? {});
  return seed === start.seed && wanted.length === params.size && wanted.every(([name, value]) => params.get(name) === value);
}

/** Begins a new run. */
async function begin(world: FlockworkWorld, project: Project, { files, seed, params }: Version): Promise<void> {
  project.files = new Map(Object.entries(files));
  project.params = new Map(Object.entries(params ?? {}));
  delete project.seed;
  if (seed !== undefined) {
    project.seed = seed;
  }
  await world.load(plainProject(project) as Parameters<FlockworkWorld["load"]>[0]);
}

/** Shows the turn at which a debugger stands. `before` is what has run: if the debugger's run does not begin so, the world runs it again. */
async function showTurn(
  world: FlockworkWorld,
  project: Project,
  { tick, agent }: Turn,
  versions: Version[],
  before: Version[] | undefined,
): Promise<void> {
  const goesOn = before?.every((version, index) => JSON.stringify(version) === JSON.stringify(versions[index])) ?? false;
  const [start] = versions;
  if (!goesOn && start !== undefined && isRunWith(project, start)) {
    await takeFiles(world, project, start.files);
    await world.restart(false);
  } else if (!goesOn && start !== undefined) {
    await begin(world, project, start);
  }
  for (const edit of versions.slice(goesOn ? before?.length : 1)) {
    await world.runTo(edit.tick);
    await takeFiles(world, project, edit.files);
  }
  await world.runTo(tick);
  await world.select(agent);
}

/** Changes the files of a world while it runs. Returns whether any file is another one than before, and all can run. */
async function takeFiles(world: FlockworkWorld, project: Project, files: Record<string, string>): Promise<boolean> {
  const gone = [...project.files.keys()].filter((path) => !(path in files)).map((path): [string, null] => [path, null]);
  const changed = Object.entries(files).filter(([path, text]) => project.files.get(path) !== text);
  if (gone.length + changed.length === 0) {
    return false;
  }
  project.files = new Map(Object.entries(files));
  const errors = await world.edit(Object.fromEntries([...gone, ...changed]));
  return errors.length === 0;
}

/** The files to read, and a button to keep them. */
function files(project: Project): HTMLDetailsElement {
  const save = () =>
    saveFile(`${projectName(project)}.zip`, toZip(project, undefined) as Uint8Array<ArrayBuffer>, "application/zip");
  return h(
    "details",
    {},
    h("summary", {}, "Files"),
    h("p", {}, h("button", { type: "button", onclick: save }, "Download the project"), " Unpack it, and run flockwork test there."),
    ...[...project.files].flatMap(([path, text]) => [h("h2", {}, path), h("pre", { tabindex: 0 }, text)]),
  );
}
