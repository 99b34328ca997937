// Tabs: a row of buttons of which one is selected, with the arrow keys, as in the ARIA practices. For files and for panels.

import { h } from "../dom.ts";

export interface Tab {
  id: string;
  label: string;
  /** Shown when the pointer rests on it. */
  title?: string;
  /** A number or a sign behind the label, such as the number of errors. */
  badge?: string;
}

export class Tabs {
  readonly element: HTMLElement;
  readonly #panelOf: (id: string) => string;
  readonly #chosen: (id: string) => void;
  #selected = "";

  /** `panelOf` gives the id of the element that a tab shows. */
  constructor(label: string, panelOf: (id: string) => string, chosen: (id: string) => void) {
    this.#panelOf = panelOf;
    this.#chosen = chosen;
    this.element = h("div", {
      role: "tablist",
      "aria-label": label,
      class: "tabs",
      onkeydown: (event: KeyboardEvent) => this.#key(event),
      onscroll: () => this.#showMore(),
      onwheel: (event: WheelEvent) => this.#wheel(event),
    });
    new ResizeObserver(() => this.#showMore()).observe(this.element);
  }

  /** Shows at which ends the row goes on. */
  #showMore(): void {
    const { scrollLeft, scrollWidth, clientWidth, classList } = this.element;
    classList.toggle("more-left", scrollLeft > 1);
    classList.toggle("more-right", scrollLeft + clientWidth < scrollWidth - 1);
  }

  /** A wheel that goes up and down scrolls the row, too: it has no other direction. */
  #wheel(event: WheelEvent): void {
    if (event.deltaX === 0 && !event.ctrlKey && this.element.scrollWidth > this.element.clientWidth) {
      event.preventDefault();
      this.element.scrollLeft += event.deltaY;
    }
  }

  get selected(): string {
    return this.#selected;
  }

  /** Shows these tabs, and which of them is selected. */
  update(tabs: Tab[], selected: string): void {
    const focused = this.element.contains(document.activeElement);
    const before = this.#selected;
    this.#selected = selected;
    const { scrollLeft } = this.element;
    this.element.replaceChildren(...tabs.map((tab) => this.#tab(tab)));
    this.element.scrollLeft = scrollLeft;
    if (focused) {
      this.#selectedTab()?.focus();
    }
    if (selected !== before) {
      this.#selectedTab()?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    this.#showMore();
  }

  #selectedTab(): HTMLElement | null {
    return this.element.querySelector<HTMLElement>("[aria-selected=true]");
  }

  #tab({ id, label, title, badge }: Tab): HTMLElement {
    const selected = id === this.#selected;
    return h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${id}`,
        title,
        "data-tab": id,
        "aria-selected": String(selected),
        "aria-controls": this.#panelOf(id),
        tabindex: selected ? 0 : -1,
        onclick: () => this.#chosen(id),
      },
      label,
      badge === undefined ? undefined : h("span", { class: "badge" }, badge),
    );
  }

  #key(event: KeyboardEvent): void {
    const tabs = [...this.element.querySelectorAll<HTMLElement>("[role=tab]")];
    const now = tabs.findIndex((tab) => tab.dataset["tab"] === this.#selected);
    const to: Record<string, number> = {
      ArrowLeft: (now + tabs.length - 1) % tabs.length,
      ArrowRight: (now + 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const id = tabs[to[event.key] ?? -1]?.dataset["tab"];
    if (id !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      this.#chosen(id);
      this.#selectedTab()?.focus();
    }
  }
}
