// Goldens in WebAssembly: a comparison names what has changed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

import { read, root } from "./shipped.mjs";

const engine = join(root, "target/web-wasm");
const { World, initSync } = await import(pathToFileURL(join(engine, "flockwork_web_world.js")));
initSync({ module: readFileSync(join(engine, "flockwork_web_world_bg.wasm")) });

test("a comparison names the tick, the agent and the line, and a run that breaks is not the same", () => {
    const path = "scenarios/night_watch.ron";
    const files = { ...read("scripts", ".rhai"), [path]: read("scenarios", ".ron")[path] };
    const sneak = files["scripts/sneak.rhai"];
    const line = sneak.split("\n").findIndex((text) => text.includes("me.evade(guard)")) + 1;
    const world = new World(JSON.stringify(files), path, "{}");
    const golden = world.recordGolden("a test");
    const compared = (text) => {
        world.setFile("scripts/sneak.rhai", text);
        return JSON.parse(world.compare(golden));
    };
    assert.deepEqual(compared(sneak), { passed: true, same: true, tick: null, agent: null, file: null, line: null, text: "" });
    const { text, tick, ...other } = compared(sneak.replace("me.evade(guard)", "0.9 * me.evade(guard)"));
    assert.deepEqual(other, { passed: false, same: false, agent: 3, file: "scripts/sneak.rhai", line });
    assert.ok(tick > 0 && text.includes(`first difference  tick ${tick}`), text);
    const broken = compared('fn steer(me) { throw "no" }');
    assert.deepEqual([broken.passed, broken.same], [false, false]);
    world.free();
});
