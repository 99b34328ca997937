// What the page and the worker of a world say to each other, and the shapes of what the engine tells as JSON.

/** A problem in a file, as the engine reports it. */
export interface Finding {
  severity: "error" | "warning" | "note";
  code?: string;
  message: string;
  path?: string;
  /** Offsets in the text, in UTF-16 units. */
  start?: number;
  end?: number;
  /** Both from 1. */
  line?: number;
  column?: number;
  help: string[];
  /** The whole message with its lines of code, as `flockwork check` prints it. */
  text: string;
}

/** A param of a group. Values are as they are written in a scenario. */
export interface Param {
  group: string;
  name: string;
  value: string;
  /** The value in the scenario file; `null` if it has none there. */
  written: string | null;
  /** The value that the user has set last, maybe at a later tick, if it is not in the scenario file. */
  unwritten: string | null;
  /** The value, if it is a number. */
  number: number | null;
  /** What a slider for it goes through, if it is a number. */
  range: ParamRange | null;
  /** The comment beside it in the scenario. */
  comment: string | null;
  /** Whether the script of the group only multiplies by it: with 0, nothing is left of what it is the weight of. */
  isWeight: boolean;
  /** Whether it is a weight that is 0. */
  isOff: boolean;
  /** If it was switched off: the value that it comes back to. */
  before: string | null;
}

/** The numbers that a slider goes through. */
export interface ParamRange {
  min: number;
  max: number;
  /** Whether equal distances are equal factors. */
  isLog: boolean;
  /** The distance between two numbers of a range that is not logarithmic. */
  step: number;
  isInteger: boolean;
}

export interface Measure {
  name: string;
  unit: string;
  /** What it means. */
  doc: string;
  /** `null` if it has no value at this tick. */
  value: number | null;
}

/** What a script printed. */
export interface Message {
  tick: number;
  agent: number | null;
  group: string;
  /** File and line of the call. */
  place: string;
  text: string;
}

export interface Expectation {
  text: string;
  state: "not judged" | "not yet" | "holds" | "nearly failed" | "failed";
  /** If it has failed: the first tick and agent, and why. */
  tick: number | null;
  agent: number | null;
  why: string | null;
}

export interface Group {
  name: string;
  /** CSS color. */
  color: string;
  /** The number of its agents. */
  agents: number;
}

/** A key that a scenario listens to. */
export interface Input {
  key: string;
  name: string;
}

/** What can be done in a world, and does not change while it runs the same files. */
export interface Facts {
  groups: Group[];
  inputs: Input[];
  readsCursor: boolean;
  /** The rectangle of the world. */
  space: { min: Vector; max: Vector; edge: string };
}

export type Vector = [number, number];

/** A share of a force in an explanation. */
export interface ExplainedShare {
  /** Where it comes from; `null` if that is in no file. */
  file: string | null;
  line: number | null;
  column: number | null;
  dominant: boolean;
  /** The index of its color. */
  color: number;
  raw: Vector;
  weight: number | null;
  share: Vector | null;
  /** The share of the change of velocity. */
  velocity_share: Vector | null;
  fraction: number | null;
}

/** A call of a primitive in an explanation. */
export interface ExplainedCall extends ExplainedShare {
  primitive: string;
  desired_velocity: Vector | null;
  cause: { kind: string; text: string; agent?: number } | null;
}

/** A vector that the script computes itself and keeps in a variable. */
export interface ExplainedVariable extends Omit<ExplainedShare, "raw"> {
  name: string;
  value: Vector;
  causes: { text: string }[];
}

/** What `flockwork explain --json` prints, as far as the page shows it. */
export interface Explanation {
  tick: number;
  agent: number;
  group: string;
  headline: string;
  /** All of it, for people. */
  text: string;
  position: Vector;
  velocity: Vector;
  speed: number;
  body: { max_speed: number | null; max_force: number | null };
  params: Record<string, unknown>;
  state: Record<string, unknown>;
  goal: { distance: number } | null;
  stopped: boolean;
  error: string | null;
  decision: {
    explained: boolean;
    calls: ExplainedCall[];
    variables: ExplainedVariable[];
    /** `unnamed` is the part of it that comes from none of the variables. */
    rest: { share: Vector; fraction: number | null; unnamed: Vector | null } | null;
    wanted_force: Vector | null;
    force: Vector | null;
    limits: unknown[];
    touches: unknown[];
    choices: { name: string; text: string }[];
  } | null;
  /** The calls that are left out because of a condition, whose place it is, and why. */
  skipped: { names: string[]; file: string; line: number; column: number; text: string }[];
}

/** What is drawn besides the world itself. */
export interface Overlays {
  trails?: boolean;
  /** Light colors on a dark ground. */
  dark?: boolean;
}

/**
 * What a page wants to know besides the tick. Each costs time, so it is told only to those that ask. `samples` are measures of the
 * ticks at which they were recorded: with `measures` of all ticks, without it only while that is fast.
 */
export type Topic = "hash" | "params" | "explanation" | "values" | "samples" | "measures" | "messages" | "expectations" | "agents";

