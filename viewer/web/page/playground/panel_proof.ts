// The panel with the hash of the state, and with goldens: recordings of runs, with which later runs are compared.

import { h, setText, withCode } from "../dom.ts";
import type { Compared, State } from "../protocol.ts";
import { changed } from "../sliders.ts";
import type { Actions, Panel } from "./panel.ts";

export class ProofPanel implements Panel {
  readonly id = "proof";
  readonly label = "Proof";
  readonly topics: Panel["topics"] = ["hash", "params"];
  readonly element: HTMLElement;
  readonly #actions: Actions;
  readonly #recorded: (golden: string) => void;
  /** The golden that runs are compared with, if one was recorded or opened. */
  #golden: string | undefined;
  readonly #hash = h("code", { class: "hash" });
  readonly #tick = h("span");
  readonly #version = h("span");
  readonly #outdated: HTMLElement;
  readonly #outdatedText = h("span");
  readonly #unwritten: HTMLElement;
  readonly #unwrittenText = h("span");
  readonly #write: HTMLButtonElement;
  readonly #result = h("div", { class: "result", role: "status" });
  readonly #compare: HTMLButtonElement;
  readonly #save: HTMLButtonElement;

  /** `recorded` is called with a new golden; `save` offers one as a file. */
  constructor(actions: Actions, recorded: (golden: string) => void, save: (golden: string) => void) {
    this.#actions = actions;
    this.#recorded = recorded;
    this.#compare = h("button", { type: "button", onclick: () => void this.#compareGolden() }, "Compare with the golden");
    this.#save = h("button", { type: "button", onclick: () => this.#golden !== undefined && save(this.#golden) }, "Save the golden");
    this.#write = h("button", { type: "button", onclick: () => actions.writeParams() }, "Write into the scenario");
    this.#outdated = h(
      "p",
      { class: "row warning", hidden: true },
      this.#outdatedText,
      h("button", { type: "button", onclick: () => actions.restart() }, "Start again"),
    );
    this.#unwritten = h("p", { class: "row warning", hidden: true }, this.#unwrittenText, this.#write);
    this.element = h(
      "div",
      {},
      h("p", {}, "State hash ", this.#tick, ": ", this.#hash),
      this.#outdated,
      h(
        "p",
        { class: "hint" },
        ...withCode(
          "The hash is computed from the exact state of all agents. It is the same on every machine: `flockwork run` prints it for the last tick. ",
        ),
        this.#version,
      ),
      h(
        "p",
        { class: "hint" },
        "A golden is a recording of a run. Later runs are compared with it: record one, change something, and compare. You see the first tick, agent and line that differ.",
      ),
      this.#unwritten,
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", onclick: () => void this.#record() }, "Record a golden"),
        this.#compare,
        this.#save,
      ),
      this.#result,
    );
    this.#showButtons();
  }

  update(state: State): void {
    if (state.hash !== undefined) {
      setText(this.#tick, `at tick ${state.tick}`);
      setText(this.#hash, state.hash);
    }
    this.#showDifferences(state);
    if (this.#version.textContent === "") {
      this.#actions.world
        .call("version")
        .then((version) => setText(this.#version, `This page has Flockwork ${version}.`))
        .catch(() => undefined);
    }
    this.#showButtons();
  }

  get golden(): string | undefined {
    return this.#golden;
  }

  /** Takes the golden of the scenario that runs. What was compared with another one is shown no longer. */
  set golden(golden: string | undefined) {
    if (golden !== this.#golden) {
      this.#golden = golden;
      this.clearResult();
      this.#showButtons();
    }
  }

  /** The files have changed, so the last comparison is outdated. */
  clearResult(): void {
    this.#result.replaceChildren();
  }

  /** Says what distinguishes the run that is shown from a run of the files. */
  #showDifferences(state: State): void {
    const { changedAt, project } = this.#actions;
    this.#outdated.hidden = changedAt === undefined;
    if (changedAt !== undefined) {
      setText(this.#outdatedText, `Files or params were changed at tick ${changedAt}. A run from the start has another hash.`);
    }
    if (state.params !== undefined) {
      const hasParams = state.params.some(changed);
      this.#unwritten.hidden = !hasParams && project.seed === undefined;
      this.#write.hidden = !hasParams;
      const texts = [
        hasParams ? "The sliders are not part of the files, so a golden does not have their values: write them into the scenario first." : "",
        project.seed === undefined ? "" : "The seed in the panel Params is not part of the files either: a golden is recorded with that of the scenario.",
      ];
      setText(this.#unwrittenText, texts.join(" ").trim().replace(hasParams ? "" : " either", ""));
    }
  }

  async #record(): Promise<void> {
    await this.#during(async () => {
      this.#golden = await this.#actions.world.call("recordGolden");
      this.#recorded(this.#golden);
      return [h("p", {}, "The golden is recorded. It is in the project when you download it.")];
    });
  }

  async #compareGolden(): Promise<void> {
    const golden = this.#golden;
    if (golden !== undefined) {
      await this.#during(async () => this.#comparison(await this.#actions.world.call("compare", golden)));
    }
  }

  #comparison(compared: Compared): Node[] {
    const { passed, same, tick, agent, file, line, text } = compared;
    const sentence = same
      ? passed
        ? "The run is the same as the golden, to the bit."
        : "The run is the same as the golden, to the bit, but the test fails."
      : passed
        ? "The run differs from the golden, but not more than the scenario allows."
        : "The run differs from the golden.";
    const parts: Node[] = [h("p", { class: passed ? "passed" : "failed" }, h("strong", {}, sentence))];
    const links: Node[] = [];
    if (!same && tick !== undefined && tick !== null) {
      const place = `tick ${tick}${agent === undefined || agent === null ? "" : ` and select agent ${agent}`}`;
      links.push(h("button", { type: "button", onclick: () => this.#goTo(tick, agent ?? undefined) }, `Go to ${place}`));
    }
    if (!same && file && line) {
      const name = `${file.replace(/^.*\//, "")}:${line}`;
      links.push(h("button", { type: "button", onclick: () => this.#actions.openFile(file, line, 1) }, `Open ${name}`));
    }
    if (links.length > 0) {
      parts.push(h("div", { class: "row" }, ...links));
    }
    if (text.trim() !== "") {
      parts.push(h("details", {}, h("summary", {}, "The whole text"), h("pre", {}, text.trim())));
    }
    return parts;
  }

  #goTo(tick: number, agent: number | undefined): void {
    const { end } = this.#actions.world.state ?? { end: 0 };
    this.#actions.goTo(tick);
    if (agent !== undefined) {
      this.#actions.select(agent);
    }
    if (tick > end) {
      this.#actions.say(`The world has not come to tick ${tick} yet: play on from here.`);
    } else if (this.#actions.changedAt !== undefined) {
      this.#actions.say("Files or params were changed during this run: start again to see the run that was compared.");
    }
  }

  async #during(run: () => Promise<Node[]>): Promise<void> {
    this.#result.replaceChildren(h("p", {}, "The scenario runs to its end..."));
    try {
      this.#result.replaceChildren(...(await run()));
    } catch (error) {
      this.#result.replaceChildren(h("pre", {}, error instanceof Error ? error.message : String(error)));
    }
    this.#result.scrollIntoView({ block: "nearest" });
    this.#showButtons();
  }

  #showButtons(): void {
    this.#compare.disabled = this.#golden === undefined;
    this.#save.disabled = this.#golden === undefined;
  }
}
