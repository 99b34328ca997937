// The panel with plots of measures over time.

import { h, setText, svg } from "../dom.ts";
import type { State } from "../protocol.ts";
import type { Actions, Panel } from "./panel.ts";
import { type Point, Series } from "./series.ts";

const WIDTH = 600;
const HEIGHT = 90;

/** The measures that are plotted at first, as far as the world has them. */
const AT_FIRST = ["mean_speed", "polarization", "closest_pair"];

export class PlotsPanel implements Panel {
  readonly id = "plots";
  readonly label = "Plots";
  readonly topics: Panel["topics"] = ["measures"];
  readonly element: HTMLElement;
  readonly #actions: Actions;
  #series = new Series();
  /** Those of the run before this one. */
  #before = new Series();
  /** Ticks at which params were changed. */
  #changes: number[] = [];
  #params: string | undefined;
  readonly #list = h("div", { class: "choices", role: "group", "aria-label": "Measures to plot" });
  readonly #body = h("div", { class: "plots" });
  readonly #plots = new Map<string, Plot>();
  #known = "";
  #end = -1;

  constructor(actions: Actions) {
    this.#actions = actions;
    this.element = h("div", {}, h("details", {}, h("summary", {}, "Choose what to plot"), this.#list), this.#body);
  }

  /** Takes samples also while the panel is hidden. */
  record(state: State): void {
    if (state.end < this.#end) {
      this.#series.dropAfter(state.end);
      this.#changes = this.#changes.filter((tick) => tick <= state.end);
    }
    this.#end = state.end;
    this.#series.add(state.samples ?? []);
    if (state.params !== undefined) {
      const params = JSON.stringify(state.params.map(({ group, name, value }) => [group, name, value]));
      if (this.#params !== undefined && params !== this.#params && this.#changes.at(-1) !== state.tick) {
        this.#changes.push(state.tick);
      }
      this.#params = params;
    }
  }

  update(state: State): void {
    this.#updateList();
    const last = Math.max(state.ticks, state.end);
    for (const [name, plot] of this.#plots) {
      const before = this.#before.points(name, WIDTH / 2);
      plot.update(this.#series.points(name, WIDTH / 2), before, this.#series.value(name, state.tick), state, last);
      plot.markChanges(this.#changes);
    }
  }

  reset(same: boolean): void {
    if (!same) {
      this.#before.clear();
    } else if (this.#end > 1) {
      // A run that has hardly begun is no run to compare with.
      this.#before = this.#series;
    }
    this.#series = new Series();
    this.#end = -1;
    this.#changes = [];
    this.#params = undefined;
  }

  #updateList(): void {
    const names = [...this.#series.units.keys()];
    const key = names.join("\n");
    if (key === this.#known) {
      return;
    }
    const chosen = this.#known === "" ? AT_FIRST : [...this.#plots.keys()];
    this.#known = key;
    const shown = names.filter((name) => chosen.includes(name));
    this.#list.replaceChildren(
      ...names.map((name) => {
        const box = h("input", { type: "checkbox", onchange: () => this.#choose(name, box.checked) });
        box.checked = shown.includes(name) || (shown.length === 0 && name === names[0]);
        return h("label", { class: "check" }, box, name.replaceAll("_", " "));
      }),
    );
    this.#plots.clear();
    this.#body.replaceChildren();
    (shown.length === 0 ? names.slice(0, 1) : shown).forEach((name) => this.#choose(name, true));
  }

  #choose(name: string, on: boolean): void {
    if (on && !this.#plots.has(name)) {
      const plot = new Plot(name, this.#series.units.get(name) ?? "", (tick) => this.#actions.goTo(tick));
      this.#plots.set(name, plot);
      this.#body.append(plot.element);
    } else if (!on) {
      this.#plots.get(name)?.element.remove();
      this.#plots.delete(name);
    }
    const state = this.#actions.world.state;
    if (state !== undefined) {
      this.update(state);
    }
  }
}

class Plot {
  readonly element: HTMLElement;
  readonly #unit: string;
  readonly #value = h("span", { class: "plot-value" });
  readonly #line = svg("path", { class: "plot-line", fill: "none", "vector-effect": "non-scaling-stroke" });
  readonly #before = svg("path", { class: "plot-before", fill: "none", "vector-effect": "non-scaling-stroke" });
  readonly #changes = svg("path", { class: "plot-change", "vector-effect": "non-scaling-stroke" }, svg("title", {}, "A param was changed"));
  readonly #cursor = svg("line", { class: "plot-cursor", y1: 0, y2: HEIGHT, "vector-effect": "non-scaling-stroke" });
  readonly #high = h("span", { class: "plot-high" });
  readonly #low = h("span", { class: "plot-low" });
  #range = { first: 0, last: 1, end: 0 };

  constructor(name: string, unit: string, goTo: (tick: number) => void) {
    this.#unit = unit;
    const picture = svg(
      "svg",
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        preserveAspectRatio: "none",
        "aria-hidden": "true",
        onclick: (event: MouseEvent) => {
          const box = picture.getBoundingClientRect();
          const { first, last, end } = this.#range;
          goTo(Math.min(Math.round(first + ((event.clientX - box.left) / box.width) * (last - first)), end));
        },
      },
      this.#before,
      this.#changes,
      this.#line,
      this.#cursor,
    );
    this.element = h(
      "figure",
      { class: "plot" },
      h("figcaption", {}, name.replaceAll("_", " "), " ", this.#value),
      h("div", { class: "plot-area" }, picture, this.#high, this.#low),
    );
  }

  /** Draws the points of this run and, pale, those of the one before it. */
  update(points: Point[], before: Point[], now: number | undefined, state: State, last: number): void {
    this.#range = { first: state.firstTick, last, end: state.end };
    setText(this.#value, now === undefined ? "" : `${short(now)} ${this.#unit}`.trim());
    const values = [...points, ...before].map(({ value }) => value);
    let low = values.reduce((a, b) => Math.min(a, b), Infinity);
    let high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    setText(this.#high, values.length === 0 ? "" : short(high));
    setText(this.#low, values.length === 0 ? "" : short(low));
    if (high - low < 1e-9 * Math.max(Math.abs(high), 1)) {
      [low, high] = [low - 1, high + 1];
    }
    const x = (tick: number) => this.#x(tick);
    const y = (value: number) => (4 + (1 - (value - low) / (high - low)) * (HEIGHT - 8)).toFixed(1);
    const path = (of: Point[]) => of.map(({ tick, value }, index) => `${index === 0 ? "M" : "L"}${x(tick)} ${y(value)}`).join("");
    this.#line.setAttribute("d", path(points));
    this.#before.setAttribute("d", path(before.filter(({ tick }) => tick <= last)));
    this.#cursor.setAttribute("x1", x(state.tick));
    this.#cursor.setAttribute("x2", x(state.tick));
  }

  /** Draws a line at each of these ticks. */
  markChanges(ticks: number[]): void {
    this.#changes.setAttribute("d", ticks.map((tick) => `M${this.#x(tick)} 0V${HEIGHT}`).join(""));
  }

  #x(tick: number): string {
    const { first, last } = this.#range;
    return (((tick - first) / Math.max(last - first, 1)) * WIDTH).toFixed(1);
  }
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
