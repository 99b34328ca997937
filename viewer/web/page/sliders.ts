// Params as sliders, with the value as a field beside it.

import { button, h, icon } from "./dom.ts";
import type { Param, ParamRange } from "./protocol.ts";

/** Number of steps of a logarithmic slider. */
const LOG_STEPS = 200;

/** Returns where a value is on a slider of a range, and the other way round. */
function onSlider(value: number, range: ParamRange): number {
  return range.isLog ? Math.log10(value) : value;
}

/** Returns the value at a place of a slider as it is written in a scenario: a float keeps its point. */
export function textOnSlider(place: number, range: ParamRange): string {
  if (range.isInteger) {
    return String(Math.round(range.isLog ? 10 ** place : place));
  }
  if (range.isLog) {
    const text = String(Number((10 ** place).toPrecision(3)));
    return /[.e]/.test(text) ? text : `${text}.0`;
  }
  return place.toFixed(Math.max(1, Math.ceil(-Math.log10(range.step) - 1e-9)));
}

/** A row with the name of a param, its slider and its value. */
export class ParamRow {
  readonly element: HTMLElement;
  readonly #field: HTMLInputElement;
  readonly #slider: HTMLInputElement | undefined;
  readonly #reset: HTMLButtonElement;
  readonly #set: (value: string) => void;
  /** The value in the file, or the first one if it has none there. */
  #written: string;
  #range: ParamRange | undefined;

  /** `set` is called with each value that the user chooses. */
  constructor(param: Param, set: (value: string) => void) {
    this.#written = param.written ?? param.value;
    this.#set = set;
    const label = param.group === "" ? param.name : `${param.group}.${param.name}`;
    const id = `param-${label.replace(/[^\w-]/g, "_")}`;
    this.#field = h("input", {
      id,
      class: "param-value",
      spellcheck: "false",
      autocomplete: "off",
      inputmode: param.number !== null ? "decimal" : "text",
      onchange: () => set(this.#field.value.trim()),
    });
    if (param.number !== null) {
      this.#slider = h("input", {
        type: "range",
        "aria-label": `${label}, slider`,
        oninput: () => this.#slide(),
      });
    }
    this.#reset = button(icon("restart"), `Set ${label} back to the value in the file`, () => set(this.#written), {
      class: "quiet",
    });
    this.element = h(
      "div",
      { class: "param" },
      h("label", { for: id }, param.name),
      this.#slider,
      this.#field,
      this.#reset,
    );
    this.update(param);
  }

  /** Shows the present value. What the user is typing stays. */
  update(param: Param): void {
    const written = param.written ?? this.#written;
    this.#written = written;
    this.#range = param.range ?? undefined;
    if (document.activeElement !== this.#field) {
      this.#field.value = param.value;
    }
    this.#reset.hidden = param.value === written;
    this.#reset.title = `Back to ${written}, the value in the file`;
    if (this.#slider !== undefined && this.#range !== undefined) {
      const value = param.number ?? 0;
      const range = this.#range;
      const place = onSlider(range.isLog && value <= 0 ? range.min : value, range);
      const [min, max] = [onSlider(range.min, range), onSlider(range.max, range)];
      // Without this order, browsers clamp the value to the range of before.
      this.#slider.min = String(Math.min(min, place));
      this.#slider.max = String(Math.max(max, place));
      this.#slider.step = String(range.isLog ? (max - min) / LOG_STEPS : range.step);
      if (!this.#sliding) {
        this.#slider.value = range.isLog ? String(place) : param.value;
      }
    }
  }

  /** Whether the slider is being dragged: then its place is newer than what the world tells. */
  get #sliding(): boolean {
    return this.#slider?.matches(":active") === true;
  }

  #slide(): void {
    if (this.#slider !== undefined && this.#range !== undefined) {
      const text = textOnSlider(Number(this.#slider.value), this.#range);
      this.#field.value = text;
      this.#set(text);
    }
  }
}

/** Rows for params, made anew only when other params come. */
export class ParamRows {
  readonly element = h("div", { class: "params" });
  readonly #set: (param: Param, value: string) => void;
  #rows = new Map<string, ParamRow>();
  #shown = "";

  constructor(set: (param: Param, value: string) => void) {
    this.#set = set;
  }

  update(params: Param[]): void {
    const key = JSON.stringify(params.map(({ group, name, number }) => [group, name, number !== null]));
    if (key !== this.#shown) {
      this.#shown = key;
      this.#make(params);
    }
    for (const param of params) {
      this.#rows.get(`${param.group}.${param.name}`)?.update(param);
    }
  }

  #make(params: Param[]): void {
    this.#rows = new Map(
      params.map((param) => [`${param.group}.${param.name}`, new ParamRow(param, (value) => this.#set(param, value))]),
    );
    const groups = Map.groupBy(params, (param) => param.group);
    this.element.replaceChildren(
      ...[...groups].map(([group, members]) =>
        h(
          "fieldset",
          {},
          h("legend", {}, group === "" ? "all groups" : group),
          ...members.map((param) => this.#rows.get(`${group}.${param.name}`)?.element),
        ),
      ),
    );
  }
}
