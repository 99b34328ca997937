// Runs worlds for as long as a page that is left open for 20 minutes, and checks that they stop taking more memory.
//
//     node viewer/web/test/memory.mjs FOLDER_WITH_WASM [AGENTS]
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { read } from "./shipped.mjs";

const [folder, agents = "300"] = process.argv.slice(2);
const { World, initSync } = await import(pathToFileURL(resolve(folder, "flockwork_web_world.js")));
const { memory } = initSync({ module: readFileSync(join(folder, "flockwork_web_world_bg.wasm")) });

/** 20 minutes with 60 ticks in a second. */
const TICKS = 20 * 60 * 60;
/** Megabytes that a page may take. */
const MOST = 400;
const megabytes = () => memory.buffer.byteLength / 2 ** 20;

const scripts = read("scripts", ".rhai");
const flock = read("scenarios", ".ron")["scenarios/flock.ron"].replace(/count: \d+/, `count: ${agents}`);
const world = new World(JSON.stringify({ ...scripts, "scenarios/a.ron": flock }), "scenarios/a.ron", "{}");
world.setTrails(true);
let half = 0;
const since = performance.now();
for (let tick = 1; tick <= TICKS; tick += 1) {
    if (world.step() !== "new") throw new Error(world.errors());
    if (tick % 60 === 0) world.draw(640, 400, 1);
    if (tick === TICKS / 2) half = megabytes();
}
const seconds = ((performance.now() - since) / 1000).toFixed(0);
console.log(`${agents} agents: ${half.toFixed(0)} MB after 10 minutes, ${megabytes().toFixed(0)} MB after 20 (${seconds} s of work)`);
const passed = megabytes() <= MOST ? 1 : 0;
console.log(`${passed} passed, ${1 - passed} failed`);
process.exit(1 - passed);
