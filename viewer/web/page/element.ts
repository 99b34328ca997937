// The element for other pages: `<flockwork-world src="flock.zip" scenario="scenarios/flock.ron" controls autoplay></flockwork-world>`.
//
// It runs a project in a worker and draws it, and pages can ask it for the agents and draw them by themselves.

import { setEngineSource } from "./engine.ts";
import { loadExample } from "./examples.ts";
import { fromLink, toLink } from "./link.ts";
import type { Place } from "./places.ts";
import { type Project, ProjectError, checkedProject } from "./project.ts";
import type { Agents, Compared, Facts, Finding, Overlays, Param, State, Topic } from "./protocol.ts";
import { worldControls } from "./element_controls.ts";
import { STYLE } from "./element_style.ts";
import { changed, nameOf } from "./sliders.ts";
import { WorldView } from "./world.ts";
import { firstScenario, fromZip } from "./zip.ts";

export type { Agents, Compared, Facts, Finding, Overlays, Param, Project, State };
export { fromLink, toLink };

/** The address of this script: the engine and the examples are beside it. A script in a page of one file has none. */
const BASE = import.meta.url || document.baseURI;
setEngineSource(new URL("flockwork.wasm", BASE).href);

/** What a page gives to `load`. */
export interface ProjectSpec {
  /** Texts by path, such as `scenarios/flock.ron` and `scripts/flock.rhai`. */
  files: Record<string, string>;
  /** The scenario to run, if there are several. */
  scenario?: string;
  seed?: number;
  /** Values as they are written in a scenario, by `group.param`. */
  params?: Record<string, string>;
}

/** The events of the element and what they have in `detail`. */
export interface FlockworkEventMap {
  /** The world can be drawn for the first time, or another one was loaded. */
  ready: CustomEvent<State>;
  /** The tick or something else in the state has changed; at most once for each frame. */
  tick: CustomEvent<State>;
  /** The files do not run, or the project cannot be loaded. With an empty list, they run again. */
  error: CustomEvent<Finding[]>;
}

/** Worlds that may run at once, besides those that can be seen. */
const MAX_UNSEEN = 4;

/** The worlds that run, those that were seen last at the end. */
const awake = new Set<FlockworkWorld>();

/**
 * A world on a page. It is loaded when it is first seen; until then, the page shows what is inside the element, such as a picture. Attributes: `src`, `example`, `scenario`, `params`, `seed`, `controls`, `sliders`, `playground`, `autoplay`.
 */
export class FlockworkWorld extends HTMLElement {
  static observedAttributes = ["src", "example", "scenario", "params", "seed"];

  /** Lets each slider that was moved have a button which writes its param into the scenario. It is set before the element is on the page. */
  paramWriter: ((param: Param) => void) | undefined;
  /** Makes the places in error messages buttons. It is set before the element is on the page. */
  placeOpener: ((place: Place) => void) | undefined;
  #view: WorldView | undefined;
  #project: Project | undefined;
  #topics = new Set<Topic>();
  /** Counts loads, so that one that is overtaken by another one does nothing. */
  #loads = 0;
  #planned = false;
  /** The attributes of the project that is there. */
  #loaded = "";
  #isSeen = false;
  /** Whether the world must be loaded when it is seen: for the first time, with other attributes, or after it was put to sleep. */
  #isDue = false;
  readonly #observer = new IntersectionObserver(([entry]) => this.#see(entry?.isIntersecting ?? true), { rootMargin: "100px" });
  /** Pages change their colors by a class or an attribute at the top, and with those of the system. */
  readonly #themes = new MutationObserver(() => this.#showColors());
  readonly #preference = matchMedia("(prefers-color-scheme: dark)");
  #isDark: boolean | undefined;
  readonly #poster = document.createElement("slot");

