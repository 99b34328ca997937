// What the state of an editor says about its file.

import { Facet, type EditorState, type Text } from "@codemirror/state";

import type { LanguageClient } from "./client.ts";
import type { Position, Range, TextEdit, WorkspaceEdit } from "./protocol.ts";
import { uriOf } from "./uri.ts";

/** What extensions need of the editor around them. */
export interface FileContext {
  path: string;
  client: LanguageClient;
  /** Shows a place of a file of the project. */
  showLocation(path: string, range: Range): void;
  /** Changes files of the project, and renames them. */
  applyEdit(edit: WorkspaceEdit): void;
}

/** The file that a state is about. Extensions of files read it, and only states of files have those. */
export const fileContext = Facet.define<FileContext, FileContext>({
  combine: (all) => all[0] as FileContext,
  static: true,
});

/** Returns an offset as a position of the protocol. */
export function positionAt(doc: Text, offset: number): Position {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

/** Returns the offset of a position. A position behind a line or behind the text is its end. */
export function offsetAt(doc: Text, { line, character }: Position): number {
  if (line >= doc.lines) {
    return doc.length;
  }
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

/** Returns a range as offsets. */
export function spanOf(doc: Text, range: Range): { from: number; to: number } {
  const from = offsetAt(doc, range.start);
  return { from, to: Math.max(from, offsetAt(doc, range.end)) };
}

/** Returns edits as changes of the text. */
export function changesOf(doc: Text, edits: TextEdit[]): { from: number; to: number; insert: string }[] {
  return edits.map(({ range, newText }) => ({ ...spanOf(doc, range), insert: newText }));
}

/** Returns a place in a state's file as requests name it. */
export function placeAt(state: EditorState, offset: number): { textDocument: { uri: string }; position: Position } {
  return { textDocument: { uri: uriOf(state.facet(fileContext).path) }, position: positionAt(state.doc, offset) };
}
