// The language server as WebAssembly, without a browser: all files are open and nothing is on a disk.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { folder, missing, root } from "./support.mjs";

const skip = missing();

let loaded = 0;

/** A server for some files, by their paths in the project. */
class Server {
  static #glue;
  #language;
  #requests = 0;

  /** Loads the module anew: after a trap it is lost. */
  static async load() {
    loaded += 1;
    const address = `${pathToFileURL(path.join(folder, "flockwork_web_language.js"))}?${loaded}`;
    Server.#glue = await import(address);
    Server.#glue.initSync({ module: new WebAssembly.Module(readFileSync(path.join(folder, "flockwork_web_language_bg.wasm"))) });
  }

  constructor(files) {
    this.#language = new Server.#glue.Language();
    for (const [name, text] of Object.entries(files)) {
      this.open(name, text);
    }
  }

  #send(message) {
    try {
      return JSON.parse(this.#language.message(JSON.stringify({ jsonrpc: "2.0", ...message })));
    } catch (error) {
      throw new Error(`${JSON.stringify(message).slice(0, 200)}: ${Server.#glue.failure() || error}`);
    }
  }

  open(name, text) {
    this.#send({ method: "textDocument/didOpen", params: { textDocument: { uri: `file:///${name}`, languageId: "", version: 1, text } } });
  }

  request(method, name, more = {}) {
    this.#requests += 1;
    const answers = this.#send({ id: this.#requests, method, params: { textDocument: { uri: `file:///${name}` }, ...more } });
    return answers.find((one) => one.id === this.#requests);
  }

  /** Checks everything, and returns the findings by file. */
  check() {
    const found = {};
    for (let json = this.#idle(); json !== undefined; json = this.#idle()) {
      for (const { params } of JSON.parse(json)) {
        found[decodeURIComponent(params.uri.slice("file:///".length))] = params.diagnostics;
      }
    }
    return found;
  }

  #idle() {
    try {
      return this.#language.idle();
    } catch (error) {
      throw new Error(Server.#glue.failure() || String(error));
    }
  }

  free() {
    this.#language.free();
  }
}

/** Returns the files of a folder of the repository, by their paths in it. */
function files(under, ending) {
  const top = path.join(root, under);
  const all = readdirSync(top, { recursive: true }).filter((name) => name.endsWith(ending));
  return Object.fromEntries(all.sort().map((name) => [name, readFileSync(path.join(top, name), "utf8")]));
}

const below = (name, all) => Object.fromEntries(Object.entries(all).map(([key, text]) => [`${name}/${key}`, text]));

test("everything that ships has no findings where there is no disk", { skip, timeout: 600_000 }, async () => {
  await Server.load();
  const scripts = below("scripts", files("scripts", ".rhai"));
  const scenarios = below("scenarios", files("scenarios", ".ron"));
  assert.ok(Object.keys(scenarios).length > 100);
  const server = new Server({ ...scripts, ...scenarios });
  const found = Object.entries(server.check()).filter(([, all]) => all.some((one) => one.severity === 1));
  assert.deepEqual(found, []);
  server.free();
});

// What breaks says why only if the standard library is the usual one. Rhai waits a moment for a variable that is locked, and WebAssembly cannot wait. The page starts the server again.
const CANNOT_WAIT = ["scripts/closure_that_holds_itself.rhai", "scripts/locked_variable.rhai"];

test("nothing that a file contains breaks the server, but for waiting", { skip, timeout: 600_000 }, async () => {
  await Server.load();
  const world = readFileSync(path.join(root, "viewer/tests/hostile/world.ron"), "utf8");
  const deep = {
    "scripts/deep.rhai": `fn steer(me) { ${"(".repeat(20_000)} }`,
    "scripts/blocks.rhai": `fn steer(me) { ${"{".repeat(20_000)} }`,
    "scripts/arrays.rhai": `fn steer(me) { let a = ${"[".repeat(20_000)}; }`,
    "scripts/sums.rhai": `fn steer(me) { me.brake() * (${"1 + ".repeat(20_000)} 1) }`,
    "scripts/minus.rhai": `fn steer(me) { me.brake() * ${"-".repeat(20_000)}1 }`,
    // To follow a name behind 20,000 dots takes minutes.
    "scripts/members.rhai": `fn steer(me) { me${".pos".repeat(2_000)} }`,
    "scripts/else.rhai": `fn steer(me) { ${"if true { 1 } else ".repeat(5_000)} { 2 } }`,
    "scripts/comment.rhai": `fn steer(me) { ${"/*".repeat(20_000)} }`,
    "scenarios/deep.ron": "(".repeat(20_000),
    "scenarios/lists.ron": `(groups: ${"[".repeat(20_000)}`,
    "scenarios/maps.ron": `(groups: ${"{\"a\":".repeat(20_000)}`,
    "scenarios/some.ron": `(ticks: ${"Some(".repeat(20_000)}`,
  };
  const hostile = { ...below("scripts", files("viewer/tests/hostile/scripts", ".rhai")), ...below("scenarios", files("viewer/tests/hostile/scenarios", ".ron")), ...deep };
  assert.ok(Object.keys(hostile).length > 20);
  const broken = [];
  for (const [name, text] of Object.entries(hostile)) {
    const scenario = name.endsWith(".rhai") ? { "scenarios/world.ron": world.replace("SCRIPT", name.slice("scripts/".length, -".rhai".length)) } : {};
    try {
      const server = new Server({ ...scenario, [name]: text });
      server.check();
      const position = { line: 0, character: Math.min(20, text.length) };
      for (const method of ["hover", "completion", "signatureHelp", "definition", "prepareRename"]) {
        server.request(`textDocument/${method}`, name, { position });
      }
      server.request("textDocument/semanticTokens/full", name);
      server.request("textDocument/formatting", name, { options: { tabSize: 4, insertSpaces: true } });
      server.free();
    } catch (error) {
      const isKnown = CANNOT_WAIT.includes(name) && /can't sleep|unreachable/.test(String(error));
      broken.push(isKnown ? name : `${name}: ${String(error).slice(0, 300)}`);
      await Server.load();
    }
  }
  assert.deepEqual(broken, CANNOT_WAIT);
});
