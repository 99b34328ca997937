// The keys of the playground, one list for what they do and for the help, and the help itself. Where it makes sense they are those of the window.

import { bookLink, h, withCode } from "../dom.ts";
import { showDialog } from "./dialogs.ts";

export interface Key {
  /** As in `KeyboardEvent.key`, with `shift+` in front if the sign does not say so; several are separated by spaces. */
  keys: string;
  does: string;
  run: () => void;
}

/** Keys that buttons, sliders and tabs need for themselves while they have the focus. */
const OF_WIDGETS = new Set([" ", "Enter", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

/** Listens to keys for as long as the page lives. Whoever types a text is left alone. */
export function listenToKeys(keys: Key[]): void {
  const byKey = new Map(keys.flatMap((key) => key.keys.split(" ").map((name) => [name === "space" ? " " : name, key] as const)));
  document.addEventListener("keydown", (event) => {
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    const key = byKey.get(event.key);
    if (key === undefined || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) {
      return;
    }
    if (target.closest("dialog, textarea, select, .cm-editor, input:not([type=range], [type=checkbox])") !== null) {
      return;
    }
    if (OF_WIDGETS.has(event.key) && target.closest("button, a, input, summary, [role=tab], [role=separator]") !== null) {
      return;
    }
    // Shift and an arrow moves the view.
    if (event.shiftKey && event.key.startsWith("Arrow")) {
      return;
    }
    event.preventDefault();
    key.run();
  });
}

/** Keys that other parts of the page handle, for the help. */
const ELSEWHERE: [string, string][] = [
  ["click", "select an agent; on the ground: select none"],
  ["drag, shift+arrows", "move the view (arrows: while the world has the focus)"],
  ["wheel, + and -", "zoom (signs: while the world has the focus)"],
  ["Escape, Tab", "leave the editor"],
];

const SIGNS: Record<string, string> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "home",
  End: "end",
  Escape: "esc",
};

/** How a world gets another group, which is what most people try first. */
const ADD_A_GROUP = [
  'In the scenario, copy an entry of `groups` and give it another name: `"fox": (count: 2, ...)`.',
  'Add a file `scripts/fox.rhai` with `+`, and name it in the group: `behavior: "fox"`.',
  'In its function `steer`, return a force, such as `me.pursue(me.nearest("bird"))`. Scripts of other groups find it by its name: `me.nearest("fox")`.',
];

/** Shows the help: links to the book, the first steps, and all keys. */
export function showHelp(keys: Key[]): void {
  const rows = [
    ...keys.map(({ keys: names, does }) => [names.split(" ").map((name) => SIGNS[name] ?? name).join(" or "), does]),
    ...ELSEWHERE,
  ];
  const table = h(
    "table",
    { class: "keys" },
    h("tbody", {}, ...rows.map(([key = "", does = ""]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, does)))),
  );
  const books = h(
    "p",
    {},
    "The book has a ",
    bookLink("tutorial", "tutorial"),
    ", ",
    bookLink("behaviors", "how to write behaviors"),
    " and the ",
    bookLink("reference", "reference of all functions"),
    ". More worlds are in the ",
    h("a", { href: "gallery.html" }, "gallery"),
    ".",
  );
  const steps = h("ol", { class: "steps" }, ...ADD_A_GROUP.map((step) => h("li", {}, ...withCode(step))));
  const all = [books, h("h3", {}, "Add a group"), steps, h("h3", {}, "Keys"), table];
  void showDialog("Help", [h("div", { class: "scroll help", tabindex: 0 }, ...all)], [["Close", ""]]);
}
