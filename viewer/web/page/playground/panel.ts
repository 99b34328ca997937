// What a panel of the playground is.

import type { Project } from "../project.ts";
import type { State, Topic } from "../protocol.ts";
import type { WorldView } from "../world.ts";

/** What panels can do to the rest of the page. */
export interface Actions {
  world: WorldView;
  /** The project as it is now. */
  project: Project;
  /** The tick at which files or params were changed since the start: the hash is that of no run from the start. */
  changedAt: number | undefined;
  /** Lets edits that wait take effect now. */
  sendEdits(): void;
  /** Goes to a tick and pauses. */
  goTo(tick: number): void;
  /** Selects an agent. */
  select(id: number | undefined): void;
  /** Opens a file at a line and a column, both from 1. */
  openFile(path: string, line: number, column: number): void;
  /** Writes the params that were set into the scenario. */
  writeParams(): void;
  /** Starts the scenario again with the newest files. */
  restart(): void;
  /** Tells something in the status line, which is read out. */
  say(text: string): void;
}

export interface Panel {
  id: string;
  label: string;
  element: HTMLElement;
  /** What the panel needs in each state while it is shown. */
  topics: Topic[];
  /** Shows a state. Called only while the panel is shown, except for topics that need all states. */
  update(state: State): void;
  /** Another world was opened, or the same one starts again. */
  reset?(same: boolean): void;
  /** A number or sign for its tab. */
  badge?(): string | undefined;
}
