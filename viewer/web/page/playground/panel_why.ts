// The panel that explains the decision of the selected agent: each call of a primitive with its share of the force, and its cause.

import { button, h, icon, withCode } from "../dom.ts";
import type { ExplainedShare, Explanation, State, Vector } from "../protocol.ts";
import type { Actions, Panel } from "./panel.ts";

const MORE_THAN_ALL = "More than 100 % of the force: other shares pull against it.";

export class WhyPanel implements Panel {
  readonly id = "why";
  readonly label = "Why";
  readonly topics: Panel["topics"] = ["explanation"];
  readonly element: HTMLElement;
  readonly #actions: Actions;
  readonly #body = h("div");
  readonly #id: HTMLInputElement;
  readonly #follow: HTMLInputElement;
  #shown = "";

  constructor(actions: Actions) {
    this.#actions = actions;
    this.#id = h("input", {
      id: "why-agent",
      type: "number",
      min: 0,
      step: 1,
      placeholder: "id",
      onchange: () => actions.select(this.#id.value === "" ? undefined : Number(this.#id.value)),
    });
    this.#follow = h("input", {
      type: "checkbox",
      id: "why-follow",
      onchange: () => actions.world.tell("follow", this.#follow.checked),
    });
    this.element = h(
      "div",
      {},
      h(
        "div",
        { class: "row" },
        h("label", { for: "why-agent" }, "agent"),
        this.#id,
        h("label", { class: "check" }, this.#follow, "keep it in the center"),
        button(icon("close"), "Select no agent", () => actions.select(undefined), { class: "quiet" }),
      ),
      this.#body,
    );
  }

  /** Puts the cursor into the field for the id of an agent. */
  askForAgent(): void {
    this.#id.focus();
    this.#id.select();
  }

  update(state: State): void {
    if (document.activeElement !== this.#id) {
      this.#id.value = state.selected === undefined ? "" : String(state.selected);
    }
    this.#follow.checked = state.following;
    if (state.explanation === undefined) {
      return;
    }
    const key = JSON.stringify(state.explanation);
    if (key !== this.#shown) {
      this.#shown = key;
      const focused = this.#body.contains(document.activeElement) ? document.activeElement?.textContent : undefined;
      this.#body.replaceChildren(
        ...(state.explanation === null
          ? [h("p", { class: "hint" }, "Click an agent in the world, or type its id, to see what it decides and why.")]
          : this.#parts(state.explanation)),
      );
      // The rows are made anew while the world runs; a key that is about to be pressed must not lose its place.
      [...this.#body.querySelectorAll("button")].find((place) => place.textContent === focused)?.focus();
    }
  }

  #parts(explanation: Explanation): Node[] {
    const { decision, error, stopped } = explanation;
    const parts: Node[] = [h("p", { class: "headline" }, ...withCode(explanation.headline))];
    if (error !== null) {
      parts.push(h("pre", { class: "errors" }, error));
    }
    if (stopped) {
      parts.push(h("p", {}, "It has stopped after its last goal."));
    }
    if (decision !== null) {
      parts.push(this.#calls(decision, explanation.skipped));
    }
    parts.push(facts(explanation));
    return parts;
  }

  #calls(decision: NonNullable<Explanation["decision"]>, skipped: Explanation["skipped"]): HTMLElement {
    const rows = [
      ...decision.calls.map((call) => this.#row(call.primitive, call, call.cause?.text ?? "")),
      ...decision.variables.map((one) => this.#row(one.name, { ...one, raw: one.value }, one.causes.map(({ text }) => text).join("; "))),
    ];
    const unnamed = decision.rest?.unnamed ?? undefined;
    if (unnamed !== undefined) {
      const isAll = decision.variables.length === 0;
      rows.push(row("rest", undefined, isAll ? (decision.rest?.fraction ?? null) : null, vector(unnamed), "", undefined, false));
    }
    for (const { names, file, line, column, text } of skipped) {
      rows.push(row(names.join(", "), undefined, null, "", `not called: ${text}`, this.#line(file, line, column), false));
    }
    const table = h(
      "table",
      { class: "why" },
      h("caption", { class: "unseen" }, "Calls of primitives and variables of the script, and their shares of the force"),
      h(
        "thead",
        {},
        h("tr", {}, ...["call or variable", "share of the force, and its cause", "", "line"].map((title) => h("th", { scope: "col" }, title))),
      ),
      h("tbody", {}, ...rows),
    );
    const isMore = [...decision.calls, ...decision.variables, decision.rest].some((one) => Math.abs(one?.fraction ?? 0) > 1.005);
    return h("div", {}, table, isMore ? h("p", { class: "hint" }, MORE_THAN_ALL) : undefined);
  }

  #row(name: string, share: ExplainedShare, cause: string): HTMLElement {
    const line = this.#line(share.file, share.line, share.column);
    const weight = share.weight === null || share.weight === 1 ? "" : `${number(share.weight)} x `;
    const force = share.share ?? share.raw;
    const value = weight === "" ? vector(force) : `${vector(force)} = ${weight}${vector(share.raw)}`;
    return row(name, share.color, share.fraction, value, cause, line, share.dominant);
  }

  /** A button that opens a line of a script. */
  #line(file: string | null, line: number | null, column: number | null): HTMLElement | undefined {
    if (file === null || line === null) {
      return undefined;
    }
    const onclick = (): void => this.#actions.openFile(file, line, column ?? 1);
    return h("button", { type: "button", class: "link", title: `${file}:${line}:${column ?? 1}`, onclick }, `${file.replace(/^.*\//, "")}:${line}`);
  }
}

function row(
  name: string,
  color: number | undefined,
  fraction: number | null,
  value: string,
  cause: string,
  line: HTMLElement | undefined,
  dominant: boolean,
): HTMLElement {
  const percent = fraction === null ? undefined : Math.round(fraction * 100);
  // A share can be more than the whole, if others pull the other way.
  const width = Math.min(Math.abs(percent ?? 0), 100) / 2;
  const bar = h("span", { class: "bar" }, h("span", {}));
  bar.firstElementChild?.setAttribute("style", `width: ${width}%; ${(percent ?? 0) < 0 ? "right" : "left"}: 50%`);
  return h(
    "tr",
    { class: `${dominant ? "dominant" : ""} ${color === undefined ? "" : `force-${color}`}`.trim(), title: value },
    h("th", { scope: "row" }, color === undefined ? undefined : h("span", { class: "arrow" }), name),
    h("td", {}, value === "" ? undefined : bar, h("span", { class: "cause" }, ...withCode(cause)), " ", h("span", { class: "value" }, value)),
    h("td", { class: "percent" }, percent === undefined ? "" : `${percent} %`),
    h("td", {}, line),
  );
}

function facts(explanation: Explanation): HTMLElement {
  const { decision, body, goal } = explanation;
  const list: [string, string][] = [
    ["position", vector(explanation.position)],
    ["velocity", `${vector(explanation.velocity)}, speed ${number(explanation.speed)}${of(body.max_speed)}`],
  ];
  if (decision?.force) {
    const wanted = decision.wanted_force;
    const cut = wanted !== null && vector(wanted) !== vector(decision.force) ? `, cut from ${vector(wanted)}` : "";
    list.push(["force", `${vector(decision.force)}${cut}${body.max_force === null ? "" : `, max_force ${number(body.max_force)}`}`]);
  }
  if (goal !== null) {
    list.push(["goal", `${number(goal.distance)} away`]);
  }
  for (const [what, values] of [["params", explanation.params], ["state", explanation.state]] as const) {
    const entries = Object.entries(values);
    if (entries.length > 0) {
      list.push([what, entries.map(([name, value]) => `${name} = ${plain(value)}`).join(", ")]);
    }
  }
  for (const choice of decision?.choices ?? []) {
    list.push(["choice", choice.text]);
  }
  return h("dl", { class: "facts" }, ...list.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

function of(limit: number | null): string {
  return limit === null ? "" : ` of ${number(limit)}`;
}

/** Four digits, as in the window. */
function number(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function vector([x, y]: Vector): string {
  return `(${number(x)}, ${number(y)})`;
}

function plain(value: unknown): string {
  return typeof value === "number" ? number(value) : JSON.stringify(value);
}
