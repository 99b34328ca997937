// Completion: what the language server offers where the cursor is.

import {
  autocompletion,
  closeBrackets,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  pickedCompletion,
  startCompletion,
} from "@codemirror/autocomplete";
import type { Extension, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

import { fileContext, placeAt, spanOf } from "./file.ts";
import { renderDocs } from "./markdown.ts";
import type { CompletionItem } from "./protocol.ts";
import { isField, typedOverOnce, typeOver } from "./type_over.ts";

/** Icons by the numbers of the protocol. */
const KINDS: Record<number, string> = {
  2: "method",
  3: "function",
  5: "property",
  6: "variable",
  7: "class",
  9: "namespace",
  10: "property",
  12: "constant",
  13: "enum",
  14: "keyword",
  20: "enum",
};

/** Maximum number of characters beside a name in the list: all is in the documentation. */
const MAX_DETAIL = 36;

/** Returns what stands beside a name in the list: of `me.seek(target) -> a force`, the params. */
function shortDetail(label: string, detail: string): string {
  const signature = detail.split(" -> ")[0] ?? "";
  const at = signature.indexOf(`${label}(`);
  const short = at < 0 ? detail : signature.slice(at + label.length);
  return short.length > MAX_DETAIL ? `${short.slice(0, MAX_DETAIL - 1)}…` : short;
}

/** Returns a completion. `after` is the length of the rest of the word behind the cursor, which it replaces, too. */
function completionOf(item: CompletionItem, after: number): Completion {
  const { documentation, detail, kind, sortText, textEdit } = item;
  const insert = textEdit?.newText ?? item.label;
  return {
    label: item.label,
    ...(kind !== undefined && KINDS[kind] !== undefined && { type: KINDS[kind] }),
    ...(detail !== undefined && { detail: shortDetail(item.label, detail) }),
    ...(sortText !== undefined && { sortText }),
    ...(documentation !== undefined && { info: () => renderDocs(documentation) }),
    apply: (view: EditorView, completion: Completion, from: number, to: number) => {
      const text = insertCompletionText(view.state, insert, from, to + after);
      const annotations = pickedCompletion.of(completion);
      if (isField(insert)) {
        view.dispatch({ ...text, annotations, effects: typedOverOnce() });
        // What its value can be, if the server knows that.
        startCompletion(view);
      } else {
        view.dispatch({ ...text, annotations });
      }
    },
  };
}

/** Returns the span that completions replace. */
function spanOfItems(doc: Text, items: CompletionItem[], pos: number): { from: number; to: number } {
  const range = items[0]?.textEdit?.range;
  return range === undefined ? { from: pos, to: pos } : spanOf(doc, range);
}

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const { client } = context.state.facet(fileContext);
  const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
  const triggers = client.capabilities.completionProvider?.triggerCharacters ?? [];
  const isTriggered = !context.explicit && triggers.includes(before);
  if (!context.explicit && !/\w/.test(before) && !isTriggered) {
    return null;
  }
  const why = isTriggered ? { context: { triggerKind: 2, triggerCharacter: before } } : {};
  const result = await client.request("textDocument/completion", { ...placeAt(context.state, context.pos), ...why }).catch(() => null);
  const items = Array.isArray(result) ? result : (result?.items ?? []);
  if (context.aborted || items.length === 0) {
    return null;
  }
  const { from, to } = spanOfItems(context.state.doc, items, context.pos);
  const after = Math.max(0, to - context.pos);
  return { from, options: items.map((item) => completionOf(item, after)), validFor: /^\w*$/ };
}

export const completion: Extension = [
  autocompletion({ override: [complete], icons: true, activateOnTypingDelay: 50 }),
  closeBrackets(),
  typeOver,
];
