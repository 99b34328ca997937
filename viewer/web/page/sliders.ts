// Params as sliders, with the value as a field beside it. The range is guessed from the value in the scenario file.

import { button, h, icon } from "./dom.ts";
import type { Param } from "./protocol.ts";

/** What a slider goes through. */
export interface Range {
  min: number;
  max: number;
  step: number;
  /** Digits behind the point. */
  digits: number;
}

/** Number of steps from one end of a slider to the other, about. */
const STEPS = 200;

const INTEGER = /^[+-]?\d+$/;

/** Guesses the range of a param from its value in the file: from 0 to about twice the value, so that it goes both ways. */
export function guessRange(written: string): Range {
  const value = Number(written);
  const integer = INTEGER.test(written);
  const width = value === 0 ? (integer ? 10 : 1) : nice(2 * Math.abs(value));
  const min = value < 0 || (value === 0 && !integer) ? -width : 0;
  const max = value < 0 ? 0 : width;
  const step = integer ? 1 : nice(((max - min) / STEPS) * 0.999);
  return { min, max, step, digits: integer ? 0 : Math.max(1, Math.ceil(-Math.log10(step) - 1e-9)) };
}

/** The smallest of 1, 2 and 5 times a power of ten that is at least `x`. */
function nice(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= x * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Returns the value as it is written in a scenario: a float keeps its point. */
export function writtenValue(value: number, range: Range): string {
  return value.toFixed(range.digits);
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
  #range: Range | undefined;

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
    if (this.#range === undefined || written !== this.#written) {
      this.#written = written;
      this.#range = param.number === null ? undefined : guessRange(written);
    }
    if (document.activeElement !== this.#field) {
      this.#field.value = param.value;
    }
    this.#reset.hidden = param.value === written;
    this.#reset.title = `Back to ${written}, the value in the file`;
    if (this.#slider !== undefined && this.#range !== undefined) {
      const value = param.number ?? 0;
      const { min, max, step } = this.#range;
      // Without this order, browsers clamp the value to the range of before.
      this.#slider.min = String(Math.min(min, value));
      this.#slider.max = String(Math.max(max, value));
      this.#slider.step = String(step);
      if (!this.#sliding) {
        this.#slider.value = param.value;
      }
    }
  }

  /** Whether the slider is being dragged: then its place is newer than what the world tells. */
  get #sliding(): boolean {
    return this.#slider?.matches(":active") === true;
  }

  #slide(): void {
    if (this.#slider !== undefined && this.#range !== undefined) {
      const text = writtenValue(Number(this.#slider.value), this.#range);
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
