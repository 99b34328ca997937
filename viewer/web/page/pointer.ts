// Mouse, touch and keys on a world: drag to move the view, wheel or two fingers to zoom, click to select.

import type { WorldView } from "./world.ts";

/** Pixels that a pointer may move between down and up and still click. */
const CLICK_PX = 5;

/** Pixels by which a key moves the view. */
const KEY_PX = 40;

interface Point {
  x: number;
  y: number;
}

export function handlePointer(element: HTMLElement, world: WorldView): void {
  const pointers = new Map<number, Point>();
  let moved = 0;

  const at = (event: MouseEvent): Point => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    if (pointers.size === 0) {
      moved = 0;
    }
    pointers.set(event.pointerId, at(event));
  });
  element.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) {
      return;
    }
    const now = at(event);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, now);
    moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (other !== undefined) {
      pinch(world, other, before, now);
    } else if (moved > CLICK_PX) {
      world.tell("pan", now.x - before.x, now.y - before.y);
    }
  });
  element.addEventListener("pointerup", (event) => {
    if (pointers.delete(event.pointerId) && pointers.size === 0 && moved <= CLICK_PX && event.button === 0) {
      const { x, y } = at(event);
      world.pick(x, y).catch(() => undefined);
    }
  });
  element.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
  element.addEventListener(
    "wheel",
    (event) => {
      // A page that contains a world still scrolls with the wheel, until the world has the focus.
      if (document.activeElement !== element && !event.ctrlKey && element.closest("[data-wheel]") === null) {
        return;
      }
      event.preventDefault();
      const { x, y } = at(event);
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 20 : event.deltaY;
      world.tell("zoom", Math.exp(-pixels * 0.002), x, y);
    },
    { passive: false },
  );
  element.addEventListener("keydown", (event) => handleKey(event, element, world));
}

/** Two fingers: the view follows their middle, and their distance zooms. */
function pinch(world: WorldView, other: Point, before: Point, now: Point): void {
  const length = (a: Point, b: Point) => Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1);
  world.tell("zoom", length(other, now) / length(other, before), (other.x + now.x) / 2, (other.y + now.y) / 2);
  world.tell("pan", (now.x - before.x) / 2, (now.y - before.y) / 2);
}

function handleKey(event: KeyboardEvent, element: HTMLElement, world: WorldView): void {
  const middle = [element.clientWidth / 2, element.clientHeight / 2] as const;
  const actions: Record<string, () => void> = {
    "+": () => world.tell("zoom", 1.25, ...middle),
    "=": () => world.tell("zoom", 1.25, ...middle),
    "-": () => world.tell("zoom", 0.8, ...middle),
    "shift+ArrowLeft": () => world.tell("pan", KEY_PX, 0),
    "shift+ArrowRight": () => world.tell("pan", -KEY_PX, 0),
    "shift+ArrowUp": () => world.tell("pan", 0, KEY_PX),
    "shift+ArrowDown": () => world.tell("pan", 0, -KEY_PX),
  };
  const action = actions[event.shiftKey && event.key.startsWith("Arrow") ? `shift+${event.key}` : event.key];
  if (action !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    action();
  }
}
