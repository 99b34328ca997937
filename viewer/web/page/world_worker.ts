// The worker of a world: it takes calls from the page in order, and answers each. If the engine itself breaks, it says so and stops.

import { initSync } from "flockwork-engine";

import type { FromWorker, ToWorker } from "./protocol.ts";
import { Running } from "./running.ts";

// The types of pages and of workers cannot be loaded together; this is all that is needed of a worker's own.
const scope = self as unknown as {
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: (event: MessageEvent<ToWorker>) => void;
  onerror: (event: unknown) => void;
};

let running: Running | undefined;
let broken = false;

function fail(error: unknown): void {
  broken = true;
  scope.postMessage({ type: "fatal", message: error instanceof Error ? error.message : String(error) });
}

scope.onmessage = ({ data }) => {
  if (broken) {
    return;
  }
  if (data.type === "init") {
    try {
      initSync({ module: data.module });
      running = new Running(data.canvas, (message, transfer) => scope.postMessage(message, transfer));
    } catch (error) {
      fail(error);
    }
    return;
  }
  try {
    const call = running?.[data.name] as (...args: unknown[]) => unknown;
    scope.postMessage({ type: "answer", id: data.id, value: call.apply(running, data.args) });
  } catch (error) {
    // A trap of WebAssembly leaves the engine in no known state.
    if (error instanceof WebAssembly.RuntimeError) {
      fail(error);
    } else {
      scope.postMessage({ type: "refused", id: data.id, message: error instanceof Error ? error.message : String(error) });
    }
  }
};

// What goes wrong in a frame.
self.addEventListener("error", (event) => fail((event as ErrorEvent).error ?? (event as ErrorEvent).message));