  connectedCallback(): void {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = STYLE;
    this.#view = new WorldView(this.getAttribute("aria-label") ?? "A world with agents");
    this.#poster.hidden = false;
    this.#view.element.append(this.#poster);
    shadow.replaceChildren(style, this.#view.element);
    this.#view.on("state", (state) => this.#emit("tick", state));
    this.#view.on("errors", (errors) => this.#emit("error", errors));
    this.#view.on("fatal", (message) => this.#emit("error", [plainFinding(message)]));
    if (this.hasAttribute("controls") || this.hasAttribute("sliders")) {
      shadow.append(worldControls(this, this.#view));
      this.#topics.add("params");
    }
    this.#view.on("state", ({ params }) => this.#keepParams(params ?? []));
    this.#isDark = undefined;
    this.#themes.observe(document.documentElement, { attributes: true });
    this.#themes.observe(document.body, { attributes: true });
    this.#preference.addEventListener("change", this.#showColors);
    this.#showColors();
    this.#observer.observe(this);
    this.#plan();
  }

  disconnectedCallback(): void {
    this.#loads += 1;
    this.#observer.disconnect();
    this.#themes.disconnect();
    this.#preference.removeEventListener("change", this.#showColors);
    awake.delete(this);
    this.#view?.destroy();
    this.#view = undefined;
  }

  attributeChangedCallback(): void {
    if (this.#view !== undefined) {
      this.#plan();
    }
  }

  /** The last state of the world, once it is ready. */
  get state(): State | undefined {
    return this.#view?.state;
  }

  /** The project that runs. */
  get project(): Project | undefined {
    return this.#project;
  }

  /** Runs other files. Rejects with a `ProjectError` if they are no project; errors in them are an event. */
  async load(spec: ProjectSpec): Promise<void> {
    const scenario = spec.scenario ?? firstScenario(new Map(Object.entries(spec.files)));
    await this.#run(checkedProject({ ...spec, scenario: scenario ?? "" }), ++this.#loads);
  }

  play(): Promise<void> {
    return this.#needView().call("play");
  }

  pause(): Promise<void> {
    return this.#needView().call("pause");
  }

  /** Runs one tick and pauses. */
  step(): Promise<void> {
    return this.#needView().call("step");
  }

  /** Goes to a tick that is known, and pauses there. */
  goTo(tick: number): Promise<void> {
    return this.#needView().call("goTo", tick);
  }

  /** Begins again from the first tick, with the files as they are now, and pauses. Params that were set stay set unless that is false. */
  restart(keepParams = true): Promise<void> {
    return this.#needView().call("restart", keepParams);
  }

  /** Goes to a tick, runs up to it if that is necessary, and pauses there. */
  runTo(tick: number): Promise<void> {
    return this.#needView().call("runTo", tick);
  }

  /** Sets a param: `set("birds.sight", 80)`. */
  set(param: string, value: number | string): Promise<void> {
    const [group = "", name = ""] = param.includes(".") ? param.split(".") : ["", param];
    return this.#needView().call("setParam", group, name, String(value));
  }

  /** Sets the speed, as a factor. */
  speed(factor: number): Promise<void> {
    return this.#needView().call("setSpeed", factor);
  }

  /** Changes files while the world runs; `null` removes one. */
  async edit(changes: Record<string, string | null>): Promise<Finding[]> {
    return (await this.#needView().call("edit", Object.entries(changes))).errors;
  }

  /** Writes the params that were set, or only one of them, into the scenario of the world. Returns its path and its text. */
  async writeParams(only?: { group: string; name: string }): Promise<[path: string, text: string]> {
    const [path, text] = await this.#needView().call("writeParams", only && [only.group, only.name]);
    this.#project?.files.set(path, text);
    return [path, text];
  }

  /** Says what is drawn besides the world. */
  overlays(overlays: Overlays): Promise<void> {
    return this.#needView().call("setOverlays", overlays);
  }

  select(id: number | undefined): Promise<void> {
    return this.#needView().call("select", id);
  }

  /** Asks for more in each state: `agents`, `hash`, `params`, `explanation`, `values`, `samples`, `messages` or `expectations`. */
  watch(...topics: Topic[]): Promise<void> {
    topics.forEach((topic) => this.#topics.add(topic));
    // A world that begins anew before it has answered is asked for them again when it is there.
    return this.#needView()
      .call("watch", [...this.#topics])
      .catch(() => undefined);
  }

  /** The groups, the rectangle of the world, and the keys that it listens to. */
  facts(): Promise<Facts> {
    return this.#needView().call("facts");
  }

  /** The positions of all agents at the last tick: x and y of each, in the order of ids. `watch("agents")` first. */
  positions(): Float32Array {
    return this.state?.agents?.positions ?? new Float32Array();
  }

  /** Returns the text of a golden: what the run must be, everywhere. */
  recordGolden(): Promise<string> {
    return this.#needView().call("recordGolden");
  }

  compare(golden: string): Promise<Compared> {
    return this.#needView().call("compare", golden);
  }

  /** Is dark where the text of the page is light. */
  readonly #showColors = (): void => {
    const [r = 0, g = 0, b = 0] = getComputedStyle(this).color.match(/[\d.]+/g)?.map(Number) ?? [];
    const isDark = 0.299 * r + 0.587 * g + 0.114 * b > 128;
    if (isDark !== this.#isDark) {
      this.#isDark = isDark;
      for (const part of this.shadowRoot?.children ?? []) {
        (part as HTMLElement).style.colorScheme = isDark ? "dark" : "light";
      }
      this.#view?.tell("setOverlays", { dark: isDark });
    }
  };

  /** The element has come into view, or has left it. */
  #see(isSeen: boolean): void {
    this.#isSeen = isSeen;
    if (isSeen && this.#isDue) {
      this.#plan();
    } else if (isSeen && awake.delete(this)) {
      awake.add(this);
    }
  }

  /** Ends the world until it is seen again. It begins again then, with the params that were set. */
  #sleep(): void {
    awake.delete(this);
    this.#view?.stop("the world sleeps");
    this.#isDue = true;
  }

  /** Params that were set stay set when the world begins again. */
  #keepParams(params: Param[]): void {
    for (const param of params) {
      if (changed(param)) {
        this.#project?.params.set(nameOf(param), param.unwritten);
      } else {
        this.#project?.params.delete(nameOf(param));
      }
    }
  }

  /** Loads what the attributes say, once for all that change at once. */
  #plan(): void {
    this.#isDue = true;
    if (!this.#planned && this.#isSeen) {
      this.#planned = true;
      queueMicrotask(() => {
        this.#planned = false;
        this.#loadAttributes().catch((error: unknown) => this.#emit("error", [plainFinding(messageOf(error))]));
      });
    }
  }

  async #loadAttributes(): Promise<void> {
    const names = this.hasAttribute("src") || this.hasAttribute("example");
    const attributes = JSON.stringify(FlockworkWorld.observedAttributes.map((name) => this.getAttribute(name)));
    if (this.#project !== undefined && (!names || attributes === this.#loaded)) {
      // It was put to sleep.
      await this.#run(this.#project, ++this.#loads);
      return;
    }
    if (!names) {
      return;
    }
    const load = ++this.#loads;
    this.#loaded = attributes;
    const project = await this.#projectOfAttributes();
    if (project === undefined || load !== this.#loads) {
      return;
    }
    project.scenario = this.getAttribute("scenario") ?? project.scenario;
    for (const part of (this.getAttribute("params") ?? "").split(";")) {
      const [name = "", value = ""] = part.split("=").map((side) => side.trim());
      if (name !== "") {
        project.params.set(name, value);
      }
    }
    const seed = this.getAttribute("seed");
    if (seed !== null) {
      project.seed = Number(seed);
    }
    await this.#run(project, load);
  }

  async #projectOfAttributes(): Promise<Project | undefined> {
    const example = this.getAttribute("example");
    if (example !== null) {
      return loadExample(BASE, example);
    }
    const src = this.getAttribute("src");
    if (src === null) {
      return undefined;
    }
    const url = new URL(src, document.baseURI);
    if (url.hash.startsWith("#1.")) {
      return fromLink(url.hash);
    }
    const response = await fetch(url);
    if (!response.ok) {
      throw new ProjectError(`${src} cannot be loaded: ${response.status} ${response.statusText}`);
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes[0] !== 0x50) {
      return checkedProject(JSON.parse(new TextDecoder().decode(bytes)));
    }
    const { files } = fromZip(bytes);
    const scenario = firstScenario(files);
    if (scenario === undefined) {
      throw new ProjectError(`${src} has no scenario`);
    }
    return { files, scenario, params: new Map() };
  }

