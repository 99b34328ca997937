// The page's side of the language server: it opens and changes files there, and asks. If the server breaks, it is started again with the
// same files.

import workerText from "flockwork-language-worker";

import type {
  FindingsOfFile,
  FromLanguageWorker,
  LspDiagnostic,
  Range,
  Requests,
  ServerCapabilities,
  ServerMessage,
  ToLanguageWorker,
} from "./protocol.ts";
import { pathOf, uriOf } from "./uri.ts";

/** A change of a text: a range of the text before, and what replaces it. */
export interface TextChange {
  range: Range;
  text: string;
}

type Method = keyof Requests;

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Milliseconds without a key before a server that a text has broken is started with another one. */
const PAUSE = 500;

/** The language server as the editor uses it. */
export class LanguageClient {
  /** Is called with all findings of a file when they change, and with the text's version that they are about. */
  onFindings: (path: string, findings: LspDiagnostic[]) => void = () => {};
  /** Is called with a message for people when the server breaks. */
  onFailure: (message: string) => void = () => {};
  /** What the server can do, once it has said so. */
  capabilities: ServerCapabilities = {};
  /** Resolves when the server answers for the first time. */
  readonly ready: Promise<void>;

  readonly #module: Promise<WebAssembly.Module>;
  readonly #files = new Map<string, { version: number; text: string }>();
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #requests = 0;
  /** Counts the changes of files. */
  #changes = 0;
  /** How many changes there were when the server broke. */
  #brokenAt = -1;
  /** Whether the page knows that it broke, since it has said something. */
  #isFailureTold = false;
  #starting: ReturnType<typeof setTimeout> | undefined;
  #isOff = false;

  /**
   * Starts the server. The module is the compiled `flockwork_web_language_bg.wasm`. While it is loaded, files can be opened and changed
   * already.
   */
  constructor(module: WebAssembly.Module | Promise<WebAssembly.Module>) {
    this.#module = Promise.resolve(module);
    this.ready = this.#start();
    // Who waits for it hears of an error; nobody needs to wait.
    this.ready.catch(() => {});
  }

  async #start(): Promise<void> {
    const address = URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }));
    const worker = new Worker(address, { name: "Flockwork language server" });
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromLanguageWorker>) => {
      URL.revokeObjectURL(address);
      if (data.type === "broken") {
        this.#restart(data.message);
      } else {
        for (const message of JSON.parse(data.json) as ServerMessage[]) {
          this.#take(message);
        }
      }
    };
    worker.onerror = (event) => this.#restart(event.message || "its worker does not start");
    this.#module.then(
      (module) => worker.postMessage({ type: "init", module } satisfies ToLanguageWorker),
      (error: unknown) => this.#fail(error),
    );
    const params = { processId: null, rootUri: null, capabilities: {} };
    const result = await this.request("initialize", params);
    this.capabilities = result.capabilities;
    this.#notify("initialized", {});
  }

  /** Leaves the server off: it cannot be loaded. */
  #fail(error: unknown): void {
    this.#isOff = true;
    this.#stop("the language server is off");
    this.onFailure(`The language server cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }

  /** Starts the server again with the same files. If they break it at once, the next change is waited for. */
  #restart(message: string): void {
    this.#stop("the language server broke");
    const again = this.#brokenAt === this.#changes;
    this.#brokenAt = this.#changes;
    if (!this.#isFailureTold) {
      this.#isFailureTold = true;
      this.onFailure(`The language server broke, and starts again${again ? " when you change a file" : ""}: ${message}`);
    }
    if (!again) {
      this.#startWithFiles();
    }
  }

  #startWithFiles(): void {
    this.#start().catch(() => {});
    for (const [path, { version, text }] of this.#files) {
      this.#notifyOpen(path, version, text);
    }
  }

  #stop(reason: string): void {
    clearTimeout(this.#starting);
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject } of this.#pending.values()) {
      reject(new Error(reason));
    }
    this.#pending.clear();
  }

  /** Notes that a file changes. A server that broke is started with what will be there. */
  #noteChange(): void {
    this.#changes += 1;
    if (this.#worker === undefined && !this.#isOff) {
      clearTimeout(this.#starting);
      this.#starting = setTimeout(() => this.#startWithFiles(), PAUSE);
    }
  }

  #post(message: ToLanguageWorker): void {
    this.#worker?.postMessage(message);
  }

  #notify(method: string, params: object): void {
    this.#post({ type: "message", json: JSON.stringify({ jsonrpc: "2.0", method, params }) });
  }

  #notifyOpen(path: string, version: number, text: string): void {
    const languageId = path.endsWith(".ron") ? "ron" : "rhai";
    const textDocument = { uri: uriOf(path), languageId, version, text };
    this.#notify("textDocument/didOpen", { textDocument });
  }

  #take({ id, method, params, result, error }: ServerMessage): void {
    if (method === "textDocument/publishDiagnostics") {
      const { uri, version, diagnostics } = params as FindingsOfFile;
      const path = pathOf(uri);
      const file = this.#files.get(path);
      this.#isFailureTold = false;
      // Findings of an older text would be at wrong places.
      if (file === undefined || version == null || version === file.version) {
        this.onFindings(path, diagnostics);
      }
    } else if (id !== undefined) {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      if (error === undefined) {
        pending?.resolve(result);
      } else {
        pending?.reject(new Error(error.message));
      }
    }
  }

  /** Opens a file, or replaces the whole text of an open one. */
  open(path: string, text: string): void {
    const known = this.#files.get(path);
    if (known === undefined) {
      this.#noteChange();
      this.#files.set(path, { version: 1, text });
      this.#notifyOpen(path, 1, text);
    } else if (known.text !== text) {
      this.#change(path, text, [{ text }]);
    }
  }

  /** Changes an open file. The changes follow each other: each range is of the text after the changes before it. */
  change(path: string, text: string, changes: TextChange[]): void {
    this.#change(path, text, changes);
  }

  #change(path: string, text: string, contentChanges: object[]): void {
    const file = this.#files.get(path);
    if (file !== undefined) {
      this.#noteChange();
      file.version += 1;
      file.text = text;
      const textDocument = { uri: uriOf(path), version: file.version };
      this.#notify("textDocument/didChange", { textDocument, contentChanges });
    }
  }

  /** Closes a file: it is no longer part of the project. */
  close(path: string): void {
    if (this.#files.delete(path)) {
      this.#noteChange();
      this.#notify("textDocument/didClose", { textDocument: { uri: uriOf(path) } });
    }
  }

  /** Asks the server. Rejects with the message of its error, or if it breaks meanwhile. */
  request<M extends Method>(method: M, params: Requests[M][0]): Promise<Requests[M][1]> {
    if (this.#worker === undefined) {
      return Promise.reject(new Error("the language server is off"));
    }
    this.#requests += 1;
    const id = this.#requests;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#post({ type: "message", json: JSON.stringify({ jsonrpc: "2.0", id, method, params }) });
    return answer as Promise<Requests[M][1]>;
  }

  /** Ends the server. */
  destroy(): void {
    this.#files.clear();
    this.#isOff = true;
    this.#stop("the language server is off");
  }
}
