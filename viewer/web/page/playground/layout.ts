// The parts of the page: sizes by splitters on a wide screen, one part at a time on a narrow one.

import { h } from "../dom.ts";
import { Tabs } from "./tabs.ts";

/** Share of the room, in percent, by which an arrow key moves a splitter. */
const KEY_STEP = 4;

/** Bounds of a splitter, in percent. */
const LEAST = 15;
const MOST = 85;

/**
 * Makes a splitter between two parts of `parent`. It sets the custom property `property` of `parent` to the percentage of the first part.
 */
export function splitter(parent: HTMLElement, property: string, label: string, vertical: boolean, share: number): HTMLElement {
  const set = (percent: number) => {
    const bounded = Math.min(Math.max(percent, LEAST), MOST);
    parent.style.setProperty(property, `${bounded}%`);
    element.setAttribute("aria-valuenow", String(Math.round(bounded)));
  };
  const element = h("div", {
    class: `splitter ${vertical ? "vertical" : "horizontal"}`,
    role: "separator",
    tabindex: 0,
    "aria-label": label,
    "aria-orientation": vertical ? "vertical" : "horizontal",
    "aria-valuemin": LEAST,
    "aria-valuemax": MOST,
    onpointerdown: (event: PointerEvent) => element.setPointerCapture(event.pointerId),
    onpointermove: (event: PointerEvent) => {
      if (element.hasPointerCapture(event.pointerId)) {
        const box = parent.getBoundingClientRect();
        set(vertical ? ((event.clientX - box.left) / box.width) * 100 : ((event.clientY - box.top) / box.height) * 100);
      }
    },
    ondblclick: () => set(share),
    onkeydown: (event: KeyboardEvent) => {
      const now = Number(element.getAttribute("aria-valuenow"));
      const [less, more] = vertical ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
      if (event.key === less || event.key === more) {
        event.preventDefault();
        set(now + (event.key === more ? KEY_STEP : -KEY_STEP));
      }
    },
  });
  set(share);
  return element;
}

/** The part that a narrow screen shows. */
export type Part = "world" | "files" | "panels";

/** The tabs of a narrow screen. */
export class PartTabs {
  readonly #tabs: Tabs;

  constructor(parent: HTMLElement) {
    this.#tabs = new Tabs("Parts of the playground", (id) => id, (id) => this.show(id as Part));
    this.#tabs.element.classList.add("parts");
    parent.append(this.#tabs.element);
    this.show("world");
  }

  show(part: Part): void {
    document.body.dataset["part"] = part;
    this.#tabs.update(
      [
        { id: "world", label: "World" },
        { id: "files", label: "Files" },
        { id: "panels", label: "Panels" },
      ],
      part,
    );
  }
}
