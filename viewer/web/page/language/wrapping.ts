// Long lines continue on the next row, a little further in than they begin, so that nothing of a line is out of sight.

import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** How much further in the rest of a line begins, in columns. */
const STEP = 2;
/** Lines that begin further in continue here, so that narrow windows keep room for text. */
const MAX_COLUMNS = 16;

/** Returns the column in which the words of a line begin. */
function columnsBefore(text: string, tabSize: number): number {
  let columns = 0;
  for (const letter of text) {
    if (letter === "\t") {
      columns += tabSize - (columns % tabSize);
    } else if (letter === " ") {
      columns += 1;
    } else {
      break;
    }
  }
  return columns;
}

function indentedLines({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let done = -1;
  for (const { from, to } of visibleRanges) {
    for (let pos = from; pos <= to; ) {
      const line = state.doc.lineAt(pos);
      if (line.from > done) {
        const columns = STEP + Math.min(MAX_COLUMNS, columnsBefore(line.text, state.tabSize));
        // 6px is what the editor's own style has before a line.
        const style = `padding-left: calc(6px + ${columns}ch); text-indent: -${columns}ch`;
        builder.add(line.from, line.from, Decoration.line({ attributes: { style } }));
        done = line.from;
      }
      pos = line.to + 1;
    }
  }
  return builder.finish();
}

class Wrapping {
  lines: DecorationSet;

  constructor(view: EditorView) {
    this.lines = indentedLines(view);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged || update.viewportChanged) {
      this.lines = indentedLines(update.view);
    }
  }
}

export const wrapping: Extension = [
  EditorView.lineWrapping,
  ViewPlugin.fromClass(Wrapping, { decorations: (plugin) => plugin.lines }),
];
