// The engine's WebAssembly, loaded and compiled once for all worlds of a page.

import { loadWasm } from "./wasm.ts";

let source: string | undefined;
let compiled: Promise<WebAssembly.Module> | undefined;

/** Says where `flockwork.wasm` is. The first call counts. */
export function setEngineSource(url: string): void {
  source ??= url;
}

/** Returns the compiled engine, which is loaded at the first call. */
export function engine(): Promise<WebAssembly.Module> {
  if (source === undefined) {
    throw new Error("setEngineSource was not called");
  }
  compiled ??= loadWasm(source).catch((error: unknown) => {
    // The next call tries again: the network may be back.
    compiled = undefined;
    throw error;
  });
  return compiled;
}
