// The files of the project: their tabs, adding, renaming and deleting them.

import { button, icon } from "../dom.ts";
import { offsetOf } from "../findings.ts";
import type { Editor } from "../language/editor.ts";
import { addFile, isScenario, pathProblem } from "../project.ts";
import { ask, confirmed } from "./dialogs.ts";
import { Tabs } from "./tabs.ts";

/** What a new file begins with. */
const NEW_SCRIPT = `fn steer(me) {
    me.wander()
}
`;

/** What the files tell. */
export interface FilesEvents {
  /** Texts that have changed; `null` for a file that is gone. */
  changed(changes: [path: string, text: string | null][]): void;
  /** A file has a new name. */
  renamed(from: string, to: string): void;
  /** The number of problems in a file, for its tab. */
  problems(path: string): number;
  say(text: string): void;
}

export class Files {
  readonly #editor: Editor;
  readonly #events: FilesEvents;
  readonly #tabs: Tabs;
  #texts = new Map<string, string>();
  #shown = "";

  constructor(bar: HTMLElement, editor: Editor, events: FilesEvents) {
    this.#editor = editor;
    this.#events = events;
    this.#tabs = new Tabs("Files", () => "editor", (path) => this.show(path));
    bar.append(
      this.#tabs.element,
      button(icon("plus"), "New file", () => void this.#add(), { class: "quiet" }),
      button("Rename", "Rename this file", () => void this.#rename(), { class: "quiet" }),
      button("Delete", "Delete this file", () => void this.#delete(), { class: "quiet" }),
    );
    editor.onChange = (path, text) => {
      if (this.#texts.has(path) && this.#texts.get(path) !== text) {
        this.#texts.set(path, text);
        events.changed([[path, text]]);
      }
    };
    // A script was renamed by its name in another file. The editor has done it already.
    editor.renameFile = (from, to) => {
      const text = this.#texts.get(from);
      if (text !== undefined) {
        this.#texts.delete(from);
        this.#texts.set(to, text);
        this.#shown = this.#shown === from ? to : this.#shown;
        events.renamed(from, to);
        this.refresh();
      }
    };
    editor.openFile = (path, offset) => this.show(path, offset);
  }

  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  get shown(): string {
    return this.#shown;
  }

  /** Takes the files of another project. */
  replace(texts: Map<string, string>, shown: string): void {
    for (const path of this.#texts.keys()) {
      this.#editor.close(path);
    }
    this.#texts = new Map(texts);
    for (const [path, text] of texts) {
      this.#editor.open(path, text);
    }
    this.show(shown);
  }

  /** Takes a text that the world has written. */
  take(path: string, text: string): void {
    if (this.#texts.has(path)) {
      this.#texts.set(path, text);
      this.#editor.setText(path, text);
    }
  }

  /** Shows a file. If `focus` is given, the cursor goes to that offset. */
  show(path: string, offset?: number): void {
    if (this.#texts.has(path)) {
      this.#shown = path;
      this.#editor.show(path, offset);
      this.refresh();
    }
  }

  /** Shows a line and a column of a file, both from 1. */
  showLine(path: string, line: number, column: number): void {
    const text = this.#texts.get(path);
    if (text !== undefined) {
      this.show(path, offsetOf(text, line, column));
    }
  }

  /** Shows the tabs as they are now. */
  refresh(): void {
    this.#tabs.update(
      [...this.#texts.keys()].sort(inOrder).map((path) => {
        const count = this.#events.problems(path);
        return {
          id: path,
          label: path.replace(/^(scenarios|scripts)\//, ""),
          title: path,
          ...(count === 0 ? {} : { badge: String(count) }),
        };
      }),
      this.#shown,
    );
  }

  async #add(): Promise<void> {
    const path = await ask("New file", "Path, such as scripts/hawk.rhai", "scripts/new.rhai", (answer) => this.#problem(answer));
    if (path !== undefined) {
      const shown = this.#texts.get(this.#shown);
      const text = isScenario(path) && isScenario(this.#shown) ? (shown ?? "") : isScenario(path) ? "()\n" : NEW_SCRIPT;
      addFile(this.#texts, path, text);
      this.#editor.open(path, text);
      this.#events.changed([[path, text]]);
      this.show(path);
      this.#editor.focus();
    }
  }

  async #rename(): Promise<void> {
    const from = this.#shown;
    const text = this.#texts.get(from);
    const to = await ask(`Rename ${from}`, "New path", from, (answer) => (answer === from ? "" : this.#problem(answer)));
    if (to !== undefined && to !== from && text !== undefined) {
      this.#texts.delete(from);
      this.#texts.set(to, text);
      this.#editor.close(from);
      this.#editor.open(to, text);
      this.#events.renamed(from, to);
      this.show(to);
    }
  }

  async #delete(): Promise<void> {
    const path = this.#shown;
    const scenarios = [...this.#texts.keys()].filter(isScenario);
    if (isScenario(path) && scenarios.length === 1) {
      this.#events.say("The only scenario cannot be deleted.");
      return;
    }
    if (await confirmed(`Delete ${path}?`, "This cannot be undone.", "Delete")) {
      this.#texts.delete(path);
      this.#editor.close(path);
      this.#events.changed([[path, null]]);
      this.show([...this.#texts.keys()].sort(inOrder)[0] ?? "");
    }
  }

  #problem(path: string): string | undefined {
    return this.#texts.has(path) ? "There is such a file already." : pathProblem(path);
  }
}

/** Scripts before scenarios: they are what is changed most. */
function inOrder(a: string, b: string): number {
  return Number(isScenario(a)) - Number(isScenario(b)) || (a < b ? -1 : 1);
}
