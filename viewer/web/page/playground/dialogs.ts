// Questions and messages in front of the page.

import { h } from "../dom.ts";

/** Shows a dialog with a title until it is closed. Returns what its buttons closed it with, or "" for Escape. */
export function showDialog(title: string, body: Node[], buttons: [label: string, value: string][]): Promise<string> {
  return new Promise((resolve) => {
    const dialog = h("dialog", { "aria-labelledby": "dialog-title" });
    const heading = h("h2", { id: "dialog-title" }, title);
    const form = h(
      "form",
      { method: "dialog" },
      heading,
      ...body,
      h(
        "div",
        { class: "buttons" },
        ...buttons.map(([label, value], index) =>
          index === buttons.length - 1
            ? h("button", { value, class: "primary" }, label)
            : // Enter presses the first button that submits, so only the last one does.
              h("button", { type: "button", onclick: () => dialog.close(value) }, label),
        ),
      ),
    );
    dialog.append(form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector<HTMLElement>("input, textarea")?.focus();
  });
}

/** Asks for a line of text. `problem` says why an answer cannot be used. Returns nothing if the question was closed. */
export async function ask(
  title: string,
  label: string,
  given: string,
  problem: (answer: string) => string | undefined,
): Promise<string | undefined> {
  const error = h("p", { class: "problem", role: "alert", id: "ask-problem" });
  const field = h("input", { value: given, spellcheck: "false", autocomplete: "off", "aria-describedby": "ask-problem" });
  const check = () => {
    const text = problem(field.value.trim()) ?? "";
    field.setCustomValidity(text);
    error.textContent = field.value === given ? "" : text;
  };
  field.addEventListener("input", check);
  check();
  const answer = showDialog(title, [h("label", {}, label, field), error], [
    ["Cancel", ""],
    ["OK", "ok"],
  ]);
  // The name without its folder and ending is what is usually changed.
  const slash = given.lastIndexOf("/") + 1;
  const dot = given.lastIndexOf(".");
  field.setSelectionRange(slash, dot > slash ? dot : given.length);
  return (await answer) === "ok" ? field.value.trim() : undefined;
}

/** Asks whether to do something that cannot be undone. */
export async function confirmed(title: string, text: string, action: string): Promise<boolean> {
  return (
    (await showDialog(title, [h("p", {}, text)], [
      ["Cancel", ""],
      [action, "yes"],
    ])) === "yes"
  );
}
