// The panel with what scripts print, and with notices of the world.

import { h } from "../dom.ts";
import type { Message, State } from "../protocol.ts";
import type { Actions, Panel } from "./panel.ts";

/** Lines that are shown. */
const SHOWN_LINES = 200;

export class LogPanel implements Panel {
  readonly id = "log";
  readonly label = "Log";
  readonly topics: Panel["topics"] = ["messages"];
  readonly element: HTMLElement;
  readonly #actions: Actions;
  readonly #filter: HTMLInputElement;
  readonly #list = h("ol", { class: "log", role: "log", tabindex: 0, "aria-label": "Messages of scripts" });
  readonly #hint = h("p", { class: "hint" }, "What scripts print with debug(...) appears here.");
  #lines: Message[] = [];
  /** What is shown, by message: an element that stays can be clicked while others come. */
  #shown = new Map<string, HTMLElement>();
  #stale = false;

  constructor(actions: Actions) {
    this.#actions = actions;
    this.#filter = h("input", {
      type: "search",
      placeholder: "only lines with ...",
      "aria-label": "Show only lines with this text",
      oninput: () => this.#show(),
    });
    this.element = h(
      "div",
      { class: "log-panel" },
      h("div", { class: "row" }, this.#filter),
      this.#hint,
      this.#list,
    );
  }

  /** Takes messages also while the panel is hidden. */
  record(state: State): void {
    if (state.messages !== undefined) {
      this.#lines = state.messages;
      this.#stale = true;
    }
  }

  update(): void {
    if (this.#stale) {
      this.#show();
    }
  }

  badge(): string | undefined {
    return this.#lines.length === 0 ? undefined : this.#lines.length > 99 ? "99+" : String(this.#lines.length);
  }

  reset(): void {
    this.#lines = [];
    this.#show();
  }

  #show(): void {
    this.#stale = false;
    const text = this.#filter.value.toLowerCase();
    const lines = this.#lines.filter((line) => line.text.toLowerCase().includes(text)).slice(-SHOWN_LINES);
    const atEnd = this.#list.scrollHeight - this.#list.scrollTop - this.#list.clientHeight < 30;
    this.#hint.hidden = this.#lines.length > 0;
    const shown = new Map<string, HTMLElement>();
    for (const line of lines) {
      const key = this.#key(line, shown);
      shown.set(key, this.#shown.get(key) ?? this.#line(line));
    }
    this.#shown = shown;
    const staying = new Set<Element>(shown.values());
    [...this.#list.children].filter((element) => !staying.has(element)).forEach((element) => element.remove());
    [...shown.values()].forEach((element, index) => {
      if (this.#list.children[index] !== element) {
        this.#list.insertBefore(element, this.#list.children[index] ?? null);
      }
    });
    if (atEnd) {
      this.#list.scrollTop = this.#list.scrollHeight;
    }
  }

  /** What tells a message from all others that are shown, also if an agent prints the same twice. */
  #key({ tick, agent, place, text }: Message, shown: Map<string, HTMLElement>): string {
    const key = JSON.stringify([tick, agent, place, text]);
    let count = 0;
    while (shown.has(`${key}${count}`)) {
      count += 1;
    }
    return `${key}${count}`;
  }

  #line({ tick, agent, place, text }: Message): HTMLElement {
    const go = h(
      "button",
      {
        type: "button",
        class: "link",
        title: "Go to this tick",
        onclick: () => {
          this.#actions.goTo(tick);
          if (agent !== null) {
            this.#actions.select(agent);
          }
        },
      },
      agent === null ? `tick ${tick}` : `tick ${tick}, agent ${agent}`,
    );
    return h("li", {}, go, " ", h("span", {}, text), h("span", { class: "place" }, ` ${place}`));
  }
}
