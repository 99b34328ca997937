// The editor of a project: one text field, and a state with its own history for each file. Tabs are the page's own.

import { closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, type Extension, type StateEffect, type TransactionSpec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  tooltips,
  type ViewUpdate,
} from "@codemirror/view";

import type { LanguageClient, TextChange } from "./client.ts";
import { colors } from "./colors.ts";
import { commandKeys } from "./commands.ts";
import { completion } from "./completion.ts";
import { changesOf, type FileContext, fileContext, positionAt, spanOf } from "./file.ts";
import { diagnosticsOf, type Finding, type FindingPlace, findingsOf, findingSigns, fixesIn, fixesOf } from "./findings.ts";
import { hover } from "./hover.ts";
import { indentation } from "./indentation.ts";
import { language } from "./lexers.ts";
import { notice } from "./panels.ts";
import type { CodeAction, LspDiagnostic, Range, WorkspaceEdit } from "./protocol.ts";
import { semanticColors } from "./semantic.ts";
import { signatureHelp } from "./signature.ts";
import { darkTheme, lightTheme } from "./theme.ts";
import { pathOf } from "./uri.ts";
import { wrapping } from "./wrapping.ts";

export type { Finding, FindingPlace } from "./findings.ts";

/** An editor. Paths are those of the project, such as `scenarios/meadow.ron`; offsets count UTF-16 units. */
export interface Editor {
  /** Adds a file to the project, or replaces its text. It is not shown by this. */
  open(path: string, text: string): void;
  /** Shows a file of the project, and moves the cursor to an offset. */
  show(path: string, offset?: number): void;
  /** Removes a file from the project. */
  close(path: string): void;
  /** Returns the text of a file; empty if there is no such file. */
  text(path: string): string;
  /** Replaces the text of a file. This can be undone, and `onChange` is not called. */
  setText(path: string, text: string): void;
  focus(): void;
  setDark(dark: boolean): void;
  /**
   * Returns the titles of the fixes of a finding in a file, shown or not, the best one first; empty if there are none, if the text has
   * changed meanwhile, or without a language server.
   */
  fixes(path: string, finding: FindingPlace): Promise<string[]>;
  /**
   * Applies the fix with this number among those that `fixes` returned, from 0. It may change several files, can be undone in each, and
   * `onChange` is called. Returns whether it was applied: not if the finding or its fix is gone.
   */
  applyFix(path: string, finding: FindingPlace, index: number): Promise<boolean>;
  /** Is called when the user has changed a text. */
  onChange: (path: string, text: string) => void;
  /** Is called when the findings of a file have changed. */
  onFindings: (path: string, findings: Finding[]) => void;
  /** Is called when another file shall be shown. Call `show` with the same values. */
  openFile: (path: string, offset: number) => void;
  /** Is called when a file has another name, since its script was renamed. The editor knows it by that name already. */
  renameFile: (from: string, to: string) => void;
  destroy(): void;
}

/** Marks changes that the page itself makes. */
const fromPage = Annotation.define<boolean>();

interface OpenFile {
  /** The state while the file is not shown; that of the view counts otherwise. */
  state: EditorState;
  /** Where the text was scrolled to. */
  scroll: StateEffect<unknown> | undefined;
  found: LspDiagnostic[];
}

class ProjectEditor implements Editor {
  onChange: Editor["onChange"] = () => {};
  onFindings: Editor["onFindings"] = () => {};
  openFile: Editor["openFile"] = (path, offset) => this.show(path, offset);
  renameFile: Editor["renameFile"] = () => {};

  readonly #client: LanguageClient;
  readonly #view: EditorView;
  readonly #files = new Map<string, OpenFile>();
  readonly #theme = new Compartment();
  #isDark: boolean;
  #shown: string | undefined;

