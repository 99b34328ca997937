// What a world was expected to do and has not done: a button that leads to the agent and the tick.

import { h, setText } from "../dom.ts";
import type { FlockworkWorld } from "../element.ts";
import type { Expectation } from "../protocol.ts";

/** Returns a button that says which expectation has failed first, and goes there. It is hidden while all hold. */
export function failureButton(world: FlockworkWorld): HTMLElement {
  let first: Expectation | undefined;
  const go = async () => {
    if (first !== undefined) {
      await world.goTo(first.tick ?? 0);
      await world.select(first.agent ?? undefined);
    }
  };
  const shown = h("button", { type: "button", class: "failure", hidden: true, onclick: () => void go() });
  world.addEventListener("ready", () => void world.watch("expectations"));
  world.addEventListener("tick", ({ detail: { expectations } }) => {
    if (expectations !== undefined) {
      const failed = expectations.filter(({ state }) => state === "failed");
      first = failed.sort((a, b) => (a.tick ?? 0) - (b.tick ?? 0))[0];
      shown.hidden = first === undefined;
      const more = failed.length > 1 ? ` and ${failed.length - 1} more` : "";
      setText(shown, first === undefined ? "" : `✗ fails at tick ${first.tick}: ${first.why}${more}`);
      shown.title = first === undefined ? "" : `${first.text}: ${first.why}. Go to tick ${first.tick}.`;
    }
  });
  return shown;
}
