// What names mean, as colors: the semantic tokens of the language server over the colors of the lexers.

import { type Extension, Prec, RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

import { fileContext, offsetAt } from "./file.ts";
import { uriOf } from "./uri.ts";

/** Milliseconds without a key before the server is asked again. */
const PAUSE = 150;

const setMeanings = StateEffect.define<DecorationSet>();

const meanings = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(known, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setMeanings)) {
        return effect.value;
      }
    }
    return known.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Reads the numbers of the protocol: five for each token, relative to the token before. */
function decorationsOf(doc: Text, data: number[], types: string[], modifiers: string[]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let line = 0;
  let character = 0;
  for (let index = 0; index + 4 < data.length; index += 5) {
    const [lines = 0, columns = 0, length = 0, type = 0, flags = 0] = data.slice(index, index + 5);
    character = lines > 0 ? columns : character + columns;
    line += lines;
    const from = offsetAt(doc, { line, character });
    const to = Math.min(from + length, doc.length);
    const names = [types[type], ...modifiers.filter((_, bit) => (flags >> bit) & 1)];
    if (to > from) {
      builder.add(from, to, Decoration.mark({ class: names.map((name) => `fw-${name}`).join(" ") }));
    }
  }
  return builder.finish();
}

class Asking {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAlive = true;

  constructor(readonly view: EditorView) {
    this.#ask(0);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged) {
      this.#ask(PAUSE);
    }
  }

  #ask(pause: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#request(), pause);
  }

  async #request(): Promise<void> {
    const { state } = this.view;
    const { client, path } = state.facet(fileContext);
    await client.ready.catch(() => {});
    const textDocument = { uri: uriOf(path) };
    const tokens = await client.request("textDocument/semanticTokens/full", { textDocument }).catch(() => null);
    const legend = client.capabilities.semanticTokensProvider?.legend;
    // A newer text asks for its own.
    if (this.#isAlive && tokens !== null && legend !== undefined && this.view.state.doc === state.doc) {
      const set = decorationsOf(state.doc, tokens.data, legend.tokenTypes, legend.tokenModifiers);
      this.view.dispatch({ effects: setMeanings.of(set) });
    }
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#isAlive = false;
  }
}

// Its marks are inside those of the lexers, so that its colors count.
export const semanticColors: Extension = [Prec.highest(meanings), ViewPlugin.fromClass(Asking)];