  async #run(project: Project, load: number): Promise<void> {
    const view = this.#needView();
    this.#isDue = false;
    await view.restart();
    if (load !== this.#loads) {
      return;
    }
    this.#project = project;
    awake.add(this);
    const unseen = [...awake].filter((world) => !world.#isSeen && world !== this);
    unseen.slice(0, Math.max(0, unseen.length - MAX_UNSEEN)).forEach((world) => world.#sleep());
    view.tell("watch", [...this.#topics]);
    view.tell("setOverlays", { dark: this.#isDark ?? false });
    const ready = new Promise<State>((resolve) => {
      const stop = view.on("state", (state) => {
        stop();
        resolve(state);
      });
    });
    const start = {
      files: Object.fromEntries(project.files),
      scenario: project.scenario,
      params: Object.fromEntries(project.params),
      ...(project.seed === undefined ? {} : { seed: project.seed }),
    };
    const begun = await view.call("start", start, false).catch((error: unknown) => {
      if (load === this.#loads) {
        throw error;
      }
    });
    if (begun === undefined || begun.result === "none" || load !== this.#loads) {
      return;
    }
    if (this.hasAttribute("autoplay") && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      view.tell("play");
    }
    const state = await ready;
    this.#poster.hidden = true;
    this.#emit("ready", state);
  }

  #needView(): WorldView {
    if (this.#view === undefined) {
      throw new Error("the element is not in a page");
    }
    return this.#view;
  }

  #emit<Name extends keyof FlockworkEventMap>(name: Name, detail: FlockworkEventMap[Name]["detail"]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  override addEventListener<Name extends keyof FlockworkEventMap>(
    name: Name,
    listener: (this: FlockworkWorld, event: FlockworkEventMap[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(name, listener, options);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function plainFinding(message: string): Finding {
  return { severity: "error", message, help: [], text: `error: ${message}` };
}

declare global {
  interface HTMLElementTagNameMap {
    "flockwork-world": FlockworkWorld;
  }
}

if (customElements.get("flockwork-world") === undefined) {
  customElements.define("flockwork-world", FlockworkWorld);
}
