// The worker with the language server. It answers messages in order, and checks one file at a time when none waits.

import { failure, initSync, Language } from "flockwork-language";

import type { FromLanguageWorker, ToLanguageWorker } from "./protocol.ts";

// The types of pages and of workers cannot be loaded together; this is all that is needed of a worker's own.
const scope = self as unknown as {
  postMessage(message: FromLanguageWorker): void;
  onmessage: (event: MessageEvent<ToLanguageWorker>) => void;
};

let language: Language | undefined;
let isChecking = false;
/** Messages that came before the module was loaded. */
const early: string[] = [];

// A message to itself comes after those of the page that have arrived already.
const later = new MessageChannel();
later.port1.onmessage = () => {
  isChecking = false;
  attempt(() => {
    const json = language?.idle();
    if (json !== undefined) {
      send(json);
      check();
    }
  });
};

function check(): void {
  if (!isChecking) {
    isChecking = true;
    later.port2.postMessage(null);
  }
}

function send(json: string): void {
  if (json !== "[]") {
    scope.postMessage({ type: "messages", json });
  }
}

/** Does something with the server. If it traps, its memory may be wrong: it is not used again. */
function attempt(action: () => void): void {
  try {
    action();
  } catch (error) {
    language = undefined;
    let message = error instanceof Error ? error.message : String(error);
    if (error instanceof WebAssembly.RuntimeError) {
      // It says `unreachable` at most. What the code said itself is better, if it was built to say something.
      try {
        message = failure() || "an error of its own";
      } catch {
        message = "an error of its own";
      }
    }
    scope.postMessage({ type: "broken", message });
  }
}

function take(json: string): void {
  if (language === undefined) {
    early.push(json);
  } else {
    send(language.message(json));
    check();
  }
}

scope.onmessage = ({ data }) => {
  attempt(() => {
    if (data.type === "init") {
      initSync({ module: data.module });
      language = new Language();
      early.splice(0).forEach(take);
    } else {
      take(data.json);
    }
  });
};
