// Runs every scenario that ships in WebAssembly, to its last tick, and compares the hash of its state with that of the program.
//
//     node viewer/web/test/hashes.mjs FOLDER_WITH_WASM PROGRAM [NAME...]
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { read, root } from "./shipped.mjs";

const [folder, program, ...names] = process.argv.slice(2);
const { World, initSync } = await import(pathToFileURL(resolve(folder, "flockwork_web_world.js")));
initSync({ module: readFileSync(join(folder, "flockwork_web_world_bg.wasm")) });

const scripts = read("scripts", ".rhai");
const scenarios = Object.entries(read("scenarios", ".ron")).filter(([path]) => !path.endsWith(".plan.ron"));
const asked = scenarios.filter(([path]) => names.length === 0 || names.some((name) => path.includes(name)));

let failed = 0;
let [native, here, agents] = [0, 0, 0];
for (const [path, text] of asked) {
    let since = performance.now();
    const printed = execFileSync(program, ["run", path, "--json", "--threads", "1"], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const known = JSON.parse(printed);
    native += performance.now() - since;
    since = performance.now();
    let hash;
    try {
        const world = new World(JSON.stringify({ ...scripts, [path]: text }), path, "{}");
        while (world.tick() < world.ticks()) {
            const result = world.step();
            if (result !== "new") throw new Error(`tick ${world.tick()}: ${result}: ${world.errors()}`);
        }
        hash = world.hash();
        agents += world.ids().length;
        world.free();
    } catch (error) {
        hash = String(error);
    }
    here += performance.now() - since;
    if (hash !== known.state_hash) {
        failed += 1;
        console.log(`${path}: the program has the hash ${known.state_hash}, WebAssembly ${hash}`);
    }
}
console.log(`${asked.length - failed} passed, ${failed} failed`);
console.log(`the program took ${(native / 1000).toFixed(1)} s, WebAssembly ${(here / 1000).toFixed(1)} s; ${agents} agents at the end`);
process.exit(failed === 0 && asked.length > 0 ? 0 : 1);
