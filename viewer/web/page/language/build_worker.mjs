// A plugin for esbuild: the bundled worker of the language server as text, under the name `flockwork-language-worker`.

import path from "node:path";
import { fileURLToPath } from "node:url";

import esbuild from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));

/** `folder` is where `wasm-bindgen --target web` wrote `flockwork_web_language.js`; `options` are those of esbuild for all bundles. */
export function languageWorker(folder, options) {
  return {
    name: "language-worker",
    setup(build) {
      build.onResolve({ filter: /^flockwork-language-worker$/ }, () => ({ path: "worker", namespace: "language-worker" }));
      build.onLoad({ filter: /.*/, namespace: "language-worker" }, async () => {
        const result = await esbuild.build({
          ...options,
          entryPoints: [path.join(here, "language_worker.ts")],
          alias: { "flockwork-language": path.resolve(folder, "flockwork_web_language.js") },
          // Only for loading the server by address, which the page does.
          define: { "import.meta.url": '"file:///"' },
          format: "iife",
          bundle: true,
          write: false,
        });
        return { contents: result.outputFiles[0].text, loader: "text" };
      });
    },
  };
}
