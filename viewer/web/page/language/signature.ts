// Signature help: the params of the call that the cursor is in.

import { type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, keymap, showTooltip, type Tooltip, ViewPlugin, type ViewUpdate } from "@codemirror/view";

import { fileContext, placeAt } from "./file.ts";
import { renderDocs } from "./markdown.ts";
import type { SignatureHelp } from "./protocol.ts";

/** Milliseconds without a key before the server is asked again. */
const PAUSE = 60;

const setTooltip = StateEffect.define<Tooltip | null>();

const shown = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setTooltip)) {
        return effect.value;
      }
    }
    return tooltip === null ? null : { ...tooltip, pos: transaction.changes.mapPos(tooltip.pos) };
  },
  provide: (field) => showTooltip.from(field),
});

/** Appends a signature with its active param marked. */
function appendLabel(parent: HTMLElement, label: string, param: string | undefined): void {
  const open = label.indexOf("(");
  const start = param === undefined ? -1 : label.indexOf(param, open + 1);
  if (param === undefined || start < 0) {
    parent.append(label);
    return;
  }
  const active = document.createElement("span");
  active.className = "fw-active-param";
  active.textContent = param;
  parent.append(label.slice(0, start), active, label.slice(start + param.length));
}

function render(help: SignatureHelp): HTMLElement {
  const dom = document.createElement("div");
  dom.className = "fw-hover fw-docs";
  dom.setAttribute("role", "status");
  const index = help.activeSignature ?? 0;
  const signature = help.signatures[index] ?? help.signatures[0];
  const param = signature?.parameters?.[help.activeParameter ?? 0];
  const label = dom.appendChild(document.createElement("code"));
  // A default stands behind the name in the list of params, and not in the signature.
  appendLabel(label, signature?.label ?? "", param?.label.split(" = ")[0]);
  if (param?.documentation !== undefined) {
    dom.append(renderDocs(param.documentation));
  }
  if (help.signatures.length > 1) {
    const count = dom.appendChild(document.createElement("p"));
    count.textContent = `${index + 1} of ${help.signatures.length} ways to call it`;
  }
  return dom;
}

class Asking {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor(readonly view: EditorView) {}

  update(update: ViewUpdate): void {
    const isShown = update.state.field(shown) !== null;
    if (update.docChanged) {
      const head = update.state.selection.main.head;
      const typed = update.state.sliceDoc(Math.max(0, head - 1), head);
      const triggers = update.state.facet(fileContext).client.capabilities.signatureHelpProvider?.triggerCharacters ?? [];
      const isTyped = update.transactions.some((one) => one.isUserEvent("input"));
      if (isShown || (isTyped && triggers.includes(typed))) {
        this.ask(PAUSE);
      }
    } else if (update.selectionSet && isShown) {
      this.ask(PAUSE);
    }
  }

  ask(pause: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#request(), pause);
  }

  async #request(): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    const { state } = this.view;
    const pos = state.selection.main.head;
    const help = await state
      .facet(fileContext)
      .client.request("textDocument/signatureHelp", placeAt(state, pos))
      .catch(() => null);
    if (asked !== this.#asked || this.view.state.doc !== state.doc) {
      return;
    }
    const has = help !== null && help.signatures.length > 0;
    const tooltip = has ? { pos, above: true, create: () => ({ dom: render(help) }) } : null;
    if (tooltip !== null || this.view.state.field(shown) !== null) {
      this.view.dispatch({ effects: setTooltip.of(tooltip) });
    }
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
  }
}

const asking = ViewPlugin.fromClass(Asking);

function close(view: EditorView): boolean {
  if (view.state.field(shown, false) == null) {
    return false;
  }
  view.dispatch({ effects: setTooltip.of(null) });
  return true;
}

export const signatureHelp: Extension = [
  shown,
  asking,
  Prec.high(
    keymap.of([
      { key: "Escape", run: close },
      {
        key: "Mod-Shift-Space",
        run: (view) => {
          view.plugin(asking)?.ask(0);
          return true;
        },
      },
    ]),
  ),
];
