// After completion has written `behavior: `, many type `: ` from habit: these keys then do nothing, once.

import { type EditorState, type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** What completion writes behind the name of a field. */
const BEHIND_FIELD = ": ";

const setRest = StateEffect.define<string>();

/** What may be typed once more at the cursor; empty after any other change and after a move of the cursor. */
const rest = StateField.define<string>({
  create: () => "",
  update(known, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setRest)) {
        return effect.value;
      }
    }
    return transaction.docChanged || transaction.selection !== undefined ? "" : known;
  },
});

/** Returns whether a text that completion inserts is the name of a field, whose value comes next. */
export function isField(inserted: string): boolean {
  return inserted.endsWith(BEHIND_FIELD);
}

/** Goes with the transaction that inserts the name of a field. */
export function typedOverOnce(): StateEffect<string> {
  return setRest.of(BEHIND_FIELD);
}

/** Returns what is left of a text after some keys; nothing if they are other keys. */
function restAfter(state: EditorState, from: number, to: number, typed: string): string | undefined {
  const known = state.field(rest, false) ?? "";
  if (from !== to || typed === "" || from !== state.selection.main.head) {
    return undefined;
  }
  const at = known.indexOf(typed);
  return at < 0 ? undefined : known.slice(at + typed.length);
}

export const typeOver: Extension = [
  rest,
  // Before brackets and quotes are closed.
  Prec.highest(
    EditorView.inputHandler.of((view, from, to, typed) => {
      const left = restAfter(view.state, from, to, typed);
      if (left === undefined) {
        return false;
      }
      view.dispatch({ effects: setRest.of(left) });
      return true;
    }),
  ),
];
