// Measures in Chromium how long it takes until something moves in the playground, with an empty cache, and how many frames a flock has in a
// second.
//
//     node viewer/web/test/pages_speed.mjs FOLDER_OF_PAGES [ROUNDS]
import path from "node:path";

import { chromium } from "playwright-core";

import { serve } from "./server.mjs";

const [folder, rounds = "5"] = process.argv.slice(2);
const server = await serve({ "/": path.resolve(folder) });
const launch = () =>
    chromium.launch({ executablePath: process.env.FLOCKWORK_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

/** Returns the milliseconds from opening the playground until its world has moved, and until the editor has findings. */
async function firstBird() {
    const browser = await launch();
    const page = await browser.newPage();
    await page.goto(`${server.url}/playground.html`, { waitUntil: "commit" });
    // The time of the page begins when it is opened.
    const moved = await page.waitForFunction(() => {
        const tick = Number(/tick (\d+)/.exec(document.querySelector(".time")?.textContent ?? "")?.[1] ?? 0);
        return tick > 0 ? performance.now() : false;
    }, undefined, { polling: 10 });
    const milliseconds = await moved.jsonValue();
    await browser.close();
    return milliseconds;
}

/** Returns the ticks and the frames in a second of a flock that plays at 60 ticks in a second. */
async function frames(agents) {
    const browser = await launch();
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.route("**/flock.html", (route) => route.fulfill({
        contentType: "text/html",
        body: '<!doctype html><style>body{margin:0}flockwork-world{display:block;width:1280px;height:720px}</style><script src="flockwork.js"></script><flockwork-world></flockwork-world>',
    }));
    await page.goto(`${server.url}/flock.html`);
    const counted = await page.evaluate(async (agents) => {
        const size = Math.fround(Math.sqrt(agents * 50 * 50 * Math.PI / 4.8));
        const scenario = `(seed: 1, ticks: 100000, limits: (agents: ${agents}), world: (size: (${size}, ${size}), edge: Wrap),
            groups: { "flock": (behavior: "flock", count: ${agents}, spawn: Rect(min: (0, 0), max: (${size}, ${size})),
                velocity: (180, 0), body: (radius: 1, max_speed: 180, max_force: 180)) })`;
        const script = "fn steer(me) { 1.5 * me.separation(25) + me.alignment(50) + me.cohesion(50) }";
        const world = document.querySelector("flockwork-world");
        const ready = new Promise((resolve) => world.addEventListener("ready", resolve, { once: true }));
        await world.load({ files: { "scenarios/flock.ron": scenario, "scripts/flock.rhai": script } });
        await ready;
        await world.play();
        await new Promise((resolve) => setTimeout(resolve, 3000));
        let events = 0;
        world.addEventListener("tick", () => (events += 1));
        const [from, since] = [world.state.tick, performance.now()];
        await new Promise((resolve) => setTimeout(resolve, 5000));
        const seconds = (performance.now() - since) / 1000;
        return { ticks: (world.state.tick - from) / seconds, frames: events / seconds };
    }, agents);
    await browser.close();
    return counted;
}

const times = [];
for (let round = 0; round < Number(rounds); round += 1) times.push(await firstBird());
times.sort((a, b) => a - b);
console.log(`first bird moves after ${times[0].toFixed(0)} to ${times.at(-1).toFixed(0)} ms, median ${times[Math.floor(times.length / 2)].toFixed(0)} ms`);
for (const agents of [1000, 10000]) {
    const { ticks, frames: shown } = await frames(agents);
    console.log(`${agents} agents: ${ticks.toFixed(0)} ticks and ${shown.toFixed(0)} frames in a second`);
}
server.close();
