// Hover: what is known about the name under the pointer, or at the cursor.

import { activateHover, closeHoverTooltips, type EditorView, hoverTooltip, type Tooltip } from "@codemirror/view";

import { fileContext, placeAt, spanOf } from "./file.ts";
import { renderMarkdown } from "./markdown.ts";

async function know(view: EditorView, pos: number): Promise<Tooltip | null> {
  const { client } = view.state.facet(fileContext);
  const doc = view.state.doc;
  const known = await client.request("textDocument/hover", placeAt(view.state, pos)).catch(() => null);
  if (known === null || view.state.doc !== doc) {
    return null;
  }
  const { from, to } = known.range === undefined ? { from: pos, to: pos } : spanOf(doc, known.range);
  return {
    pos: from,
    end: to,
    above: true,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "fw-hover";
      dom.setAttribute("role", "tooltip");
      // Screen readers read it when it appears.
      dom.setAttribute("aria-live", "polite");
      dom.append(renderMarkdown(known.contents.value));
      return { dom };
    },
  };
}

export const hover = hoverTooltip(know, { hideOnChange: true });

/** Shows what is known at the cursor, until the cursor moves or Escape is pressed. */
export function hoverAtCursor(view: EditorView): boolean {
  const pos = view.state.selection.main.head;
  activateHover(view, pos, 1, { tooltip: hover, until: (transaction) => transaction.selection !== undefined || transaction.docChanged });
  return true;
}

/** Hides what is shown. */
export function closeHover(view: EditorView): boolean {
  if (view.state.field(hover.active, false)?.length) {
    view.dispatch({ effects: closeHoverTooltips });
    return true;
  }
  return false;
}
