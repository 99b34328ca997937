// Measures over the ticks, as far as they were recorded.

import type { Sample } from "../protocol.ts";

/** Values that are kept of each measure. Of a longer run, every second tick is kept, then every fourth, and so on. */
const MAX_VALUES = 50_000;

export interface Point {
  tick: number;
  value: number;
}

export class Series {
  readonly units = new Map<string, string>();
  /** By `tick / every`. Ticks that were not recorded, or at which there is no value, are missing. */
  #values = new Map<string, (number | undefined)[]>();
  #every = 1;

  add(samples: Sample[]): void {
    for (const { tick, measures } of samples) {
      while (tick / this.#every > MAX_VALUES) {
        this.#thin();
      }
      if (tick % this.#every === 0) {
        for (const { name, unit, value } of measures) {
          this.units.set(name, unit);
          const values = this.#values.get(name) ?? [];
          values[tick / this.#every] = value ?? undefined;
          this.#values.set(name, values);
        }
      }
    }
  }

  /** Forgets what comes after the last tick that is known: an edit has dropped it. */
  dropAfter(end: number): void {
    for (const values of this.#values.values()) {
      values.length = Math.min(values.length, Math.floor(end / this.#every) + 1);
    }
  }

  clear(): void {
    this.#values.clear();
    this.units.clear();
    this.#every = 1;
  }

  /** The value at a tick, or at one shortly before it: samples come a few ticks later than the tick that is shown. */
  value(name: string, tick: number): number | undefined {
    const values = this.#values.get(name);
    const index = Math.floor(tick / this.#every);
    return values?.slice(Math.max(0, index - 16), index + 1).findLast((value) => value !== undefined);
  }

  /** At most about `count` points in the order of ticks: of each part of them, the lowest and the highest. */
  points(name: string, count: number): Point[] {
    const all: Point[] = [];
    this.#values.get(name)?.forEach((value, index) => {
      if (value !== undefined) {
        all.push({ tick: index * this.#every, value });
      }
    });
    const part = Math.max(1, Math.ceil((2 * all.length) / count));
    const points: Point[] = [];
    for (let start = 0; start < all.length; start += part) {
      const inside = all.slice(start, start + part);
      const lowest = inside.reduce((a, b) => (b.value < a.value ? b : a));
      const highest = inside.reduce((a, b) => (b.value > a.value ? b : a));
      points.push(...(lowest === highest ? [lowest] : [lowest, highest].sort((a, b) => a.tick - b.tick)));
    }
    return points;
  }

  #thin(): void {
    this.#every *= 2;
    for (const [name, values] of this.#values) {
      this.#values.set(
        name,
        Array.from({ length: Math.ceil(values.length / 2) }, (_, index) => values[2 * index]),
      );
    }
  }
}
