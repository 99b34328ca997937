// The test page in a real browser. Needs Chromium (FLOCKWORK_CHROMIUM, or /usr/bin/chromium) and the built language server
// (FLOCKWORK_LANGUAGE: the folder that
// `viewer/web/build-wasm` wrote).

import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import esbuild from "esbuild";
import { chromium } from "playwright-core";

import { languageWorker } from "../../page/language/build_worker.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.join(here, "../../../..");
export const folder = process.env.FLOCKWORK_LANGUAGE ?? path.join(root, "target/web-wasm");
const program = process.env.FLOCKWORK_CHROMIUM ?? "/usr/bin/chromium";

/** Why the tests cannot run; nothing if they can. */
export function missing() {
  if (!existsSync(path.join(folder, "flockwork_web_language_bg.wasm"))) {
    return `there is no language server in ${folder}: run viewer/web/build-wasm ${folder} flockwork-web-language`;
  }
  return existsSync(program) ? undefined : `there is no ${program}`;
}

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".wasm": "application/wasm" };

/** Builds the page, serves it, and opens a browser. */
export async function open() {
  const out = await mkdtemp(path.join(tmpdir(), "flockwork-editor-"));
  const options = { bundle: true, target: "es2023", charset: "utf8", logLevel: "warning" };
  await esbuild.build({
    ...options,
    entryPoints: [path.join(here, "page.ts")],
    outdir: out,
    format: "iife",
    plugins: [languageWorker(folder, options)],
  });
  const server = createServer(async (request, response) => {
    const name = path.basename(new URL(request.url ?? "/", "http://localhost").pathname);
    const files = { "page.html": path.join(here, "page.html"), "page.js": path.join(out, "page.js") };
    const file = name === "language.wasm" ? path.join(folder, "flockwork_web_language_bg.wasm") : files[name];
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[path.extname(name)] }).end(await readFile(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const browser = await chromium.launch({
    executablePath: program,
    args: ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"],
  });
  const address = `http://127.0.0.1:${server.address().port}/page.html`;
  return {
    /** Opens a fresh page with the files of a project. */
    async start(files, { dark = false } = {}) {
      const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
      const errors = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      await page.goto(address);
      await page.evaluate(([all, isDark]) => window.start(all, isDark), [files, dark]);
      return { page, errors };
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
      await rm(out, { recursive: true });
    },
  };
}

/** Returns the text of a file of the repository. */
export function read(file) {
  return readFile(path.join(root, file), "utf8");
}
