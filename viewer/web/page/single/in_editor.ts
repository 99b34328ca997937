// The page as an editor shows it: it follows the files that are saved and the debugger, and tells what the selected agent computes.

import { h, setText } from "../dom.ts";
import type { FlockworkWorld } from "../element.ts";
import { type Place, TextWithPlaces } from "../places.ts";
import type { Project } from "../project.ts";
import type { Param } from "../protocol.ts";
import { changed, toWrite } from "../sliders.ts";
import type { FailureButton } from "./failure.ts";
import { Note } from "./note.ts";
import { type Turn, type Version, begin, isRunWith, showTurn, startOf, takeFiles, versionsOf } from "./runs.ts";

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

/** What the page tells an editor that shows it. */
export interface Editor {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
}

/** Time between two messages to an editor while the world plays, in milliseconds. */
const TELL_MS = 500;

/** What the page has besides what is for the editor. */
interface Page {
  world: FlockworkWorld;
  project: Project;
  /** Shows the files of the project again. */
  showFiles(): void;
  say(error: Error): void;
  failure: FailureButton;
}

export class InEditor {
  readonly #editor: Editor;
  readonly #page: Page;
  readonly #note = new Note((place) => this.#open(place));
  /** What the project begins with. */
  readonly #own: Version;
  /** Which files have run from which tick on; nothing if more has happened than that. */
  #shown: Version[] | undefined;
  /** A debugger may stand somewhere before the world is there, and go on before the world has followed. */
  #last: Promise<void>;

  constructor(editor: Editor, page: Page) {
    const { world, project } = page;
    this.#editor = editor;
    this.#page = page;
    this.#own = startOf(project);
    this.#shown = [this.#own];
    this.#last = new Promise<void>((resolve) => world.addEventListener("ready", () => resolve(), { once: true }));
    world.paramWriter = (only) => this.#write(only);
    world.placeOpener = (place) => this.#open(place);
    world.addEventListener("input", () => (this.#shown = undefined));
    // What runs now fails: the error is under the world.
    world.addEventListener("error", ({ detail }) => detail.length > 0 && this.#note.endCalm());
    world.append(why(editor, world, (place) => this.#open(place)));
    addEventListener("message", ({ data }: MessageEvent<FromEditor | undefined>) => this.#take(data ?? {}));
  }

  /** Returns the world with what is over it and below it. */
  parts(): Node[] {
    const { world, project } = this.#page;
    return [this.#note.element, world, writeButton(world, project, () => this.#write())];
  }

  #take({ flockworkProject: saved, flockworkNote: words, flockworkState: state, flockworkSelect: agent, flockworkTurn: turn }: FromEditor): void {
    const { world, say } = this.#page;
    // A world that follows a debugger keeps the note about files that were saved, and one that has written params what it has written.
    if (words !== undefined || (saved !== undefined && !this.#note.isCalm)) {
      this.#note.show(words ?? "");
    }
    if (state !== undefined) {
      this.#editor.setState(state);
    }
    if (agent !== undefined) {
      world.select(agent).catch(say);
    }
    if (turn !== undefined) {
      this.#last = this.#last.then(() => this.#follow(turn)).catch(say);
    }
    if (saved !== undefined) {
      this.#shown = undefined;
      this.#run(saved.files).catch(say);
      this.#page.showFiles();
    }
  }

  /** Goes where the debugger stands. */
  async #follow(turn: Turn): Promise<void> {
    const { world, project } = this.#page;
    const before = this.#shown;
    this.#shown = versionsOf(project, turn);
    await showTurn(world, project, turn, this.#shown, before);
    this.#page.showFiles();
  }

  /** Runs saved files. A debugger may have run with another seed and other params. */
  async #run(files: Record<string, string>): Promise<void> {
    const { world, project, failure } = this.#page;
    const saved = { ...this.#own, files };
    if (!isRunWith(project, saved)) {
      await begin(world, project, saved);
    } else if (await takeFiles(world, project, files)) {
      failure.changed();
      const { tick = 0, ticks = Infinity } = world.state ?? {};
      const then = tick < ticks ? `the new version runs from tick ${tick} on` : "this run has ended, the round arrow begins one with the new version";
      this.#note.showCalm(`Saved: ${then}.`);
    }
  }

  #write(only?: Param): void {
    const { world, project, say } = this.#page;
    write(this.#editor, world, project, only)
      .then((words) => this.#note.showCalm(words))
      .catch(say);
  }

  #open(place: Place): void {
    this.#editor.postMessage({ flockworkOpen: place });
  }
}

/** Tells an editor the tick and what the selected agent computes, and says under the world why this agent moves as it does. */
function why(editor: Editor, world: FlockworkWorld, open: (place: Place) => void): Node {
  const hint = "click an agent to see why it moves as it does, and its values in the code";
  const shown = new TextWithPlaces(h("pre", { class: "why", slot: "under-bar", tabindex: 0 }), open);
  shown.update(hint);
  let told = 0;
  let why: string | undefined;
  let explained: number | undefined;
  world.addEventListener("ready", () => void world.watch("values", "explanation"));
  world.addEventListener("tick", ({ detail: { values, explanation, playing, selected, tick } }) => {
    if (explanation !== undefined) {
      why = explanation?.text;
      shown.update(why ?? hint);
      // What another agent does stands at the beginning.
      if (selected !== explained) {
        explained = selected;
        shown.element.scrollTop = 0;
      }
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
