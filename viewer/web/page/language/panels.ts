// Small panels below the text: a message, a choice, and a question for a name.

import { type EditorView, getDialog, showDialog } from "@codemirror/view";

const CLASS = "fw-dialog";

/** Closes the open panel, if there is one. */
function closeOpen(view: EditorView): void {
  const open = getDialog(view, CLASS);
  open?.dom.querySelector<HTMLElement>(".cm-dialog-close")?.click();
}

function show(view: EditorView, words: string, buttons: { label: string; run(): void }[]): void {
  closeOpen(view);
  showDialog(view, {
    class: CLASS,
    focus: buttons.length > 0 ? "button" : false,
    content: (_, close) => {
      const form = document.createElement("form");
      form.className = "fw-notice";
      form.setAttribute("role", "status");
      const text = form.appendChild(document.createElement("span"));
      text.textContent = words;
      for (const { label, run } of buttons) {
        const element = form.appendChild(document.createElement("button"));
        element.type = "button";
        element.textContent = label;
        // The dialog would take Enter for an answer.
        element.onkeydown = (event) => event.key === "Enter" && event.stopPropagation();
        element.onclick = () => {
          close();
          run();
          view.focus();
        };
      }
      return form;
    },
  });
}

/** Shows a message until it is closed. */
export function notice(view: EditorView, words: string): void {
  show(view, words, []);
}

/** Shows buttons, and does what the chosen one says. */
export function choose(view: EditorView, words: string, buttons: { label: string; run(): void }[]): void {
  show(view, words, buttons);
}

/** Asks for a name. Returns nothing if the user changes their mind. */
export async function askName(view: EditorView, label: string, value: string): Promise<string | undefined> {
  closeOpen(view);
  const { result } = showDialog(view, {
    label,
    input: { name: "name", value, "aria-label": label, autocomplete: "off", spellcheck: "false" },
    submitLabel: "Rename",
    focus: true,
  });
  const form = await result;
  view.focus();
  const name = form?.elements.namedItem("name");
  return name instanceof HTMLInputElement ? name.value.trim() : undefined;
}
