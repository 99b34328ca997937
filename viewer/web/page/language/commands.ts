// What keys do beside writing: format, rename, go to a definition, and fix.

import { forEachDiagnostic, lintKeymap } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

import { changesOf, fileContext, placeAt, spanOf } from "./file.ts";
import { fixesIn } from "./findings.ts";
import { closeHover, hoverAtCursor } from "./hover.ts";
import { askName, choose, notice } from "./panels.ts";
import { pathOf, uriOf } from "./uri.ts";

function say(view: EditorView, error: unknown): void {
  notice(view, error instanceof Error ? error.message : String(error));
}

/** Formats the whole file. */
export async function format(view: EditorView): Promise<void> {
  const { state } = view;
  const { client, path } = state.facet(fileContext);
  const params = { textDocument: { uri: uriOf(path) }, options: { tabSize: 4, insertSpaces: true } };
  try {
    const edits = await client.request("textDocument/formatting", params);
    if (edits !== null && view.state.doc === state.doc) {
      view.dispatch({ changes: changesOf(state.doc, edits), userEvent: "input.format", scrollIntoView: true });
    }
  } catch (error) {
    say(view, error);
  }
}

/** Shows where the name at a position is defined. */
export async function showDefinition(view: EditorView, pos: number): Promise<void> {
  const { client, showLocation } = view.state.facet(fileContext);
  try {
    const result = await client.request("textDocument/definition", placeAt(view.state, pos));
    const location = Array.isArray(result) ? result[0] : result;
    if (location == null) {
      notice(view, "No file of this project defines this.");
    } else {
      showLocation(pathOf(location.uri), location.range);
    }
  } catch (error) {
    say(view, error);
  }
}

/** Asks for a new name for the name at the cursor, and renames it in all files. */
export async function rename(view: EditorView): Promise<void> {
  const { state } = view;
  const { client, applyEdit } = state.facet(fileContext);
  const place = placeAt(state, state.selection.main.head);
  try {
    const what = await client.request("textDocument/prepareRename", place);
    if (what === null) {
      notice(view, "There is no name here that can be renamed.");
      return;
    }
    const span = spanOf(state.doc, what.range);
    view.dispatch({ selection: { anchor: span.from, head: span.to } });
    const newName = await askName(view, `New name for ${what.placeholder}`, what.placeholder);
    if (newName === undefined || newName === "" || newName === what.placeholder) {
      return;
    }
    const edit = await client.request("textDocument/rename", { ...place, newName });
    if (view.state.doc !== state.doc) {
      notice(view, "The text has changed meanwhile: try again.");
    } else if (edit !== null) {
      applyEdit(edit);
    }
  } catch (error) {
    say(view, error);
  }
}

/** Offers the fixes of the findings at the cursor, or of the finding whose line under the text the cursor is in. */
export async function fix(view: EditorView): Promise<void> {
  const { state } = view;
  let { from, to } = state.selection.main;
  forEachDiagnostic(state, (_, start, end) => {
    if (start <= to && from <= end) {
      from = Math.min(from, start);
      to = Math.max(to, end);
    }
  });
  const fixes = await fixesIn(state, from, to);
  const { applyEdit } = state.facet(fileContext);
  if (fixes.length === 0) {
    notice(view, "There is no fix here.");
    return;
  }
  const run = (index: number) => () => {
    const edit = fixes[index]?.edit;
    if (edit !== undefined && view.state.doc === state.doc) {
      applyEdit(edit);
    }
  };
  const buttons = fixes.map(({ title }, index) => ({ label: title, run: run(index) }));
  choose(view, fixes.length === 1 ? "Fix" : "Fixes", buttons);
}

function running(command: (view: EditorView) => Promise<void>): (view: EditorView) => boolean {
  return (view) => {
    void command(view);
    return true;
  };
}

export const commandKeys: Extension = [
  keymap.of([
    { key: "Shift-Alt-f", run: running(format) },
    { key: "F2", run: running(rename) },
    { key: "F12", run: running((view) => showDefinition(view, view.state.selection.main.head)) },
    { key: "Mod-.", run: running(fix) },
    { key: "Mod-k Mod-i", run: hoverAtCursor },
    { key: "Escape", run: closeHover },
    // F8: the next finding; Mod-Shift-m: all findings.
    ...lintKeymap,
  ]),
  EditorView.domEventHandlers({
    mousedown: (event, view) => {
      const pos = view.posAtCoords({ x: event.clientX, y: event.clientY });
      if (event.button !== 0 || !(event.ctrlKey || event.metaKey) || pos === null) {
        return false;
      }
      event.preventDefault();
      void showDefinition(view, pos);
      return true;
    },
  }),
];
