// The panel with params as sliders, and the seed.

import { h } from "../dom.ts";
import { ProjectError, checkedSeed } from "../project.ts";
import type { Param, State } from "../protocol.ts";
import { ParamRows, changed } from "../sliders.ts";
import type { Actions, Panel } from "./panel.ts";

export class ParamsPanel implements Panel {
  readonly id = "params";
  readonly label = "Params";
  readonly topics: Panel["topics"] = ["params"];
  readonly element: HTMLElement;
  readonly #rows: ParamRows;
  readonly #seed: HTMLInputElement;
  readonly #none = h("p", { class: "hint" });
  readonly #resetAll: HTMLButtonElement;
  readonly #write: HTMLButtonElement;
  #params: Param[] = [];

  /** `seed` is called with another seed, or with nothing for the one in the scenario; `write` writes params into the scenario. */
  constructor(actions: Actions, seed: (value: number | undefined) => void, write: () => void) {
    const { world } = actions;
    // At the start, nothing has run with the value of before: another number of agents begins there.
    const sayWhen = (what: string) => {
      if (world.state?.playing !== true && world.state?.tick !== 0) {
        actions.say(`${what} takes effect when the world goes on: play, or start again.`);
      }
    };
    const set = (param: Param, value: string) => {
      if (value !== "") {
        world
          .call("setParam", param.group, param.name, value)
          .then(() => sayWhen(`${param.name} = ${value}`))
          .catch((error: Error) => actions.say(`${param.name} cannot be ${value}: ${error.message}`));
      }
    };
    this.#rows = new ParamRows({
      set,
      switchWeight: ({ group, name }) => {
        world
          .call("switchWeight", group, name)
          .then(() => sayWhen(`The switch of ${name}`))
          .catch((error: Error) => actions.say(error.message));
      },
      onlyWeight: ({ group, name }) => {
        world
          .call("onlyWeight", group, name)
          .then((words) => (world.state?.playing === true ? actions.say(words) : sayWhen(`"${words}"`)))
          .catch((error: Error) => actions.say(error.message));
      },
    });
    this.#seed = h("input", {
      id: "seed",
      inputmode: "numeric",
      autocomplete: "off",
      placeholder: "as in the scenario",
      onchange: () => {
        try {
          const text = this.#seed.value.trim();
          seed(text === "" ? undefined : checkedSeed(Number(text)));
          this.#seed.removeAttribute("aria-invalid");
        } catch (error) {
          this.#seed.setAttribute("aria-invalid", "true");
          actions.say(error instanceof ProjectError ? error.message : String(error));
        }
      },
    });
    this.#write = h("button", { type: "button", onclick: write }, "Write into the scenario");
    this.#resetAll = h(
      "button",
      {
        type: "button",
        onclick: () => this.#params.filter(changed).forEach((param) => set(param, param.written ?? param.value)),
      },
      "Set all back",
    );
    this.element = h(
      "div",
      {},
      this.#none,
      this.#rows.element,
      h("div", { class: "row" }, this.#write, this.#resetAll),
      h("div", { class: "row" }, h("label", { for: "seed" }, "seed"), this.#seed),
      h("p", { class: "hint" }, "Params change at once. Another seed starts the world again."),
    );
  }

  update(state: State): void {
    if (state.params !== undefined) {
      this.#params = state.params;
      this.#rows.update(state.params);
      this.#none.textContent =
        state.params.length === 0 ? 'This scenario has no params. A group gets some with params: { "name": 1.0 }.' : "";
      this.#none.hidden = state.params.length > 0;
      this.#resetAll.hidden = !state.params.some(changed);
      this.#write.hidden = this.#resetAll.hidden;
    }
  }

  /** Shows the seed of a project that was opened. */
  showSeed(seed: number | undefined): void {
    this.#seed.value = seed === undefined ? "" : String(seed);
  }
}