  constructor(parent: HTMLElement, client: LanguageClient, dark: boolean) {
    this.#client = client;
    this.#isDark = dark;
    this.#view = new EditorView({ parent, state: this.#empty() });
    client.onFindings = (path, found) => this.#takeFindings(path, found);
    client.onFailure = (message) => notice(this.#view, message);
  }

  open(path: string, text: string): void {
    if (this.#files.has(path)) {
      this.setText(path, text);
      return;
    }
    this.#files.set(path, { state: this.#newState(path, text), scroll: undefined, found: [] });
    this.#client.open(path, this.text(path));
  }

  show(path: string, offset?: number): void {
    const file = this.#files.get(path);
    if (file === undefined) {
      return;
    }
    if (this.#shown !== path) {
      this.#putAway();
      this.#shown = path;
      this.#view.setState(file.state);
      const effects = [this.#theme.reconfigure(this.#themeNow())];
      this.#view.dispatch({ effects: file.scroll === undefined ? effects : [...effects, file.scroll] });
      void this.#showFindings(path, file.found);
    }
    if (offset !== undefined) {
      const anchor = Math.min(offset, this.#view.state.doc.length);
      const effects = EditorView.scrollIntoView(anchor, { y: "center" });
      this.#view.dispatch({ selection: { anchor }, effects });
      this.focus();
    }
  }

  close(path: string): void {
    if (!this.#files.delete(path)) {
      return;
    }
    this.#client.close(path);
    if (this.#shown === path) {
      this.#shown = undefined;
      this.#view.setState(this.#empty());
    }
  }

  text(path: string): string {
    return this.#state(path)?.doc.toString() ?? "";
  }

  setText(path: string, text: string): void {
    const state = this.#state(path);
    if (state === undefined || state.doc.toString() === text) {
      return;
    }
    const changes = { from: 0, to: state.doc.length, insert: text };
    this.#dispatch(path, { changes, annotations: fromPage.of(true) });
  }

  focus(): void {
    this.#view.focus();
  }

  setDark(dark: boolean): void {
    this.#isDark = dark;
    this.#view.dispatch({ effects: this.#theme.reconfigure(this.#themeNow()) });
  }

  async fixes(path: string, finding: FindingPlace): Promise<string[]> {
    return (await this.#fixes(path, finding)).map(({ title }) => title);
  }

  async applyFix(path: string, finding: FindingPlace, index: number): Promise<boolean> {
    const edit = (await this.#fixes(path, finding))[index]?.edit;
    if (edit === undefined) {
      return false;
    }
    this.#applyEdit(edit);
    return true;
  }

  /** Returns the fixes of a finding; none if the text changes meanwhile. */
  async #fixes(path: string, finding: FindingPlace): Promise<CodeAction[]> {
    const state = this.#state(path);
    const all = state === undefined ? [] : await fixesOf(state, finding);
    return this.#state(path)?.doc === state?.doc ? all : [];
  }

  destroy(): void {
    this.#client.onFindings = () => {};
    this.#client.onFailure = () => {};
    this.#view.destroy();
  }

  #themeNow(): Extension {
    return this.#isDark ? darkTheme : lightTheme;
  }

  /** Returns the state before a file is shown. */
  #empty(): EditorState {
    const extensions = [EditorState.readOnly.of(true), EditorView.editable.of(false), this.#theme.of(this.#themeNow())];
    return EditorState.create({ extensions });
  }

  #newState(path: string, doc: string): EditorState {
    const context: FileContext = {
      path,
      client: this.#client,
      showLocation: (other, range) => this.#showLocation(other, range),
      applyEdit: (edit) => this.#applyEdit(edit),
    };
    const extensions = [
      fileContext.of(context),
      this.#theme.of(this.#themeNow()),
      EditorView.updateListener.of((update) => this.#note(path, update)),
      EditorView.contentAttributes.of({
        "aria-label": `${path}. Press Escape and then Tab to leave the editor.`,
        autocapitalize: "off",
        autocorrect: "off",
        spellcheck: "false",
      }),
      commandKeys,
      lineNumbers(),
      findingSigns,
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      wrapping,
      history(),
      // The cursor blinks unless the user wants less motion.
      drawSelection({ cursorBlinkRate: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 1200 }),
      EditorState.allowMultipleSelections.of(true),
      indentation,
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      language(path),
      colors,
      semanticColors,
      completion,
      hover,
      signatureHelp,
      tooltips({ position: "fixed" }),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
    ];
    return EditorState.create({ doc, extensions });
  }

  /** Returns the state of a file as it is now. */
  #state(path: string): EditorState | undefined {
    return this.#shown === path ? this.#view.state : this.#files.get(path)?.state;
  }

  /** Keeps the state of the shown file. */
  #putAway(): void {
    const file = this.#shown === undefined ? undefined : this.#files.get(this.#shown);
    if (file !== undefined) {
      file.scroll = this.#view.scrollSnapshot();
      file.state = this.#view.state;
    }
  }

  /** Changes a file, shown or not. */
  #dispatch(path: string, spec: TransactionSpec): void {
    const file = this.#files.get(path);
    if (this.#shown === path) {
      this.#view.dispatch(spec);
    } else if (file !== undefined) {
      const transaction = file.state.update(spec);
      file.state = transaction.state;
      if (transaction.docChanged) {
        this.#tell(path, transaction.state, undefined, transaction.annotation(fromPage) !== true);
      }
    }
  }

