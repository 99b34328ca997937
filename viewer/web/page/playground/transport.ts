// The bar below the world: play, step, time, speed.

import { button, h, icon, setText } from "../dom.ts";
import type { State } from "../protocol.ts";
import { TimeBar, moment } from "../time_bar.ts";
import type { Actions } from "./panel.ts";

const SPEEDS = [0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];

export class Transport {
  readonly element: HTMLElement;
  readonly #actions: Actions;
  readonly #play: HTMLButtonElement;
  readonly #time: HTMLButtonElement;
  readonly #tick: HTMLInputElement;
  readonly #timeBar: TimeBar;
  readonly #speed: HTMLSelectElement;
  #playing: boolean | undefined;

  constructor(actions: Actions) {
    this.#actions = actions;
    this.#play = button(icon("play"), "Play (space)", () => this.toggle(), { class: "primary" });
    this.#timeBar = new TimeBar(
      (tick) => actions.goTo(tick),
      (tick) => this.#goTo(tick),
    );
    this.#time = h("button", { type: "button", class: "time quiet", title: "Type a tick to go to", onclick: () => this.#askForTick() });
    this.#tick = h("input", {
      class: "go-to-tick",
      type: "number",
      min: 0,
      step: 1,
      hidden: true,
      "aria-label": "Tick to go to",
      onkeydown: (event: KeyboardEvent) => this.#tickKey(event),
      onblur: () => this.#showTime(),
    });
    this.#speed = h(
      "select",
      { "aria-label": "Speed", title: "1x: as many seconds as the scenario says. [ slower, ] faster", onchange: () => this.#setSpeed(Number(this.#speed.value)) },
      ...SPEEDS.map((speed) => h("option", { value: speed, selected: speed === 1 }, `${fraction(speed)}x`)),
    );
    this.element = h(
      "div",
      { class: "transport", role: "group", "aria-label": "Time" },
      button(icon("restart"), "Start again with the newest files (r)", () => actions.restart()),
      button(icon("back"), "One tick back (,)", () => this.move(-1)),
      this.#play,
      button(icon("step"), "One tick forward (.)", () => this.step()),
      this.#timeBar.element,
      this.#time,
      this.#tick,
      this.#speed,
      button(icon("fit"), "Show the whole world (f)", () => actions.world.tell("fit")),
    );
  }

  toggle(): void {
    this.#actions.sendEdits();
    this.#actions.world.tell(this.#actions.world.state?.playing === true ? "pause" : "play");
  }

  step(): void {
    this.#actions.sendEdits();
    this.#actions.world.tell("step");
  }

  /** Goes so many ticks on or back, as far as they are known. */
  move(ticks: number): void {
    const { state } = this.#actions.world;
    if (state !== undefined) {
      this.#actions.goTo(Math.min(Math.max(state.tick + ticks, state.firstTick), state.end));
    }
  }

  /** Goes one second on or back. */
  moveSecond(sign: 1 | -1): void {
    this.move(sign * Math.max(1, Math.round(1 / (this.#actions.world.state?.dt ?? 1))));
  }

  first(): void {
    this.#actions.goTo(this.#actions.world.state?.firstTick ?? 0);
  }

  last(): void {
    this.#actions.goTo(this.#actions.world.state?.end ?? 0);
  }

  /** One step faster or slower, or back to the normal speed. */
  changeSpeed(change: 1 | -1 | 0): void {
    const index = SPEEDS.indexOf(this.#actions.world.state?.speed ?? 1);
    this.#setSpeed(change === 0 ? 1 : (SPEEDS[Math.min(Math.max(index + change, 0), SPEEDS.length - 1)] ?? 1));
  }

  update(state: State): void {
    if (state.playing !== this.#playing) {
      this.#playing = state.playing;
      const name = state.playing ? "Pause (space)" : "Play (space)";
      this.#play.replaceChildren(icon(state.playing ? "pause" : "play"));
      this.#play.title = name;
      this.#play.setAttribute("aria-label", name);
    }
    this.#timeBar.update(state);
    setText(this.#time, moment(state.tick, state.dt));
    if (document.activeElement !== this.#speed) {
      this.#speed.value = String(state.speed);
    }
  }

  #askForTick(): void {
    this.#time.hidden = true;
    this.#tick.hidden = false;
    this.#tick.value = String(this.#actions.world.state?.tick ?? 0);
    this.#tick.select();
    this.#tick.focus();
  }

  #showTime(): void {
    this.#tick.hidden = true;
    this.#time.hidden = false;
  }

  #tickKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" && event.key !== "Escape") {
      return;
    }
    event.preventDefault();
    const wanted = Math.round(Number(this.#tick.value));
    const isWanted = event.key === "Enter" && this.#tick.value !== "" && Number.isFinite(wanted);
    this.#showTime();
    this.#time.focus();
    if (isWanted) {
      this.#goTo(wanted);
    }
  }

  /** Goes to a tick. If the world has not come so far yet, it plays there as fast as it can. */
  #goTo(tick: number): void {
    const { state } = this.#actions.world;
    this.#actions.goTo(tick);
    if (state !== undefined && tick > state.end) {
      this.#actions.sendEdits();
      this.#actions.world.tell("playTo", tick);
    }
  }

  #setSpeed(speed: number): void {
    this.#speed.value = String(speed);
    this.#actions.world.tell("setSpeed", speed);
  }
}

function fraction(speed: number): string {
  return speed < 1 ? `1/${1 / speed}` : String(speed);
}
