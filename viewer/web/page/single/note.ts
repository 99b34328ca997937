// What is said over the world in an editor: what is wrong with saved files, and for a while what was done.

import { h } from "../dom.ts";
import { type Place, TextWithPlaces } from "../places.ts";

/** How long it is said what was done, in milliseconds. */
const CALM_MS = 8000;

export class Note {
  readonly element = h("p", { role: "status", class: "note" });
  readonly #text: TextWithPlaces;
  #end: ReturnType<typeof setTimeout> | undefined;

  /** `open` opens a place in the editor. */
  constructor(open: (place: Place) => void) {
    this.#text = new TextWithPlaces(this.element, open);
  }

  /** Whether it says what was done. */
  get isCalm(): boolean {
    return this.element.classList.contains("calm");
  }

  /** Says what is wrong, until something else is said. */
  show(words: string): void {
    this.element.classList.remove("calm");
    this.#text.update(words);
  }

  /** Says what was done, for a while. */
  showCalm(words: string): void {
    this.show(words);
    this.element.classList.add("calm");
    clearTimeout(this.#end);
    this.#end = setTimeout(() => this.endCalm(), CALM_MS);
  }

  /** No longer says what was done. */
  endCalm(): void {
    if (this.isCalm) {
      this.#text.update("");
    }
  }
}
