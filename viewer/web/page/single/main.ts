// The page of one file: it plays the project that is in it, with the engine that is in it, also from a disk and without network.

import { h } from "../dom.ts";
import { FlockworkWorld } from "../element.ts";
import { type Project, checkedProject, plainProject } from "../project.ts";
import { saveFile } from "../save.ts";
import { projectName, toZip } from "../zip.ts";

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
  // Whether what has run is not what the files say from the first tick on.
  let isMixed = false;
  world.addEventListener("input", () => (isMixed = true));
  const ready = new Promise<void>((resolve) => world.addEventListener("ready", () => resolve(), { once: true }));
  // An editor that shows this page gives it the files that were saved since.
  const note = h("p", { role: "status" });
  addEventListener("message", ({ data }: MessageEvent<FromEditor>) => {
    note.textContent = data?.flockworkNote ?? "";
    if (data?.flockworkTurn !== undefined) {
      const turn = data.flockworkTurn;
      // A debugger may stand somewhere before the world is there.
      void ready.then(() => {
        const restarts = isMixed;
        isMixed = false;
        return showTurn(world, turn, restarts);
      });
      return;
    }
    if (data?.flockworkProject !== undefined) {
      isMixed = true;
      takeFiles(world, project, data.flockworkProject.files).catch((error: Error) => (name.textContent = error.message));
      const changed = files(project);
      changed.open = list.open;
      list.replaceWith(changed);
      list = changed;
    }
  });
  queueMicrotask(() => {
    world.load(plainProject(project) as Parameters<FlockworkWorld["load"]>[0]).catch((error: Error) => (name.textContent = error.message));
  });
  return [name, note, world, ...tellEditor(world), list];
}

/** What an editor tells the page that it shows. */
interface FromEditor {
  /** The files as they were saved. */
  flockworkProject?: { files: Record<string, string> };
  /** What there is to say about them. */
  flockworkNote?: string;
  /** Where its debugger stands: the turn of an agent. */
  flockworkTurn?: { tick: number; agent: number };
}

/** VS Code has this function where it shows the page. */
declare const acquireVsCodeApi: undefined | (() => { postMessage(message: unknown): void });
/** Time between two messages to an editor while the world plays, in milliseconds. */
const TELL_MS = 500;

/** Tells an editor that shows this page what the selected agent computes, and says why it moves as it does. */
function tellEditor(world: FlockworkWorld): Node[] {
  if (typeof acquireVsCodeApi === "undefined") {
    return [];
  }
  const editor = acquireVsCodeApi();
  const why = h("pre", { class: "why" }, "click an agent to see why it moves as it does, and its values in the code");
  let told = 0;
  world.addEventListener("ready", () => void world.watch("values", "explanation"));
  world.addEventListener("tick", ({ detail: { values, explanation, playing } }) => {
    const now = performance.now();
    if (values !== undefined && (!playing || now - told >= TELL_MS)) {
      told = now;
      editor.postMessage({ flockworkValues: values });
    }
    if (explanation !== undefined && explanation !== null) {
      why.textContent = explanation.text;
    }
  });
  return [why];
}

/** Shows the turn at which a debugger stands, which runs the files from the first tick on. */
async function showTurn(world: FlockworkWorld, { tick, agent }: { tick: number; agent: number }, isMixed: boolean): Promise<void> {
  if (isMixed) {
    await world.restart(false);
  }
  await world.runTo(tick);
  await world.select(agent);
}

/** Changes the files of a world while it runs. */
async function takeFiles(world: FlockworkWorld, project: Project, files: Record<string, string>): Promise<void> {
  const gone = [...project.files.keys()].filter((path) => !(path in files)).map((path): [string, null] => [path, null]);
  const changed = Object.entries(files).filter(([path, text]) => project.files.get(path) !== text);
  if (gone.length + changed.length > 0) {
    project.files = new Map(Object.entries(files));
    await world.edit(Object.fromEntries([...gone, ...changed]));
  }
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
