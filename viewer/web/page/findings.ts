// The findings of the engine in the shape that pages use.

import type { Finding } from "./protocol.ts";

/** A finding as the engine writes it: see `flockwork check --format json`. */
interface EngineFinding {
  severity: Finding["severity"];
  code: string;
  message: string;
  label: string;
  help: string[];
  place: { file: string; start_line: number; start_column: number; end_line: number; end_column: number } | null;
  text: string;
}

/** Reads a list of findings. `files` has the texts that they are about. */
export function findingsOfEngine(json: string, files: ReadonlyMap<string, string>): Finding[] {
  return (JSON.parse(json) as EngineFinding[]).map(({ severity, code, message, label, help: more, place, text }) => {
    const help = label === "" ? more : [label, ...more];
    if (place === null) {
      return { severity, code, message, help, text };
    }
    const { file: path, start_line: line, start_column: column } = place;
    const source = files.get(path);
    const at =
      source === undefined
        ? {}
        : { start: offsetOf(source, line, column), end: offsetOf(source, place.end_line, place.end_column) };
    return { severity, code, message, help, text, path, line, column, ...at };
  });
}

/** The findings in an error that the engine has thrown. An error of another kind is thrown on: it is a bug. */
export function findingsOfError(error: unknown, files: ReadonlyMap<string, string>): Finding[] {
  if (error instanceof Error && !(error instanceof WebAssembly.RuntimeError)) {
    if (error.message.startsWith("[")) {
      return findingsOfEngine(error.message, files);
    }
    return [{ severity: "error", message: error.message, help: [], text: `error: ${error.message}` }];
  }
  throw error;
}

/** The offset of a line and a column, both from 1, in UTF-16 units. Columns count characters. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let count = 1; count < line; count += 1) {
    const end = text.indexOf("\n", start);
    if (end < 0) {
      return text.length;
    }
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  const rest = text.slice(start, end < 0 ? text.length : end);
  return start + [...rest].slice(0, column - 1).join("").length;
}
