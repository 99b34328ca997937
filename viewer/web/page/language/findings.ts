// Findings: what the language server finds in a file, as lines under the text, signs beside it, and a list.

import { type Action, type Diagnostic, lintGutter } from "@codemirror/lint";
import type { EditorState, Extension, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

import { h, withCode } from "../dom.ts";
import { fileContext, positionAt, spanOf } from "./file.ts";
import type { CodeAction, LspDiagnostic } from "./protocol.ts";
import { uriOf } from "./uri.ts";

/** A finding for the page around the editor. */
export interface Finding {
  severity: "error" | "warning" | "note";
  code?: string;
  message: string;
  path: string;
  /** Offsets in the text, in UTF-16 units. */
  start: number;
  end: number;
  /** Both from 1. */
  line: number;
  column: number;
  help: string[];
  /** All lines. */
  text: string;
}

/** What makes a finding known again in its file: where it begins, and the first line of its message. A {@link Finding} has it. */
export type FindingPlace = Pick<Finding, "line" | "column" | "message">;

const SEVERITIES = ["error", "error", "warning", "note"] as const;
const UNNECESSARY = 1;

/** Returns the findings of a text for the page. */
export function findingsOf(path: string, doc: Text, all: LspDiagnostic[]): Finding[] {
  return all.map((one) => {
    const { from, to } = spanOf(doc, one.range);
    const lines = one.message.split("\n");
    const help = lines.filter((line) => line.startsWith("help: ")).map((line) => line.slice("help: ".length));
    return {
      severity: SEVERITIES[one.severity ?? 1] ?? "note",
      ...(one.code !== undefined && { code: one.code }),
      message: lines[0] ?? "",
      path,
      start: from,
      end: to,
      line: one.range.start.line + 1,
      column: one.range.start.character + 1,
      help,
      text: one.message,
    };
  });
}

/** Shows a finding: what is wrong and what else is known, with code as code, and last, small, the word for such findings. */
function render(finding: Finding, related: string[]): HTMLElement {
  const line = (name: string, text: string) => h("div", { class: `fw-finding-${name}` }, ...withCode(text));
  const help = [...finding.text.split("\n").slice(1), ...related].map((text) => line("help", text));
  const dom = h("div", { class: "fw-finding" }, line("message", finding.message), ...help);
  if (finding.code !== undefined) {
    dom.lastElementChild?.append(" ", h("small", { class: "fw-finding-code" }, finding.code));
  }
  return dom;
}

/** Returns the fixes of the findings in a part of the text as it is now. */
export async function fixesIn(state: EditorState, from: number, to: number): Promise<CodeAction[]> {
  const { client, path } = state.facet(fileContext);
  const range = { start: positionAt(state.doc, from), end: positionAt(state.doc, to) };
  const params = { textDocument: { uri: uriOf(path) }, range, context: { diagnostics: [] } };
  const all = await client.request("textDocument/codeAction", params).catch(() => null);
  return (all ?? []).filter((action) => action.edit !== undefined);
}

/** Returns whether a fix belongs to a finding. */
function isOf(action: CodeAction, { line, column, message }: FindingPlace): boolean {
  const isSame = (one: LspDiagnostic) =>
    one.range.start.line + 1 === line &&
    one.range.start.character + 1 === column &&
    // The scenarios that have it may stand in one message and not in the other.
    one.message.split("\n")[0] === message;
  return action.diagnostics?.some(isSame) ?? false;
}

/** Returns the fixes of one finding in a text as it is now. */
export async function fixesOf(state: EditorState, finding: FindingPlace): Promise<CodeAction[]> {
  const { doc } = state;
  if (finding.line < 1 || finding.line > doc.lines) {
    return [];
  }
  const line = doc.line(finding.line);
  const all = await fixesIn(state, line.from, line.to);
  return all.filter((action) => isOf(action, finding));
}

/** Returns a button that applies a fix, if it is still one. */
function button(action: CodeAction): Action {
  return {
    name: action.title,
    apply: (view: EditorView, from: number, to: number) => {
      void fixesIn(view.state, from, to).then((fixes) => {
        const fix = fixes.find((one) => one.title === action.title);
        if (fix?.edit !== undefined) {
          view.state.facet(fileContext).applyEdit(fix.edit);
          view.focus();
        }
      });
    },
  };
}

/** Returns findings as the editor shows them, with the fixes that belong to them. */
export function diagnosticsOf(path: string, doc: Text, all: LspDiagnostic[], fixes: CodeAction[]): Diagnostic[] {
  const findings = findingsOf(path, doc, all);
  return all.flatMap((one, index) => {
    const finding = findings[index];
    if (finding === undefined) {
      return [];
    }
    const related = (one.relatedInformation ?? []).map((other) => other.message);
    const markClass = one.tags?.includes(UNNECESSARY) ? "fw-unnecessary" : undefined;
    return {
      from: finding.start,
      to: finding.end,
      severity: finding.severity === "note" ? ("info" as const) : finding.severity,
      message: one.message,
      renderMessage: () => render(finding, related),
      actions: fixes.filter((fix) => isOf(fix, finding)).map(button),
      ...(markClass !== undefined && { markClass }),
    };
  });
}

export const findingSigns: Extension = lintGutter();
