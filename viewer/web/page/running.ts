// A world as it runs in the worker: its files, its time, its picture, and what the page wants to know about it.

import { World } from "flockwork-engine";

import { findingsOfEngine, findingsOfError } from "./findings.ts";
import type {
  Calls,
  Compared,
  Facts,
  Finding,
  FromWorker,
  Overlays,
  Reloaded,
  Sample,
  Start,
  State,
  Topic,
} from "./protocol.ts";

/** The most milliseconds of a frame that ticks may take, so that drawing and messages have their time. */
const TICKING_MS = 11;

/** A frame that comes later than this is treated as if it had come then: after a pause of the page, time is not caught up. */
const LONGEST_FRAME_MS = 100;

/** While a world plays, panels are told what they show this often. */
const PANELS_MS = 100;

/** Measures are recorded at every tick, even if no panel shows them, unless they take longer than this; then at fewer ticks. */
const CHEAP_MEASURES_MS = 0.5;

/** Every n-th tick has its measures, whatever they take. */
const EVERY_MEASURED = 32;

/** The most samples of measures that wait for the next state. */
const MAX_SAMPLES = 5000;

type Posted = (message: FromWorker, transfer?: Transferable[]) => void;

export class Running implements Calls {
  #world: World | undefined;
  #files = new Map<string, string>();
  #scenario = "";
  #options: { seed?: number; params: Record<string, string> } = { params: {} };
  #errors = "[]";
  /** The params that the page has set, by group and name. */
  #set = new Map<string, [group: string, name: string, value: string]>();

  #playing = false;
  /** The tick to which it plays as fast as it can. */
  #until: number | undefined;
  #speed = 1;
  /** Ticks that are due, as a fraction. */
  #due = 0;
  #lastFrame: number | undefined;
  /** Ticks and milliseconds of the present interval of measuring, and the result of the last one. */
  #counted = { ticks: 0, since: 0 };
  #reached = 0;

  readonly #canvas: OffscreenCanvas | undefined;
  #size = { width: 0, height: 0, pixelRatio: 1 };
  #overlays: Overlays = {};
  #following = false;

  #topics = new Set<Topic>();
  #samples: Sample[] = [];
  #measuresMs = 0;
  /** What was told last. */
  #messages = "";
  /** What has changed since it was told or drawn last. */
  #stale = { state: true, panels: true, picture: true };
  #panelsTold = 0;
  #visible = true;
  #frameAsked = false;
  readonly #post: Posted;

  constructor(canvas: OffscreenCanvas | undefined, post: Posted) {
    this.#canvas = canvas;
    this.#post = post;
  }

  // Files

  start(start: Start, keep: boolean): Reloaded {
    this.#files = new Map(Object.entries(start.files));
    this.#scenario = start.scenario;
    this.#options = { params: start.params, ...(start.seed === undefined ? {} : { seed: start.seed }) };
    return this.#startAnew(keep);
  }

