// How far a new line is indented: as the line before it, and a step more behind an open bracket. The formatter does the rest.

import { indentService, indentUnit } from "@codemirror/language";
import type { Extension } from "@codemirror/state";

const OPENS = /[([{]\s*(\/\/.*)?$/;
const CLOSES = /^\s*[)\]}]/;

export const indentation: Extension = [
  indentUnit.of("    "),
  indentService.of((context, pos) => {
    const before = context.lineAt(pos, -1);
    let line = context.state.doc.lineAt(pos);
    let text = before.text;
    // Without a new line at the position, the line before it counts.
    if (before.from === pos) {
      if (line.number === 1) {
        return 0;
      }
      line = context.state.doc.line(line.number - 1);
      text = line.text;
    }
    while (text.trim() === "" && line.number > 1) {
      line = context.state.doc.line(line.number - 1);
      text = line.text;
    }
    const columns = (/^\s*/.exec(text)?.[0] ?? "").replaceAll("\t", " ".repeat(context.unit)).length;
    const opens = OPENS.test(text) ? context.unit : 0;
    const closes = CLOSES.test(context.textAfterPos(pos)) ? context.unit : 0;
    return Math.max(0, columns + opens - closes);
  }),
];
