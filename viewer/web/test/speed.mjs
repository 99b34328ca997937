// Measures how long a tick and a picture take in WebAssembly, beside the program with its scalar instructions, in turn.
//
//     node viewer/web/test/speed.mjs FOLDER_WITH_WASM PROGRAM [ROUNDS]
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, program, rounds = "3"] = process.argv.slice(2);
const { World, initSync } = await import(pathToFileURL(resolve(folder, "flockwork_web_world.js")));
initSync({ module: readFileSync(join(folder, "flockwork_web_world_bg.wasm")) });

const [warmUp, measured] = [100, 50];

/** Returns the standard flock of `flockwork bench`. */
function flock(agents) {
    const size = Math.fround(Math.sqrt(agents * 50 * 50 * Math.PI / 4.8));
    const scenario = `(seed: 1, ticks: 150, limits: (agents: ${agents}), world: (size: (${size}, ${size}), edge: Wrap),
        groups: { "flock": (behavior: "flock", count: ${agents}, spawn: Rect(min: (0, 0), max: (${size}, ${size})),
            velocity: (180, 0), body: (radius: 1, max_speed: 180, max_force: 180)) })`;
    const script = "fn steer(me) { 1.5 * me.separation(25) + me.alignment(50) + me.cohesion(50) }";
    return new World(JSON.stringify({ "scenarios/flock.ron": scenario, "scripts/flock.rhai": script }), "scenarios/flock.ron", "{}");
}

/** Returns the nanoseconds that an agent's tick takes in WebAssembly, and the milliseconds of a picture. */
function inWebAssembly(agents) {
    const world = flock(agents);
    for (let tick = 0; tick < warmUp; tick += 1) world.step();
    let since = performance.now();
    for (let tick = 0; tick < measured; tick += 1) world.step();
    const tick = ((performance.now() - since) * 1e6) / (agents * measured);
    since = performance.now();
    for (let frame = 0; frame < 20; frame += 1) world.draw(1280, 720, 1);
    const picture = (performance.now() - since) / 20;
    world.free();
    return { tick, picture };
}

/** Returns the nanoseconds that an agent's tick takes in the program. */
function inProgram(agents) {
    const args = ["bench", "--agents", String(agents), "--ticks", String(measured), "--json"];
    const environment = { ...process.env, FLOCKWORK_SIMD: "scalar" };
    const result = JSON.parse(execFileSync(program, args, { encoding: "utf8", env: environment }));
    return result.modes.lowered.min_total_ns_per_agent_tick;
}

for (const agents of [1000, 10000]) {
    let [tick, picture, native] = [Infinity, Infinity, Infinity];
    for (let round = 0; round < Number(rounds); round += 1) {
        const here = inWebAssembly(agents);
        tick = Math.min(tick, here.tick);
        picture = Math.min(picture, here.picture);
        native = Math.min(native, inProgram(agents));
    }
    const ratio = (tick / native).toFixed(2);
    console.log(
        `${agents} agents: ${tick.toFixed(0)} ns for an agent and tick, ${ratio} times the program's ${native.toFixed(0)} ns (scalar); ` +
            `${picture.toFixed(1)} ms for a picture of 1280 x 720`,
    );
}