  edit(changes: [path: string, text: string | null][]): Reloaded {
    for (const [path, text] of changes) {
      if (text === null) {
        this.#files.delete(path);
        this.#world?.removeFile(path);
      } else {
        this.#files.set(path, text);
        this.#world?.setFile(path, text);
      }
    }
    if (this.#world === undefined) {
      return this.#startAnew(false);
    }
    const { result, changes: changed } = JSON.parse(this.#world.reload()) as Omit<Reloaded, "errors">;
    this.#changed();
    return { result, changes: changed, errors: this.#tellErrors() };
  }

  /** Makes the world from its files. If they cannot run, the one that is there goes on from its first tick, or none does. */
  #startAnew(keep: boolean): Reloaded {
    const before = this.#world;
    this.#samples = [];
    this.#due = 0;
    try {
      const files = JSON.stringify(Object.fromEntries(this.#files));
      this.#world = new World(files, this.#scenario, JSON.stringify(this.#options));
    } catch (error) {
      const errors = this.#tellErrors(findingsOfError(error, this.#files));
      if (keep && before !== undefined) {
        before.goTo(before.firstTick());
        this.#changed();
        return { result: "failed", changes: [], errors };
      }
      this.#world = undefined;
      before?.free();
      this.#changed();
      return { result: "none", changes: [], errors };
    }
    if (keep && before !== undefined) {
      this.#world.keepSwitches(before);
    }
    before?.free();
    this.#applyOverlays();
    this.#world.follow(this.#following);
    this.#measure();
    this.#changed();
    return { result: "adopted", changes: [], errors: this.#tellErrors() };
  }

  /** Tells the page why the newest files do not run, if that has changed. */
  #tellErrors(errors?: Finding[]): Finding[] {
    const list = errors ?? findingsOfEngine(this.#world?.errors() ?? "[]", this.#files);
    const json = JSON.stringify(list);
    if (json !== this.#errors) {
      this.#errors = json;
      this.#post({ type: "errors", errors: list });
    }
    return list;
  }

  // Time

  play(): void {
    this.#until = undefined;
    this.#playing = true;
    this.#due = 1;
    this.#lastFrame = undefined;
    this.#counted = { ticks: 0, since: performance.now() };
    this.#changed();
  }

  pause(): void {
    this.#playing = false;
    this.#changed();
  }

  step(): void {
    this.#playing = false;
    this.#tick();
    this.#changed();
  }

  goTo(tick: number): void {
    const world = this.#world;
    if (world !== undefined) {
      this.#playing = false;
      world.goTo(Math.min(Math.max(Math.round(tick), world.firstTick()), world.end()));
      this.#measure();
      this.#changed();
    }
  }

  runTo(tick: number): void {
    this.goTo(tick);
    while (this.#world !== undefined && this.#world.tick() < tick && this.#tick()) {
      // On to the tick.
    }
    this.#changed();
  }

  playTo(tick: number): void {
    this.play();
    this.#until = tick;
  }

  restart(keepParams: boolean): void {
    const selected = this.#world?.selected();
    this.#playing = false;
    this.#startAnew(true);
    if (keepParams) {
      this.#set.forEach(([group, name, value]) => this.#world?.setParam(group, name, value));
    } else {
      this.#set.clear();
    }
    this.#world?.select(selected);
    this.#changed();
  }

  setSpeed(factor: number): void {
    this.#speed = Math.min(Math.max(factor, 1 / 64), 64);
    this.#changed();
  }

  /** Runs one tick. Returns whether time went on. */
  #tick(): boolean {
    const world = this.#world;
    if (world === undefined) {
      return false;
    }
    const result = world.step();
    if (result !== "new" && result !== "replayed") {
      this.#tellErrors();
    }
    this.#measure();
    return result !== "stuck";
  }

  /** Runs the ticks that are due at `now`. */
  #runDue(now: number): void {
    const world = this.#world;
    if (world === undefined || !this.#playing) {
      return;
    }
    const elapsed = Math.min(now - (this.#lastFrame ?? now), LONGEST_FRAME_MS);
    this.#lastFrame = now;
    this.#due = this.#until === undefined ? this.#due + ((elapsed / 1000) * this.#speed) / world.dt() : Infinity;
    const started = performance.now();
    while (this.#due >= 1 && this.#playing) {
      const before = world.tick();
      if (!this.#tick()) {
        this.#playing = false;
      }
      this.#due -= 1;
      this.#counted.ticks += 1;
      this.#stale = { state: true, panels: true, picture: true };
      // The scenario ends here. Playing on from there is possible, as in the window.
      const end = this.#until ?? world.ticks();
      if (before < end && world.tick() >= end) {
        this.#playing = false;
      }
      if (performance.now() - started > TICKING_MS) {
        this.#due = Math.min(this.#due, 1);
        break;
      }
    }
    const counting = now - this.#counted.since;
    if (counting > 500) {
      this.#reached = (this.#counted.ticks / counting) * 1000;
      this.#counted = { ticks: 0, since: now };
    }
  }

  // The picture

  resize(width: number, height: number, pixelRatio: number): void {
    this.#size = { width, height, pixelRatio };
    this.#redraw();
  }

  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#lastFrame = undefined;
    this.#redraw();
  }

  fit(): void {
    this.#world?.fit();
    this.#redraw();
  }

  pan(dx: number, dy: number): void {
    this.#world?.pan(dx, dy);
    this.#redraw();
  }

  zoom(factor: number, x: number, y: number): void {
    this.#world?.zoom(factor, x, y);
    this.#redraw();
  }

  follow(on: boolean): void {
    this.#following = on;
    this.#world?.follow(on);
    this.#changed();
  }

  setOverlays(overlays: Overlays): void {
    this.#overlays = { ...this.#overlays, ...overlays };
    this.#applyOverlays();
    this.#redraw();
  }

  #applyOverlays(): void {
    this.#world?.setDark(this.#overlays.dark ?? false);
    this.#world?.setTrails(this.#overlays.trails ?? false);
  }

  select(id: number | undefined): void {
    this.#world?.select(id);
    this.#changed();
  }

  selectAt(x: number, y: number): number | undefined {
    const id = this.#world?.selectAt(x, y);
    this.#changed();
    return id;
  }

  #draw(): void {
    const { width, height, pixelRatio } = this.#size;
    const context = this.#canvas?.getContext("2d", { alpha: false });
    if (this.#world === undefined || this.#canvas === undefined || !context || width < 1 || height < 1) {
      return;
    }
    // As the engine rounds.
    const pixels = { width: Math.round(width * pixelRatio), height: Math.round(height * pixelRatio) };
    if (this.#canvas.width !== pixels.width || this.#canvas.height !== pixels.height) {
      Object.assign(this.#canvas, pixels);
    }
    const rgba = this.#world.draw(width, height, pixelRatio);
    context.putImageData(new ImageData(rgba, pixels.width, pixels.height), 0, 0);
  }

  // What the page is told

  setParam(group: string, name: string, value: string): void {
    try {
      const before = this.#world?.tick() ?? 0;
      this.#world?.setParam(group, name, value);
      // Another number of agents begins the run again.
      if ((this.#world?.tick() ?? 0) < before) {
        this.#samples = [];
        this.#measure();
      }
      this.#set.set(`${group}.${name}`, [group, name, value]);
    } catch (error) {
      throw new Error(findingsOfError(error, this.#files)[0]?.message);
    }
    this.#changed();
  }

  switchWeight(group: string, name: string): void {
    const { changes, words } = this.#takeWeights(group, this.#needWorld().switchWeight(group, name));
    if (Object.keys(changes).length === 0) {
      throw new Error(words);
    }
  }

  onlyWeight(group: string, name: string): string {
    return this.#takeWeights(group, this.#needWorld().onlyWeight(group, name)).words;
  }

  /** Notes what the world has set. */
  #takeWeights(group: string, json: string): { changes: Record<string, string>; words: string } {
    const told = JSON.parse(json) as { changes: Record<string, string>; words: string };
    for (const [name, value] of Object.entries(told.changes)) {
      this.#set.set(`${group}.${name}`, [group, name, value]);
    }
    this.#changed();
    return told;
  }

  writeParams(only?: [group: string, name: string]): [path: string, text: string] {
    const world = this.#needWorld();
    try {
      const text = world.writeParams(...(only ?? []));
      this.#files.set(this.#scenario, text ?? this.#files.get(this.#scenario) ?? "");
      world.reload();
    } catch (error) {
      throw new Error(findingsOfError(error, this.#files)[0]?.message);
    }
    // A run from the beginning has what the file has then.
    if (only === undefined) {
      this.#set.clear();
    } else {
      this.#set.delete(only.join("."));
    }
    this.#changed();
    return [this.#scenario, this.#files.get(this.#scenario) ?? ""];
  }

  press(key: string, down: boolean): boolean {
    const isKnown = this.#world?.press(key, down) ?? false;
    this.#changed();
    return isKnown;
  }

  moveCursor(at: { x: number; y: number } | undefined): void {
    this.#world?.moveCursor(at?.x, at?.y);
  }

  watch(topics: Topic[]): void {
    this.#messages = "";
    this.#topics = new Set(topics);
    this.#measure();
    this.#changed();
  }

  recordGolden(): string {
    try {
      return this.#needWorld().recordGolden("recorded in the playground");
    } catch (error) {
      throw new Error(findingsOfError(error, this.#files).map(({ text }) => text).join("\n"));
    }
  }

  compare(golden: string): Compared {
    return JSON.parse(this.#needWorld().compare(golden)) as Compared;
  }

  version(): string {
    return World.version();
  }

  facts(): Facts {
    const world = this.#needWorld();
    return {
      groups: JSON.parse(world.groups()) as Facts["groups"],
      inputs: JSON.parse(world.inputs()) as Facts["inputs"],
      readsCursor: world.readsCursor(),
      space: JSON.parse(world.space()) as Facts["space"],
    };
  }

  #needWorld(): World {
    if (this.#world === undefined) {
      throw new Error("no version of the files could run yet");
    }
    return this.#world;
  }

  #measure(): void {
    const world = this.#world;
    if (world === undefined) {
      return;
    }
    const isDue = this.#measuresMs < CHEAP_MEASURES_MS || world.tick() % EVERY_MEASURED === 0;
    if (!isDue && !this.#topics.has("measures")) {
      return;
    }
    const started = performance.now();
    this.#samples.push({ tick: world.tick(), measures: JSON.parse(world.measures()) as Sample["measures"] });
    this.#measuresMs += (performance.now() - started - this.#measuresMs) / 8;
    if (this.#samples.length > MAX_SAMPLES) {
      this.#samples.splice(0, this.#samples.length - MAX_SAMPLES);
    }
  }

  #state(world: World, now: number): State {
    const state: State = {
      name: world.name(),
      tick: world.tick(),
      firstTick: world.firstTick(),
      end: world.end(),
      ticks: world.ticks(),
      dt: world.dt(),
      playing: this.#playing,
      speed: this.#speed,
      reached: this.#playing ? this.#reached : 0,
      selected: world.selected(),
      following: this.#following,
    };
    if (this.#topics.has("agents")) {
      state.agents = {
        ids: world.ids(),
        groupOf: world.groupOf(),
        positions: world.positions(),
        velocities: world.velocities(),
        headings: world.headings(),
      };
    }
    if (this.#stale.panels && (!this.#playing || now - this.#panelsTold >= PANELS_MS)) {
      this.#stale.panels = false;
      this.#panelsTold = now;
      this.#addPanels(world, state);
    }
    return state;
  }

  #addPanels(world: World, state: State): void {
    const add: Record<Exclude<Topic, "agents" | "measures">, () => void> = {
      hash: () => (state.hash = world.hash()),
      params: () => (state.params = JSON.parse(world.params()) as NonNullable<State["params"]>),
      explanation: () =>
        (state.explanation = JSON.parse(world.explain() ?? "null") as NonNullable<State["explanation"]>),
      values: () => (state.values = JSON.parse(world.values() ?? "null") as NonNullable<State["values"]>),
      samples: () => {
        state.samples = this.#samples;
        this.#samples = [];
      },
      messages: () => {
        const json = world.messages();
        if (json !== this.#messages) {
          this.#messages = json;
          state.messages = JSON.parse(json) as NonNullable<State["messages"]>;
        }
      },
      expectations: () => {
        state.expectations = JSON.parse(world.expectations()) as NonNullable<State["expectations"]>;
        // Earlier ticks are judged a few at a time.
        this.#stale.panels ||= world.lacksJudgment();
      },
    };
    for (const topic of this.#topics) {
      if (topic !== "agents" && topic !== "measures") {
        add[topic]();
      }
    }
  }

  // Frames

  /** Something may have changed that the page shows. */
  #changed(): void {
    this.#stale = { state: true, panels: true, picture: true };
    this.#askForFrame();
  }

  #redraw(): void {
    this.#stale.picture = true;
    this.#askForFrame();
  }

  #askForFrame(): void {
    if (!this.#frameAsked && (this.#visible || this.#stale.state)) {
      this.#frameAsked = true;
      // Frames of a hidden page do not come, so what it asks for is told without them.
      if (this.#visible && typeof requestAnimationFrame === "function") {
        requestAnimationFrame((now) => this.#frame(now));
      } else {
        setTimeout(() => this.#frame(performance.now()), 16);
      }
    }
  }

  #frame(now: number): void {
    this.#frameAsked = false;
    if (this.#visible) {
      this.#runDue(now);
    }
    const world = this.#world;
    if (world !== undefined && (this.#stale.state || this.#stale.panels)) {
      this.#stale.state = false;
      const state = this.#state(world, now);
      this.#post({ type: "state", state }, buffersOf(state));
    }
    if (this.#visible && this.#stale.picture) {
      this.#stale.picture = false;
      this.#draw();
    }
    if ((this.#playing && this.#visible && world !== undefined) || (this.#stale.panels && world !== undefined)) {
      this.#askForFrame();
    }
  }
}

function buffersOf(state: State): Transferable[] {
  return state.agents === undefined ? [] : Object.values(state.agents).map((column: Uint32Array) => column.buffer);
}