  /** Tells the language server and the page about a change of the shown file. */
  #note(path: string, update: ViewUpdate): void {
    if (update.docChanged) {
      const changes: TextChange[] = [];
      update.changes.iterChanges((from, to, _, __, inserted) => {
        const range = { start: positionAt(update.startState.doc, from), end: positionAt(update.startState.doc, to) };
        changes.push({ range, text: inserted.toString() });
      });
      // From the last one on, so that each range is of the text before all of them.
      changes.reverse();
      const isOfUser = update.transactions.some((one) => one.docChanged && one.annotation(fromPage) !== true);
      this.#tell(path, update.state, changes, isOfUser);
    }
  }

  #tell(path: string, state: EditorState, changes: TextChange[] | undefined, isOfUser: boolean): void {
    const text = state.doc.toString();
    if (changes === undefined) {
      this.#client.open(path, text);
    } else {
      this.#client.change(path, text, changes);
    }
    if (isOfUser) {
      this.onChange(path, text);
    }
  }

  #takeFindings(path: string, found: LspDiagnostic[]): void {
    const file = this.#files.get(path);
    const state = this.#state(path);
    if (file === undefined || state === undefined) {
      return;
    }
    file.found = found;
    this.onFindings(path, findingsOf(path, state.doc, found));
    if (this.#shown === path) {
      void this.#showFindings(path, found);
    }
  }

  /** Shows the findings of the shown file: at once, and then with their fixes. */
  async #showFindings(path: string, found: LspDiagnostic[]): Promise<void> {
    const { state } = this.#view;
    this.#view.dispatch(setDiagnostics(state, diagnosticsOf(path, state.doc, found, [])));
    if (found.length === 0) {
      return;
    }
    const fixes = await fixesIn(state, 0, state.doc.length);
    const now = this.#view.state;
    if (fixes.length > 0 && this.#shown === path && now.doc === state.doc && this.#files.get(path)?.found === found) {
      this.#view.dispatch(setDiagnostics(now, diagnosticsOf(path, now.doc, found, fixes)));
    }
  }

  #showLocation(path: string, range: Range): void {
    const state = this.#state(path);
    if (state === undefined) {
      return;
    }
    const { from } = spanOf(state.doc, range);
    if (path === this.#shown) {
      this.show(path, from);
    } else {
      this.openFile(path, from);
    }
  }

  /** Changes files as the language server says, in the order that it says. */
  #applyEdit(edit: WorkspaceEdit): void {
    const texts = Object.entries(edit.changes ?? {}).map(([uri, edits]) => ({ textDocument: { uri }, edits }));
    for (const one of [...texts, ...(edit.documentChanges ?? [])]) {
      if ("kind" in one) {
        this.#move(pathOf(one.oldUri), pathOf(one.newUri));
      } else {
        const path = pathOf(one.textDocument.uri);
        const state = this.#state(path);
        if (state !== undefined) {
          this.#dispatch(path, { changes: changesOf(state.doc, one.edits), userEvent: "input.edit" });
        }
      }
    }
  }

  /** Gives a file another path. Its history begins anew. */
  #move(from: string, to: string): void {
    const text = this.text(from);
    const isShown = this.#shown === from;
    if (!this.#files.has(from) || this.#files.has(to)) {
      return;
    }
    this.close(from);
    this.open(to, text);
    this.renameFile(from, to);
    if (isShown) {
      this.show(to);
    }
  }
}

/** Makes an editor in an element. Its files are those of the language server: open all files of a project. */
export function createEditor(parent: HTMLElement, options: { client: LanguageClient; dark: boolean }): Editor {
  return new ProjectEditor(parent, options.client, options.dark);
}
