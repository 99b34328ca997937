// What the build makes: the bindings of `viewer/web/language` as `wasm-bindgen --target web` writes them, and the bundled worker.

declare module "flockwork-language" {
  export class Language {
    constructor();
    /** Takes a message as JSON, and returns the answers as a JSON array. */
    message(json: string): string;
    /** Checks the next file that waits, and returns messages about it; nothing if none waits. */
    idle(): string | undefined;
    free(): void;
  }
  /** Returns why the last call trapped. */
  export function failure(): string;
  export function initSync(options: { module: WebAssembly.Module }): void;
}

declare module "flockwork-language-worker" {
  /** The bundled worker as text, so that it also starts on pages that are opened from a disk. */
  const text: string;
  export default text;
}
