// Documentation as elements of the page. It knows what the language server writes, and makes text of everything else: no text becomes HTML.

import { highlightCode } from "@lezer/highlight";

import { highlighting } from "./colors.ts";
import { languageOf } from "./lexers.ts";

const INLINE = /`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*/g;

/** Appends a line of text with its code, links and strong words. */
function appendInline(parent: HTMLElement, text: string): void {
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    parent.append(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [, code, label, address, strong] = match;
    if (code !== undefined) {
      const element = document.createElement("code");
      element.textContent = code;
      parent.append(element);
    } else if (label !== undefined && address !== undefined) {
      parent.append(link(label, address));
    } else {
      const element = document.createElement("strong");
      element.textContent = strong ?? "";
      parent.append(element);
    }
  }
  parent.append(text.slice(at));
}

/** Returns a link to a page of the web. Every other address stays text. */
function link(label: string, address: string): Node {
  if (!/^https?:\/\//.test(address)) {
    return document.createTextNode(label);
  }
  const element = document.createElement("a");
  element.textContent = label;
  element.href = address;
  element.target = "_blank";
  element.rel = "noopener noreferrer";
  return element;
}

/** Returns code with the colors of its language. */
function codeBlock(ending: string, code: string): HTMLElement {
  const element = document.createElement("pre");
  const tree = languageOf(ending).parser.parse(code);
  const append = (text: string, classes: string) => {
    const span = document.createElement("span");
    span.className = classes;
    span.textContent = text;
    element.append(span);
  };
  highlightCode(code, tree, highlighting, append, () => element.append("\n"));
  return element;
}

/** Returns Markdown as elements. */
export function renderMarkdown(markdown: string): HTMLElement {
  const root = document.createElement("div");
  root.className = "fw-docs";
  const lines = markdown.split("\n");
  let paragraph: HTMLElement | undefined;
  let list: HTMLElement | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const fence = /^```(\w*)/.exec(line);
    const item = /^- (.*)/.exec(line);
    if (fence !== null) {
      const end = lines.indexOf("```", index + 1);
      const last = end < 0 ? lines.length : end;
      root.append(codeBlock(fence[1] ?? "", lines.slice(index + 1, last).join("\n")));
      index = last;
    } else if (line === "---") {
      root.append(document.createElement("hr"));
    } else if (item !== null) {
      list ??= root.appendChild(document.createElement("ul"));
      appendInline(list.appendChild(document.createElement("li")), item[1] ?? "");
      paragraph = undefined;
      continue;
    } else if (line.trim() !== "") {
      if (paragraph === undefined) {
        paragraph = root.appendChild(document.createElement("p"));
      } else {
        paragraph.append(" ");
      }
      appendInline(paragraph, line);
      list = undefined;
      continue;
    }
    paragraph = undefined;
    list = undefined;
  }
  return root;
}

/** Returns documentation of the protocol as elements. */
export function renderDocs(docs: { value: string } | string): HTMLElement {
  return renderMarkdown(typeof docs === "string" ? docs : docs.value);
}