/** What the selected agent computes in its next turn. */
export interface TurnValues {
  tick: number;
  agent: number;
  group: string;
  /** Places are bytes of the text. */
  files: { name: string; text: string; values: { start: number; end: number; is_variable: boolean; is_condition: boolean; text: string; count: number }[] }[];
}

/** The agents as columns. Positions, velocities and headings have two numbers for each agent: x and y. */
export interface Agents {
  ids: Uint32Array;
  groupOf: Uint16Array;
  positions: Float32Array;
  velocities: Float32Array;
  headings: Float32Array;
}

/** The files to run, and what they are run with. */
export interface Start {
  files: Record<string, string>;
  scenario: string;
  seed?: number;
  params: Record<string, string>;
}

/** What became of a start or an edit. */
export interface Reloaded {
  /** `none`: no version of the files could run yet. */
  result: "unchanged" | "adopted" | "failed" | "none";
  /** What the edit changed, in words. */
  changes: string[];
  /** Why the newest files do not run; empty if they do. */
  errors: Finding[];
}

export interface Compared {
  /** Whether the run is within what the golden allows, and the expectations hold. */
  passed: boolean;
  /** Whether it is the same to the bit. */
  same: boolean;
  /** Where they differ first, as far as it is known: the tick, the agent, and the line of a script. */
  tick?: number | null;
  agent?: number | null;
  file?: string | null;
  line?: number | null;
  /** The whole account, as `flockwork test` prints it. */
  text: string;
}

/** What the page can ask of the worker. All calls are answered in order. */
export interface Calls {
  /** Runs other files. If they cannot run, `keep` lets the world that is there go on, from its first tick. */
  start(start: Start, keep: boolean): Reloaded;
  /** Texts by path; `null` removes a file. */
  edit(changes: [path: string, text: string | null][]): Reloaded;
  play(): void;
  pause(): void;
  /** One tick forward. */
  step(): void;
  /** Begins again from the first tick, with the files as they are now, and with the params that were set or without them. */
  restart(keepParams: boolean): void;
  /** Goes to a tick that has run, and pauses there. */
  goTo(tick: number): void;
  /** The same for a tick that may not have run yet. */
  runTo(tick: number): void;
  /** Plays as fast as it can to a tick, and pauses there. */
  playTo(tick: number): void;
  /** Times the speed of the scenario. */
  setSpeed(factor: number): void;
  setParam(group: string, name: string, value: string): void;
  /** Switches a weight off, which sets it to 0, or on again. Throws if it was never more than 0. */
  switchWeight(group: string, name: string): void;
  /** Switches all weights of a group off but one. If they are off, switches all on again. Returns what it has done, in words. */
  onlyWeight(group: string, name: string): string;
  /** Writes the params that were set, or only one of them, into the scenario. Returns its path and its text. */
  writeParams(only?: [group: string, name: string]): [path: string, text: string];
  /** A key of an input goes down or up. Returns whether the world listens to it. */
  press(key: string, down: boolean): boolean;
  /** The pointer is at a place of the picture, or elsewhere. */
  moveCursor(at: { x: number; y: number } | undefined): void;
  /** CSS pixels, and device pixels for each. */
  resize(width: number, height: number, pixelRatio: number): void;
  setVisible(visible: boolean): void;
  fit(): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number, x: number, y: number): void;
  follow(on: boolean): void;
  setOverlays(overlays: Overlays): void;
  select(id: number | undefined): void;
  selectAt(x: number, y: number): number | undefined;
  watch(topics: Topic[]): void;
  recordGolden(): string;
  compare(golden: string): Compared;
  version(): string;
  facts(): Facts;
}

/** The state of a world, told whenever it has changed. The fields of topics are there only when they were asked for and are new. */
export interface State {
  name: string;
  tick: number;
  firstTick: number;
  /** The last tick that is known. */
  end: number;
  /** The tick at which the scenario ends. */
  ticks: number;
  /** Seconds per tick. */
  dt: number;
  playing: boolean;
  speed: number;
  /** Ticks per second that were reached lately. */
  reached: number;
  selected: number | undefined;
  following: boolean;
  hash?: string;
  params?: Param[];
  /** `null` if no agent is selected. */
  explanation?: Explanation | null;
  /** `null` if no agent is selected. */
  values?: TurnValues | null;
  /** Measures that were recorded since the last state. */
  samples?: Sample[];
  /** The last ones up to this tick. */
  messages?: Message[];
  expectations?: Expectation[];
  agents?: Agents;
}

export interface Sample {
  tick: number;
  measures: Measure[];
}

export type ToWorker =
  | { type: "init"; module: WebAssembly.Module; canvas: OffscreenCanvas | undefined }
  | { type: "call"; id: number; name: keyof Calls; args: unknown[] };

export type FromWorker =
  | { type: "answer"; id: number; value: unknown }
  | { type: "refused"; id: number; message: string }
  | { type: "state"; state: State }
  /** The newest files do not run, or they do again. */
  | { type: "errors"; errors: Finding[] }
  /** The worker has stopped for good. */
  | { type: "fatal"; message: string };
