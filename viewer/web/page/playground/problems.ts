// The list of what is wrong in the files, over the lower end of the editor, so that the text does not move when it comes and goes.
// Half-typed words are wrong, too: what is new is shown only after a pause in typing; what is gone disappears at once.

import { h, setText, withCode } from "../dom.ts";
import type { Finding } from "../protocol.ts";

/** New problems are shown so long after the last key. */
const PAUSE_MS = 1000;

export class Problems {
  readonly element: HTMLElement;
  readonly #list = h("ul", {});
  readonly #title = h("summary");
  readonly #open: (path: string, line: number, column: number) => void;
  /** Why the newest files do not run. */
  #errors: Finding[] = [];
  #ofEditor = new Map<string, Finding[]>();
  /** What is shown, and what it says without its places: those move while somebody types above them. */
  #shown: Finding[] = [];
  #known = new Set<string>();
  #key = "";
  #lastKey = -Infinity;
  #timer: number | undefined;
  readonly #changed: () => void;

  /** `changed` is called when other problems are shown. */
  constructor(open: (path: string, line: number, column: number) => void, changed: () => void) {
    this.#open = open;
    this.#changed = changed;
    this.element = h("details", { class: "problems", open: true, hidden: true }, this.#title, this.#list);
  }

  /** The errors for which the newest files do not run. */
  setErrors(errors: Finding[]): void {
    this.#errors = errors;
    this.#show();
  }

  /** What the editor has found in a file; it knows the newest text. */
  setFindings(path: string, findings: Finding[]): void {
    this.#ofEditor.set(path, findings);
    this.#show();
  }

  clear(): void {
    this.#errors = [];
    this.#ofEditor.clear();
    this.#lastKey = -Infinity;
    this.#show();
  }

  /** Somebody types: new problems wait. */
  typed(): void {
    this.#lastKey = performance.now();
    this.#show();
  }

  /** The number of problems in a file. */
  count(path: string): number {
    return this.#shown.filter((finding) => finding.path === path && finding.severity !== "note").length;
  }

  /** The errors that are shown for which the newest files do not run. */
  get errors(): Finding[] {
    return this.#errors.filter((finding) => this.#known.has(meaning(finding)));
  }

  /** All problems, those that stop the newest files from running first, each once. */
  #all(): Finding[] {
    const found = new Map<string, Finding>();
    for (const finding of [...this.#errors, ...[...this.#ofEditor.values()].flat()]) {
      const key = JSON.stringify([finding.path, finding.line, finding.column, finding.message]);
      if (!found.has(key)) {
        found.set(key, finding);
      }
    }
    return [...found.values()];
  }

  #show(): void {
    clearTimeout(this.#timer);
    const all = this.#all();
    const pause = this.#lastKey + PAUSE_MS - performance.now();
    const shown = pause <= 0 ? all : all.filter((finding) => this.#known.has(meaning(finding)));
    if (shown.length < all.length) {
      this.#timer = window.setTimeout(() => this.#show(), pause);
    }
    this.#known = new Set(shown.map(meaning));
    const key = JSON.stringify([shown, this.errors]);
    if (key === this.#key) {
      return;
    }
    this.#key = key;
    this.#shown = shown;
    this.element.hidden = shown.length === 0;
    setText(this.#title, counted(shown));
    this.#list.replaceChildren(...shown.map((finding) => this.#item(finding)));
    this.#changed();
  }

  #item(finding: Finding): HTMLElement {
    const { path, line, column, severity, message, help } = finding;
    const place = path === undefined ? "" : line === undefined ? path : `${path}:${line}:${column ?? 1}`;
    return h(
      "li",
      { class: severity },
      h("strong", {}, `${severity}: `),
      ...withCode(message),
      " ",
      path === undefined || line === undefined
        ? place
        : h("button", { type: "button", class: "link", onclick: () => this.#open(path, line, column ?? 1) }, place),
      ...help.map((text) => h("p", {}, ...withCode(text))),
    );
  }
}

function meaning({ path, severity, message }: Finding): string {
  return JSON.stringify([path, severity, message]);
}

function counted(findings: Finding[]): string {
  const parts = (["error", "warning", "note"] as const).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? "" : "s"}`];
  });
  return parts.join(", ");
}
