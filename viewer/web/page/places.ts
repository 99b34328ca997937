// A text whose places in files, such as `scripts/shy.rhai:9:42`, open there.

import { h } from "./dom.ts";

/** A place in a file of a project. Line and column count from 1. */
export interface Place {
  path: string;
  line: number;
  column: number;
}

/** A place in a text: the file, the line, and maybe the column. */
const PLACE = /([^\s`"'()]+\.(?:rhai|ron)):(\d+)(?::(\d+))?/g;

/** Shows a text that changes often. The buttons of its places stay the same ones: the world plays while one is clicked. */
export class TextWithPlaces {
  readonly #open: (place: Place) => void;
  #places: Place[] = [];

  constructor(
    readonly element: HTMLElement,
    open: (place: Place) => void,
  ) {
    this.#open = open;
  }

  update(words: string): void {
    // No line ends within a vector.
    const text = words.replaceAll(/(?<=\(-?[\d.]+,) (?=-?[\d.]+\))/g, "\u00a0");
    const found = [...text.matchAll(PLACE)];
    this.#places = found.map(([, path = "", line, column = "1"]) => ({ path, line: Number(line), column: Number(column) }));
    let end = 0;
    const parts = found.flatMap(({ index, 0: place }) => {
      const before = text.slice(end, index);
      end = index + place.length;
      return [before, place];
    });
    parts.push(text.slice(end));
    const nodes = this.element.childNodes;
    while (nodes.length > parts.length) {
      this.element.lastChild?.remove();
    }
    parts.forEach((part, index) => {
      const node = nodes[index] ?? this.element.appendChild(index % 2 === 0 ? new Text() : this.#button((index - 1) / 2));
      node.textContent = part;
    });
  }

  #button(index: number): HTMLButtonElement {
    const open = () => {
      const place = this.#places[index];
      if (place !== undefined) {
        this.#open(place);
      }
    };
    return h("button", { type: "button", class: "link", title: "Open it in the editor", onclick: open });
  }
}
