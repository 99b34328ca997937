// The bar below a world on another page: play, step, time, and sliders for params.

import { button, h, icon, setText } from "./dom.ts";
import type { FlockworkWorld } from "./element.ts";
import { toLink } from "./link.ts";
import { TextWithPlaces } from "./places.ts";
import type { State } from "./protocol.ts";
import { ParamRows } from "./sliders.ts";
import { TimeBar, moment } from "./time_bar.ts";
import type { WorldView } from "./world.ts";

/** A click so soon after the end of a world was meant for the world that played, in milliseconds. */
const JUST_ENDED_MS = 700;

/** Makes the bar and the sliders that the attributes of `element` ask for. */
export function worldControls(element: FlockworkWorld, view: WorldView): HTMLElement {
  const errors = h("pre", { class: "errors", role: "alert", hidden: true });
  const places = element.placeOpener === undefined ? undefined : new TextWithPlaces(errors, element.placeOpener);
  let [failed, refused] = ["", ""];
  const show = () => {
    const text = [failed, refused].filter((words) => words !== "").join("\n");
    errors.hidden = text === "";
    if (places === undefined) {
      setText(errors, text);
    } else {
      places.update(text);
    }
  };
  view.on("errors", (list) => {
    failed = list.map((finding) => finding.text).join("\n");
    show();
  });
  const refuse = (words: string) => {
    refused = words;
    show();
  };
  return h(
    "div",
    { class: "below" },
    errors,
    element.hasAttribute("controls") ? bar(element, view) : undefined,
    h("slot", { name: "under-bar" }),
    element.hasAttribute("sliders") ? sliders(element, view, refuse) : undefined,
  );
}

function bar(element: FlockworkWorld, view: WorldView): HTMLElement {
  let shown: string | undefined;
  let ended = -Infinity;
  const play = button(icon("play"), "Play", () => {
    // A click that was meant to pause a world which has just ended must not let it go on.
    if (performance.now() - ended > JUST_ENDED_MS) {
      view.tell(view.state?.playing === true ? "pause" : "play");
    }
  });
  const timeBar = new TimeBar(
    (tick) => view.tell("goTo", tick),
    (tick) => view.tell("playTo", tick),
  );
  const time = h("span", { class: "time" });
  const open = h("a", { target: "_blank", rel: "noopener" }, "Open in the playground");
  const playground = element.getAttribute("playground");
  open.hidden = playground === null;
  open.addEventListener("click", (event) => {
    if (element.project !== undefined && playground !== null) {
      try {
        open.href = playground + toLink(element.project);
      } catch (error) {
        event.preventDefault();
        setText(open, error instanceof Error ? error.message : String(error));
      }
    }
  });
  if (playground !== null) {
    open.href = playground;
  }
  view.on("state", (state: State) => {
    const isAtEnd = !state.playing && state.tick === state.ticks;
    const name = state.playing ? "Pause" : isAtEnd ? "Go on after the end" : "Play";
    if (name !== shown) {
      if (shown === "Pause" && isAtEnd) {
        ended = performance.now();
      }
      shown = name;
      play.replaceChildren(icon(state.playing ? "pause" : "play"));
      play.setAttribute("aria-label", name);
      play.title = name;
    }
    timeBar.update(state);
    setText(time, `${moment(state.tick, state.dt)}${isAtEnd ? ", the end" : ""}`);
  });
  return h(
    "div",
    { class: "bar" },
    play,
    button(icon("step"), "One tick forward", () => view.tell("step")),
    button(icon("restart"), "From the beginning", () => view.tell("restart", true)),
    timeBar.element,
    time,
    open,
  );
}

/** `refuse` says why a value is refused. */
function sliders(element: FlockworkWorld, view: WorldView, refuse: (words: string) => void): HTMLElement {
  const wanted = element.getAttribute("sliders")?.split(/[\s,]+/).filter((name) => name !== "") ?? [];
  const rows = new ParamRows({
    set: ({ group, name }, value) => {
      view
        .call("setParam", group, name, value)
        .then(() => refuse(""))
        .catch((error: Error) => refuse(`${name} cannot be ${value}: ${error.message}`));
    },
    switchWeight: ({ group, name }) => view.tell("switchWeight", group, name),
    onlyWeight: ({ group, name }) => view.tell("onlyWeight", group, name),
    ...(element.paramWriter === undefined ? {} : { write: element.paramWriter }),
  });
  view.on("state", ({ params }) => {
    if (params !== undefined) {
      const shown = params.filter(({ group, name }) => wanted.length === 0 || wanted.includes(`${group}.${name}`));
      rows.update(shown);
    }
  });
  return rows.element;
}
