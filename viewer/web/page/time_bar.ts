// A slider over the ticks: what is known can be gone to; what is planned is shown behind it.

import { h } from "./dom.ts";
import type { State } from "./protocol.ts";

/** Returns a moment of a run for people, such as `tick 120 · 12.0 s`. */
export function moment(tick: number, dt: number): string {
  return `tick ${tick} · ${(tick * dt).toFixed(1)} s`;
}

export class TimeBar {
  readonly element: HTMLInputElement;
  #state: State | undefined;

  /** `goTo` goes to a tick that is known, `playTo` plays to a later one. */
  constructor(goTo: (tick: number) => void, playTo: (tick: number) => void) {
    this.element = h("input", {
      type: "range",
      class: "time-bar",
      min: 0,
      max: 1,
      step: 1,
      value: 0,
      "aria-label": "Time",
      oninput: () => goTo(Math.min(this.#wanted, this.#end)),
      // What is not known yet runs when the pointer has said how far.
      onchange: () => this.#wanted > this.#end && playTo(this.#wanted),
    });
  }

  get #wanted(): number {
    return Number(this.element.value);
  }

  get #end(): number {
    return this.#state?.end ?? 0;
  }

  update(state: State): void {
    this.#state = state;
    const { firstTick, end, ticks, tick, dt } = state;
    const last = Math.max(ticks, end);
    this.element.min = String(firstTick);
    this.element.max = String(last);
    if (!this.element.matches(":active")) {
      this.element.value = String(tick);
    }
    const share = (value: number) => `${(((value - firstTick) / Math.max(last - firstTick, 1)) * 100).toFixed(2)}%`;
    this.element.style.setProperty("--known", share(end));
    this.element.style.setProperty("--planned", share(ticks));
    this.element.setAttribute("aria-valuetext", `${moment(tick, dt)}, of ${ticks} ticks`);
  }
}
