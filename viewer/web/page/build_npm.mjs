// The package for npm: the element as a module, its types, the engine, and an example. It is packed, not published.

import { execFile } from "node:child_process";
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

import esbuild from "esbuild";

const run = promisify(execFile);

/** Writes the package into `OUT/../web-npm` and packs it into `OUT/flockwork-VERSION.tgz`. */
export async function packForNpm({ page, out, wasm, common, plugins, version, first }) {
  const folder = path.join(out, "../web-npm");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await esbuild.build({
    ...common,
    entryPoints: [path.join(page, "element.ts")],
    plugins,
    format: "esm",
    outfile: path.join(folder, "flockwork.js"),
  });
  await writeFile(path.join(folder, "flockwork.wasm"), wasm);
  await writeTypes(page, folder);
  const manifest = JSON.parse(await readFile(path.join(page, "npm/package.json"), "utf8"));
  await writeFile(path.join(folder, "package.json"), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  await cp(path.join(page, "npm/README.md"), path.join(folder, "README.md"));
  // The example is in the package, and runs from its folder.
  await cp(path.join(page, "npm/example"), path.join(folder, "example"), { recursive: true });
  await writeFile(path.join(folder, "example/meadow.json"), `${JSON.stringify(first.project)}\n`);
  for (const file of await readdir(out)) {
    if (file.endsWith(".tgz")) {
      await rm(path.join(out, file));
    }
  }
  await run("npm", ["pack", "--silent", "--pack-destination", out, folder]);
}

/** The declarations of the element's interface and of what it names. */
async function writeTypes(page, folder) {
  const types = path.join(folder, "types");
  await run(path.join(page, "../node_modules/.bin/tsc"), [
    ...["--project", path.join(page, "npm/tsconfig.json"), "--outDir", types],
  ]);
  // The compiler leaves the endings of sources, which are not in the package.
  for (const file of await readdir(types)) {
    const text = await readFile(path.join(types, file), "utf8");
    await writeFile(path.join(types, file), text.replace(/(from "\.\/\w+)\.ts"/g, '$1.js"'));
  }
  await writeFile(path.join(folder, "flockwork.d.ts"), 'export * from "./types/element.js";\n');
}
