// The panel with what the scenario expects, and whether it holds so far.

import { h } from "../dom.ts";
import type { Expectation, State } from "../protocol.ts";
import type { Actions, Panel } from "./panel.ts";

const MARKS: Record<Expectation["state"], [sign: string, words: string]> = {
  holds: ["✓", "holds so far"],
  "nearly failed": ["!", "holds so far, nearly failed"],
  failed: ["✗", "failed"],
  "not yet": ["○", "not judged yet"],
  "not judged": ["○", "not judged"],
};

export class ExpectationsPanel implements Panel {
  readonly id = "expectations";
  readonly label = "Expectations";
  readonly topics: Panel["topics"] = ["expectations"];
  readonly element = h("div");
  readonly #actions: Actions;
  #shown = "";
  #failed = 0;

  constructor(actions: Actions) {
    this.#actions = actions;
  }

  record(state: State): void {
    if (state.expectations !== undefined) {
      this.#failed = state.expectations.filter((expectation) => expectation.state === "failed").length;
    }
  }

  update({ expectations }: State): void {
    const key = JSON.stringify(expectations);
    if (expectations === undefined || key === this.#shown) {
      return;
    }
    this.#shown = key;
    this.element.replaceChildren(
      expectations.length === 0
        ? h("p", { class: "hint" }, "This scenario expects nothing. Write what must hold into it, such as expect: [MaxSpeed(speed: 80)].")
        : h("ul", { class: "expectations" }, ...expectations.map((one) => this.#item(one))),
    );
  }

  badge(): string | undefined {
    return this.#failed === 0 ? undefined : `${this.#failed} ✗`;
  }

  reset(): void {
    this.#failed = 0;
  }

  #item({ text, state, tick, agent, why }: Expectation): HTMLElement {
    const [sign, words] = MARKS[state];
    const go = () => {
      this.#actions.goTo(tick ?? 0);
      if (agent !== null) {
        this.#actions.select(agent);
      }
    };
    return h(
      "li",
      { class: state.replace(" ", "-") },
      h("span", { class: "mark", "aria-hidden": "true" }, sign),
      h("code", {}, text),
      h("span", { class: "state" }, words),
      why === null
        ? undefined
        : h("p", {}, why, " ", tick === null ? undefined : h("button", { type: "button", class: "link", onclick: go }, `Go to tick ${tick}`)),
    );
  }
}
