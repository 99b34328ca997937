// Playing: keys that a scenario listens to, while the world has the focus, and buttons for them, which fingers can hold.

import { h } from "./dom.ts";
import type { Facts, Input } from "./protocol.ts";
import type { WorldView } from "./world.ts";

/** The names of keys in scenarios that differ from `KeyboardEvent.key` in lower case. Tab is left out: it leaves the world. */
const NAMES: Record<string, string> = {
  " ": "space",
  arrowleft: "left",
  arrowright: "right",
  arrowup: "up",
  arrowdown: "down",
  pageup: "page up",
  pagedown: "page down",
};

export class Inputs {
  readonly element = h("div", { class: "inputs", hidden: true, role: "group", "aria-label": "Keys of this world" });
  readonly #world: WorldView;
  #keys = new Set<string>();
  #down = new Set<string>();
  #readsCursor = false;

  constructor(world: WorldView) {
    this.#world = world;
    const { element } = world;
    // Before all other keys of the page: what the scenario listens to is the scenario's.
    element.addEventListener("keydown", (event) => this.#key(event, true), true);
    element.addEventListener("keyup", (event) => this.#key(event, false), true);
    element.addEventListener("blur", () => [...this.#down].forEach((key) => this.#press(key, false)));
    element.addEventListener("pointermove", (event) => {
      if (this.#readsCursor) {
        const box = element.getBoundingClientRect();
        world.tell("moveCursor", { x: event.clientX - box.left, y: event.clientY - box.top });
      }
    });
    element.addEventListener("pointerleave", () => this.#readsCursor && world.tell("moveCursor", undefined));
  }

  /** Shows the keys of a world, or none. */
  update(facts: Facts | undefined): void {
    const inputs = facts?.inputs ?? [];
    this.#readsCursor = facts?.readsCursor ?? false;
    this.#keys = new Set(inputs.map(({ key }) => key));
    this.element.hidden = inputs.length === 0;
    this.element.replaceChildren(h("span", {}, "Click the world and use the keys, or hold a button:"), ...inputs.map((input) => this.#button(input)));
  }

  #key(event: KeyboardEvent, down: boolean): void {
    const lower = event.key.toLowerCase();
    const key = NAMES[lower] ?? lower;
    if (!this.#keys.has(key) || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) {
      this.#press(key, down);
    }
  }

  #press(key: string, down: boolean): void {
    if (down) {
      this.#down.add(key);
    } else {
      this.#down.delete(key);
    }
    this.#world.tell("press", key, down);
  }

  #button({ key, name }: Input): HTMLElement {
    const hold = (down: boolean) => this.#press(key, down);
    const keyHold = (down: boolean) => (event: KeyboardEvent) => {
      if ((event.key === " " || event.key === "Enter") && !event.repeat) {
        hold(down);
      }
    };
    return h(
      "button",
      {
        type: "button",
        onpointerdown: () => hold(true),
        onpointerup: () => hold(false),
        onpointercancel: () => hold(false),
        onpointerleave: () => hold(false),
        onkeydown: keyHold(true),
        onkeyup: keyHold(false),
        oncontextmenu: (event: Event) => event.preventDefault(),
      },
      key === name ? name : `${name} (${key})`,
    );
  }
}
