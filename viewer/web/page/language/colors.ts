// The colors of code, as classes: a theme says what they look like, in the editor and in documentation.

import { syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tagHighlighter, tags } from "@lezer/highlight";

/** The classes of the lexers' words. */
export const highlighting = tagHighlighter([
  { tag: tags.comment, class: "fw-comment" },
  { tag: tags.string, class: "fw-string" },
  { tag: tags.number, class: "fw-number" },
  { tag: tags.keyword, class: "fw-keyword" },
  { tag: tags.atom, class: "fw-constant" },
  { tag: tags.namespace, class: "fw-namespace" },
  { tag: tags.typeName, class: "fw-enumMember" },
  { tag: tags.propertyName, class: "fw-property" },
  { tag: tags.function(tags.variableName), class: "fw-function" },
  { tag: tags.function(tags.propertyName), class: "fw-method" },
  { tag: tags.operator, class: "fw-operator" },
]);

export const colors: Extension = syntaxHighlighting(highlighting);

type Hue = "comment" | "string" | "number" | "keyword" | "type" | "property" | "parameter" | "function";

/** The looks of a theme, by class. Types of semantic tokens have classes of their names. */
function looks(color: Record<Hue, string>): Record<string, Record<string, string>> {
  const style = (names: string, look: Record<string, string>) =>
    Object.fromEntries(names.split(" ").map((name) => [`.fw-${name}`, look]));
  return {
    ...style("comment", { color: color.comment, fontStyle: "italic" }),
    ...style("string", { color: color.string }),
    ...style("number constant", { color: color.number }),
    ...style("keyword", { color: color.keyword }),
    ...style("class namespace", { color: color.type }),
    ...style("enumMember", { color: color.type }),
    ...style("property", { color: color.property }),
    ...style("parameter", { color: color.parameter }),
    ...style("function method", { color: color.function }),
    ...style("variable", { color: "inherit" }),
    // What Flockwork defines, not the file.
    ".fw-variable.fw-defaultLibrary": { color: color.keyword },
    ".fw-function.fw-defaultLibrary, .fw-method.fw-defaultLibrary": { fontWeight: "600" },
  };
}

/** All colors have a contrast of at least 4.5 to the background. */
export const LIGHT = looks({
  comment: "#5f6b7a",
  string: "#276749",
  number: "#9a3412",
  keyword: "#7c3aed",
  type: "#0e6e83",
  property: "#1d4ed8",
  parameter: "#a21caf",
  function: "#854d0e",
});

export const DARK = looks({
  comment: "#8b98a9",
  string: "#86d9a5",
  number: "#f6ad7b",
  keyword: "#c4a7ff",
  type: "#6fd3e6",
  property: "#93b9ff",
  parameter: "#f0a6f5",
  function: "#f2cf7e",
});
