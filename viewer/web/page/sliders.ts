// Params as sliders, with the value as a field beside it, and a switch before those that are weights.

import { button, h, setText } from "./dom.ts";
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

/** A param with a value that the user has set and not written. */
type ChangedParam = Param & { unwritten: string };

/** Whether the user has set a param to another value than that in its file. At a tick before, it can still have that one. */
export function changed(param: Param): param is ChangedParam {
  return param.unwritten !== null;
}

/** The name of a param with its group. */
export function nameOf({ group, name }: Param): string {
  return group === "" ? name : `${group}.${name}`;
}

/** Says which values are written into a scenario. */
export function toWrite(params: ChangedParam[]): string {
  return params.map((param) => `${nameOf(param)} = ${param.unwritten}`).join(", ");
}

/** What the user does with params. */
export interface ParamActions {
  set(param: Param, value: string): void;
  /** Switches a weight off, or on again. */
  switchWeight(param: Param): void;
  /** Leaves only this weight of its group on; again: all are on. */
  onlyWeight(param: Param): void;
  /** Writes the value into the scenario, where this is offered for each param. */
  write?(param: Param): void;
}

/** A row with the name of a param, its slider and its value. */
export class ParamRow {
  readonly element: HTMLElement;
  readonly #field: HTMLInputElement;
  readonly #slider: HTMLInputElement | undefined;
  readonly #reset: HTMLButtonElement;
  readonly #write: HTMLButtonElement | undefined;
  /** The switch of a weight. */
  readonly #switch: HTMLInputElement | undefined;
  readonly #set: (value: string) => void;
  /** The value in the file, or the first one if it has none there. */
  #written: string;
  #range: ParamRange | undefined;
  #param: Param;

  constructor(param: Param, actions: ParamActions, hasOtherWeights: boolean) {
    const set = (value: string) => actions.set(param, value);
    this.#written = param.written ?? param.value;
    this.#param = param;
    this.#set = set;
    const label = nameOf(param);
    const id = `param-${label.replace(/[^\w-]/g, "_")}`;
    const comment =
      param.comment === null ? undefined : h("span", { id: `${id}-comment`, class: "param-comment", role: "tooltip" }, param.comment);
    const described = comment === undefined ? {} : { "aria-describedby": comment.id };
    this.#field = h("input", {
      id,
      ...described,
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
        ...described,
        oninput: () => this.#slide(),
      });
    }
    this.#reset = button("reset", `Set ${label} back to the value in the file`, () => set(this.#written), { class: "quiet param-reset" });
    if (actions.write !== undefined) {
      this.#write = button("write", `Write ${label}`, () => actions.write?.(this.#param), { class: "quiet param-write" });
    }
    let only: HTMLButtonElement | undefined;
    if (param.isWeight) {
      this.#switch = h("input", {
        type: "checkbox",
        role: "switch",
        class: "param-switch",
        "aria-label": `${label}, switch`,
        title: "Switch this weight off (0), or on again",
        onchange: () => actions.switchWeight(param),
      });
    }
    if (hasOtherWeights) {
      const choose = () => {
        // Pages hear of it as of the other controls.
        this.element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
        actions.onlyWeight(param);
      };
      only = button("only", `Only ${label}, without the other weights; again: all`, choose, { class: "quiet param-only" });
    }
    this.element = h(
      "div",
      { class: "param" },
      h("span", { class: "param-name" }, this.#switch, h("label", { for: id }, param.name), only, comment),
      this.#slider,
      this.#field,
      this.#reset,
      this.#write,
    );
    this.update(param);
  }

  /** Shows the present value. What the user is typing stays. */
  update(param: Param): void {
    const written = param.written ?? this.#written;
    this.#written = written;
    this.#param = param;
    // At a tick before a change, it has the value of then.
    this.element.classList.toggle("is-before", param.value !== (param.unwritten ?? written));
    if (this.#write !== undefined) {
      this.#write.hidden = !changed(param);
      if (changed(param)) {
        // At a tick before, the param has another value than the one that is written.
        setText(this.#write, param.value === param.unwritten ? "write" : `write ${param.unwritten}`);
        const whose = param.group === "" ? ", for all groups that have no value of their own" : "";
        this.#write.title = `Write ${toWrite([param])} into the scenario${whose}`;
      }
    }
    this.#range = param.range ?? undefined;
    if (document.activeElement !== this.#field) {
      this.#field.value = param.value;
    }
    this.#reset.hidden = param.value === written;
    this.#reset.title = `Back to ${written}, the value in the file`;
    this.element.classList.toggle("is-off", param.isOff);
    if (this.#switch !== undefined) {
      this.#switch.checked = !param.isOff;
    }
    if (this.#slider !== undefined && this.#range !== undefined) {
      // The slider of a weight that is switched off stays at the value that it comes back to.
      const back = param.isOff && param.before !== null ? param.before : undefined;
      const value = back === undefined ? (param.number ?? 0) : Number(back);
      const range = this.#range;
      const place = onSlider(range.isLog && value <= 0 ? range.min : value, range);
      const [min, max] = [onSlider(range.min, range), onSlider(range.max, range)];
      // Without this order, browsers clamp the value to the range of before.
      this.#slider.min = String(Math.min(min, place));
      this.#slider.max = String(Math.max(max, place));
      this.#slider.step = String(range.isLog ? (max - min) / LOG_STEPS : range.step);
      if (!this.#sliding) {
        this.#slider.value = range.isLog ? String(place) : (back ?? param.value);
      }
      if (back === undefined) {
        this.#slider.removeAttribute("aria-valuetext");
      } else {
        this.#slider.setAttribute("aria-valuetext", `off; ${back} when it is on`);
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
  readonly #actions: ParamActions;
  #rows = new Map<string, ParamRow>();
  #shown = "";

  constructor(actions: ParamActions) {
    this.#actions = actions;
  }

  update(params: Param[]): void {
    const key = JSON.stringify(
      params.map(({ group, name, number, isWeight, comment }) => [group, name, number !== null, isWeight, comment]),
    );
    if (key !== this.#shown) {
      this.#shown = key;
      this.#make(params);
    }
    for (const param of params) {
      this.#rows.get(`${param.group}.${param.name}`)?.update(param);
    }
  }

  #make(params: Param[]): void {
    const groups = Map.groupBy(params, (param) => param.group);
    const isOneOfSeveral = ({ group, isWeight }: Param) => isWeight && (groups.get(group) ?? []).filter((param) => param.isWeight).length > 1;
    this.#rows = new Map(
      params.map((param) => [`${param.group}.${param.name}`, new ParamRow(param, this.#actions, isOneOfSeveral(param))]),
    );
    this.element.replaceChildren(
      ...[...groups].map(([group, members]) =>
        h(
          "fieldset",
          members.some((param) => param.isWeight) ? { class: "has-switches" } : {},
          h("legend", {}, group === "" ? "all groups" : group),
          ...members.map((param) => this.#rows.get(`${group}.${param.name}`)?.element),
        ),
      ),
    );
  }
}
