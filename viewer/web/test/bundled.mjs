// Modules of the page for tests in node, which does not read TypeScript.

import path from "node:path";
import { fileURLToPath } from "node:url";

import esbuild from "esbuild";

const page = path.join(path.dirname(fileURLToPath(import.meta.url)), "../page");

/** Imports a module of the page, such as `link.ts`. */
export async function pageModule(name) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path.join(page, name)],
    bundle: true,
    format: "esm",
    write: false,
    target: "es2023",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
