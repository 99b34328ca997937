// What a world was expected to do and has not done: a button that leads to the agent and the tick.

import { h, setText } from "../dom.ts";
import type { FlockworkWorld } from "../element.ts";
import type { Expectation, Param } from "../protocol.ts";

/** A button that says which expectation has failed first, and goes there. It is hidden while all hold. */
export class FailureButton {
  readonly element = h("button", { type: "button", class: "failure", hidden: true, onclick: () => void this.#go() });
  readonly #world: FlockworkWorld;
  #first: Expectation | undefined;
  #more = "";
  /** The tick at which files or params were changed last. */
  #changedAt: number | undefined;
  #params = "";

  constructor(world: FlockworkWorld) {
    this.#world = world;
    world.addEventListener("ready", () => void world.watch("expectations"));
    world.addEventListener("tick", ({ detail: { expectations, params, end } }) => {
      // Another run has begun.
      if (end < (this.#changedAt ?? 0)) {
        this.#changedAt = undefined;
      }
      if (params !== undefined) {
        this.#take(params);
      }
      if (expectations !== undefined) {
        const failed = expectations.filter(({ state }) => state === "failed");
        this.#first = failed.sort((a, b) => (a.tick ?? 0) - (b.tick ?? 0))[0];
        this.#more = failed.length > 1 ? ` and ${failed.length - 1} more` : "";
        this.#show();
      }
    });
  }

  /** Hears that the files were changed at the present tick. */
  changed(): void {
    this.#changedAt = this.#world.state?.tick;
    this.#show();
  }

  /** Finds out whether params were changed. */
  #take(params: Param[]): void {
    const set = params.map(({ unwritten }) => unwritten ?? "").join(" ");
    if (set !== this.#params) {
      this.#params = set;
      this.changed();
    }
  }

  #show(): void {
    const { element } = this;
    const [first, more] = [this.#first, this.#more];
    element.hidden = first === undefined;
    if (first === undefined) {
      return;
    }
    const isOld = this.#changedAt !== undefined && (first.tick ?? 0) <= this.#changedAt;
    // The reason names the tick.
    setText(element, `✗ ${isOld ? "before the change" : "fails"}: ${first.why}${more}`);
    const then = isOld ? " The round arrow begins a run with the change." : "";
    element.title = `${first.text}: ${first.why}. Go to tick ${first.tick}.${then}`;
  }

  async #go(): Promise<void> {
    if (this.#first !== undefined) {
      await this.#world.goTo(this.#first.tick ?? 0);
      await this.#world.select(this.#first.agent ?? undefined);
    }
  }
}
