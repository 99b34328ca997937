// Making elements with a few words. Text from outside always becomes text, never markup.

type Child = Node | string | undefined;

/** Attributes and properties: `on...` are listeners, booleans set or leave out an attribute. */
export type Props = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

/** Makes an HTML element. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  apply(element, props);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Makes an SVG element. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  apply(element, props);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

function apply(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
}

/** A button with a sign that everybody sees, and a name that is read out and shown as a tooltip. */
export function button(sign: Node | string, name: string, onclick: () => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", title: name, "aria-label": name, onclick, ...props }, sign);
}

/** A link to a page of the book, which opens in a tab of its own: the world that runs here must not be left for it. */
export function bookLink(page: string, text: string): HTMLAnchorElement {
  return h("a", { href: `${FLOCKWORK_BOOK}${page}.html`, target: "_blank", rel: "noopener" }, text);
}

/** Sets the text of an element, if it is another one: writing it anyway would be read out again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** Text in which words between backticks are code, as in messages of the engine. */
export function withCode(text: string): Node[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? h("code", {}, part) : document.createTextNode(part)));
}

const ICONS = {
  play: "M5 3l12 7-12 7z",
  pause: "M5 3h4v14H5zM11 3h4v14h-4z",
  step: "M4 3l8 7-8 7zM13 3h3v14h-3z",
  back: "M16 3l-8 7 8 7zM4 3h3v14H4z",
  restart: "M10 3a7 7 0 1 1-6.6 4.7l2 .7A5 5 0 1 0 10 5v3L5.5 4 10 0z",
  fit: "M2 2h6v2H4v4H2zM12 2h6v6h-2V4h-4zM2 12h2v4h4v2H2zM16 12h2v6h-6v-2h4z",
  plus: "M9 3h2v6h6v2h-6v6H9v-6H3V9h6z",
  more: "M4 8.5h3v3H4zM8.5 8.5h3v3h-3zM13 8.5h3v3h-3z",
  close: "M4.7 3.3L10 8.6l5.3-5.3 1.4 1.4L11.4 10l5.3 5.3-1.4 1.4L10 11.4l-5.3 5.3-1.4-1.4L8.6 10 3.3 4.7z",
} as const;

/** An icon of 20 by 20 in the color of the text. */
export function icon(name: keyof typeof ICONS): SVGSVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 20 20", width: 16, height: 16, fill: "currentColor", "aria-hidden": "true" },
    svg("path", { d: ICONS[name] }),
  );
}
