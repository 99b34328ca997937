// A world on a page: a canvas, and the worker that runs the world and draws it there.

import workerText from "flockwork-world-worker";

import { engine } from "./engine.ts";
import { handlePointer } from "./pointer.ts";
import type { Calls, Finding, FromWorker, State, ToWorker } from "./protocol.ts";

/** What a world tells. */
export interface WorldEvents {
  state: State;
  errors: Finding[];
  /** An agent was clicked, or the ground. */
  picked: number | undefined;
  /** The world does not answer: a tick takes long. Or it answers again. */
  busy: boolean;
  /** The worker has stopped for good; `restart` makes a new one. */
  fatal: string;
}

type Answers = { [Name in keyof Calls]: Awaited<ReturnType<Calls[Name]>> };

/** A call that is not answered after this time means that a tick takes long. */
const BUSY_MS = 4000;

export class WorldView {
  /** The element that contains the canvas. */
  readonly element: HTMLElement;
  /** The last state that was told. */
  state: State | undefined;

  #worker: Worker | undefined;
  #canvas: HTMLCanvasElement | undefined;
  #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void; since: number }>();
  #nextCall = 0;
  #listeners = new Map<string, Set<(value: never) => void>>();
  #resized: ResizeObserver;
  #seen: IntersectionObserver;
  #inView = true;
  #busy = false;
  #watchdog: number;
  #onVisibility = () => this.#tellVisible();

  constructor(label: string) {
    this.element = document.createElement("div");
    this.element.className = "flockwork-canvas";
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "application");
    this.element.setAttribute("aria-label", label);
    this.#resized = new ResizeObserver(() => this.#tellSize());
    this.#seen = new IntersectionObserver(([entry]) => {
      this.#inView = entry?.isIntersecting ?? true;
      this.#tellVisible();
    });
    this.#resized.observe(this.element);
    this.#seen.observe(this.element);
    document.addEventListener("visibilitychange", this.#onVisibility);
    this.#watchdog = window.setInterval(() => this.#lookForBusy(), 1000);
    handlePointer(this.element, this);
  }

  /** Starts the worker, if there is none, or a new one in its place. */
  async restart(): Promise<void> {
    const module = await engine();
    this.stop("the world was started anew");
    const canvas = document.createElement("canvas");
    canvas.setAttribute("aria-hidden", "true");
    this.#canvas?.remove();
    this.#canvas = canvas;
    this.element.prepend(canvas);
    const url = URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }));
    this.#worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#take(data);
    this.#worker.onerror = (event) => this.#emit("fatal", event.message);
    const offscreen = canvas.transferControlToOffscreen();
    this.#send({ type: "init", module, canvas: offscreen }, [offscreen]);
    this.#tellSize();
    this.#tellVisible();
  }

  /** Calls a function of the world. It is answered after all that were called before. */
  call<Name extends keyof Calls>(name: Name, ...args: Parameters<Calls[Name]>): Promise<Answers[Name]> {
    if (this.#worker === undefined) {
      return Promise.reject(new Error("the world is not started"));
    }
    const id = this.#nextCall++;
    this.#send({ type: "call", id, name, args });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, since: performance.now() });
    });
  }

  /** Calls a function whose answer does not matter. Once the worker has stopped, nothing happens. */
  tell<Name extends keyof Calls>(name: Name, ...args: Parameters<Calls[Name]>): void {
    this.call(name, ...args).catch(() => undefined);
  }

  on<Name extends keyof WorldEvents>(name: Name, listener: (value: WorldEvents[Name]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Tells that the user clicked at a place of the canvas, in CSS pixels. */
  async pick(x: number, y: number): Promise<void> {
    this.#emit("picked", await this.call("selectAt", x, y));
  }

  /** Ends the worker and all that the view has begun. */
  destroy(): void {
    this.stop("the world was removed");
    this.#resized.disconnect();
    this.#seen.disconnect();
    document.removeEventListener("visibilitychange", this.#onVisibility);
    clearInterval(this.#watchdog);
    this.element.remove();
  }

  /** Ends the worker. Its last picture stays; `restart` makes a new one. */
  stop(reason: string): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.state = undefined;
    for (const { reject } of this.#waiting.values()) {
      reject(new Error(reason));
    }
    this.#waiting.clear();
    this.#setBusy(false);
  }

  #send(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }

  #emit<Name extends keyof WorldEvents>(name: Name, value: WorldEvents[Name]): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      (listener as (value: WorldEvents[Name]) => void)(value);
    }
  }

  #take(message: FromWorker): void {
    switch (message.type) {
      case "state":
        this.state = message.state;
        this.#emit("state", message.state);
        break;
      case "errors":
        this.#emit("errors", message.errors);
        break;
      case "fatal":
        this.stop(message.message);
        this.#emit("fatal", message.message);
        break;
      case "answer":
        this.#waiting.get(message.id)?.resolve(message.value);
        this.#waiting.delete(message.id);
        break;
      case "refused":
        this.#waiting.get(message.id)?.reject(new Error(message.message));
        this.#waiting.delete(message.id);
        break;
    }
  }

  #tellSize(): void {
    const { clientWidth, clientHeight } = this.element;
    this.tell("resize", clientWidth, clientHeight, Math.min(window.devicePixelRatio, 3));
  }

  #tellVisible(): void {
    this.tell("setVisible", this.#inView && document.visibilityState === "visible");
  }

  #lookForBusy(): void {
    const [oldest] = this.#waiting.values();
    if (oldest === undefined && this.state?.playing === true) {
      // A call that does nothing, to see whether the worker still answers while it plays.
      this.tell("version");
    }
    this.#setBusy(oldest !== undefined && performance.now() - oldest.since > BUSY_MS);
  }

  #setBusy(busy: boolean): void {
    if (busy !== this.#busy) {
      this.#busy = busy;
      this.#emit("busy", busy);
    }
  }
}
