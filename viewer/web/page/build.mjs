// Bundles the pages into one folder that any web server can serve, and that also works when it is opened from a disk.
//
//     node page/build.mjs --engine FOLDER --out FOLDER [--program FILE] [--root FOLDER] [--book ADDRESS]
//
// --engine   where `viewer/web/build-wasm` wrote flockwork-web-world and flockwork-web-language
// --out      the folder of the pages
// --program  the program `flockwork`, which draws the pictures of the gallery; without it the gallery has none
// --root     the repository, with `scenarios` and `scripts` [default: three folders up]
// --book     where the pages of the book are, for links to them [default: ../, since the book has the pages in a folder]

import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

import esbuild from "esbuild";

import { writeExamples } from "./build_examples.mjs";
import { packForNpm } from "./build_npm.mjs";
import { languageWorker } from "./language/build_worker.mjs";

const page = path.dirname(fileURLToPath(import.meta.url));

const { values: options } = parseArgs({
  options: {
    engine: { type: "string" },
    out: { type: "string" },
    program: { type: "string" },
    root: { type: "string", default: path.join(page, "../../..") },
    book: { type: "string", default: "../" },
  },
});
if (options.engine === undefined || options.out === undefined) {
  console.error("usage: node page/build.mjs --engine FOLDER --out FOLDER [--program FILE] [--root FOLDER] [--book ADDRESS]");
  process.exit(2);
}
const glue = path.resolve(options.engine, "flockwork_web_world.js");
const wasm = await readFile(path.resolve(options.engine, "flockwork_web_world_bg.wasm"));
const out = path.resolve(options.out);

const common = {
  bundle: true,
  minify: true,
  target: ["chrome120", "firefox120", "safari17.4"],
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

/** Bundles the worker of worlds and gives it to pages as text: a worker from a file does not start on a page from a disk. */
const worker = {
  name: "world-worker",
  setup(build) {
    build.onResolve({ filter: /^flockwork-world-worker$/ }, () => ({ path: "worker", namespace: "world-worker" }));
    build.onLoad({ filter: /.*/, namespace: "world-worker" }, async () => {
      const result = await esbuild.build({
        ...common,
        entryPoints: [path.join(page, "world_worker.ts")],
        alias: { "flockwork-engine": glue },
        // Only for loading the engine by address, which the page does.
        define: { "import.meta.url": '"file:///"' },
        format: "iife",
        write: false,
      });
      return { contents: result.outputFiles[0].text, loader: "text" };
    });
  },
};

await mkdir(out, { recursive: true });
const engineScript = await writeWasm("flockwork.wasm", wasm);
await writeWasm("language.wasm", await readFile(path.resolve(options.engine, "flockwork_web_language_bg.wasm")));

// Classic scripts, not modules: browsers do not load modules from a disk.
await esbuild.build({
  ...common,
  entryPoints: {
    flockwork: path.join(page, "element.ts"),
    playground: path.join(page, "playground/main.ts"),
    gallery: path.join(page, "gallery/main.ts"),
  },
  plugins: [worker, languageWorker(options.engine, common)],
  define: {
    "import.meta.url": "document.currentScript.src",
    FLOCKWORK_BOOK: JSON.stringify(options.book.replace(/\/?$/, "/")),
  },
  format: "iife",
  outdir: out,
});
await esbuild.build({
  ...common,
  entryPoints: {
    playground: path.join(page, "playground/playground.css"),
    gallery: path.join(page, "gallery/gallery.css"),
  },
  outdir: out,
});
await writeSinglePage();
await cp(path.join(page, "playground/playground.html"), path.join(out, "playground.html"));
await cp(path.join(page, "icon.svg"), path.join(out, "icon.svg"));

const first = await writeExamples({ root: path.resolve(options.root), out, page, program: options.program });
const version = JSON.parse(await readFile(path.join(page, "../package.json"), "utf8")).version;
await packForNpm({ page, out, wasm, common, plugins: [worker], version, first });

/** Writes a file of WebAssembly, and the script that contains it for pages from a disk. Returns the text of the script. */
async function writeWasm(name, bytes) {
  const script = `flockworkWasm("${name}", "${gzipSync(bytes, { level: 9 }).toString("base64")}");\n`;
  await writeFile(path.join(out, name), bytes);
  await writeFile(path.join(out, `${name}.js`), script);
  return script;
}

/** Writes `page.html`, which has everything in it but a project: `flockwork export page` puts one there. */
async function writeSinglePage() {
  const bundle = async (entry) => {
    const { outputFiles } = await esbuild.build({
      ...common,
      entryPoints: [path.join(page, "single", entry)],
      plugins: [worker],
      define: { "import.meta.url": '""' },
      format: entry.endsWith(".ts") ? "iife" : undefined,
      write: false,
    });
    // The bundler writes `<\\/script` in strings, so nothing ends the element too early.
    return outputFiles[0].text;
  };
  const [style, script, template] = await Promise.all([
    bundle("single.css"),
    bundle("main.ts"),
    readFile(path.join(page, "single/page.html"), "utf8"),
  ]);
  if (/<\/script/i.test(script) || /<\/style/i.test(style)) {
    throw new Error("the page of one file would end too early");
  }
  await writeFile(
    path.join(out, "page.html"),
    template
      .replace("/* style */", () => style)
      .replace("/* script */", () => script)
      .replace("/* engine */", () => engineScript),
  );
}
