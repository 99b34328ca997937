// What the panel "Proof" says about hashes and goldens, and the colors of the panel "Why".

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";

import { edit, panel, reach, root, showsFile, started, useBrowser, withPlayground } from "./browser.mjs";
import { pageModule } from "./bundled.mjs";

useBrowser();

test("a golden does not have the values of sliders, which is said beside the buttons", () =>
  withPlayground("", {}, async (page) => {
    await reach(page, 10);
    await panel(page, "Proof");
    const hint = page.locator("#panel-body .warning", { hasText: "The sliders are not part of the files" });
    assert.equal(await hint.isVisible(), false);
    await panel(page, "Params");
    await page.getByLabel("fear_radius", { exact: true }).fill("161.0");
    await page.getByLabel("fear_radius", { exact: true }).press("Enter");
    await page.getByRole("button", { name: "Set bird.fear_radius back" }).waitFor();
    await panel(page, "Proof");
    await hint.waitFor();
    // The hash is not that of a run from the start.
    const outdated = page.locator("#panel-body .warning", { hasText: "A run from the start has another hash." });
    await outdated.waitFor();
    assert.match(await page.locator("#proof-line").textContent(), /, after a change at tick \d+/);
    await hint.getByRole("button", { name: "Write into the scenario" }).click();
    await hint.waitFor({ state: "hidden" });
    await outdated.getByRole("button", { name: "Start again" }).click();
    await outdated.waitFor({ state: "hidden" });
    await page.waitForFunction(() => document.querySelector("#proof-line").textContent.includes("the same on every machine"));
  }));

test("a comparison is a sentence, with all details behind it, and survives a new start but no edit", () =>
  withPlayground("", {}, async (page) => {
    await panel(page, "Proof");
    await page.getByRole("button", { name: "Record a golden" }).click();
    await page.locator(".result", { hasText: "The golden is recorded" }).waitFor({ timeout: 60_000 });
    await edit(page, "0.5 * me.cohesion", "0.625 * me.cohesion");
    await page.locator(".result:empty").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Compare with the golden" }).click();
    await page.locator(".result .failed", { hasText: "The run differs from the golden." }).waitFor({ timeout: 60_000 });
    assert.equal(await page.locator(".result pre").isVisible(), false);
    await page.getByRole("button", { name: "Start again", exact: true }).last().click();
    await page.waitForFunction(() => document.querySelector("#proof-line").textContent.includes("the same on every machine"));
    await page.getByText("The whole text").click();
    await page.locator(".result pre", { hasText: "first difference" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Compare with the golden" }).isEnabled(), true);
  }));

test("the first difference is one click away", () =>
  withPlayground("", {}, async (page, context) => {
    // Whatever the engine finds here: the page shows what it is told.
    await context.addInitScript(() => {
      const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, "onmessage");
      Object.defineProperty(Worker.prototype, "onmessage", {
        set(listener) {
          set.call(this, ({ data }) => {
            if (typeof data.value?.passed === "boolean") {
              Object.assign(data.value, { passed: false, same: false, tick: 25, agent: 12, file: "scripts/hawk.rhai", line: 2 });
            }
            listener({ data });
          });
        },
      });
    });
    await page.reload();
    await started(page);
    await reach(page, 40);
    await panel(page, "Proof");
    await page.getByRole("button", { name: "Record a golden" }).click();
    await page.locator(".result", { hasText: "The golden is recorded" }).waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "Compare with the golden" }).click();
    await page.getByRole("button", { name: "Open hawk.rhai:2" }).click({ timeout: 60_000 });
    await showsFile(page, /pursue/);
    await page.getByRole("button", { name: "Go to tick 25 and select agent 12" }).click();
    await page.locator(".headline", { hasText: "agent 12 (bird)" }).waitFor();
    await page.waitForFunction(() => document.querySelector("#proof-line").textContent.includes("at tick 25,"));
  }));

test("rows and arrows of forces have the same colors", async () => {
  const rust = readFileSync(path.join(root, "viewer/draw/src/color.rs"), "utf8");
  const css = readFileSync(path.join(root, "viewer/web/page/playground/playground.css"), "utf8");
  const palettes = [...rust.matchAll(/ forces: \[(\s+[^\]]*)\],\n/g)].map(([, list]) => [...list.matchAll(/0x([0-9a-f]{6})/g)].map(([, color]) => color));
  const [light, dark] = palettes;
  const rows = [...css.matchAll(/^\.force-(\d+) \{ --force: light-dark\(#(\w+), #(\w+)\); \}$/gm)];
  assert.deepEqual(rows.map(([, number, a, b]) => [Number(number), a, b]), light.map((color, index) => [index, color, dark[index]]));
});

test("the row of the only call has the color of its arrow in the world", () =>
  withPlayground("#example=primitives/seek", {}, async (page) => {
    await reach(page, 5);
    await page.keyboard.press("Space");
    await page.keyboard.press("/");
    await page.keyboard.type("0");
    await page.keyboard.press("Enter");
    const color = await page.locator(".why .arrow").first().evaluate((square) => getComputedStyle(square).backgroundColor);
    await page.waitForFunction(
      async (wanted) => {
        const canvas = document.querySelector(".flockwork-canvas canvas");
        const copy = document.createElement("canvas");
        Object.assign(copy, { width: canvas.width, height: canvas.height });
        const context = copy.getContext("2d");
        context.drawImage(canvas, 0, 0);
        const { data } = context.getImageData(0, 0, copy.width, copy.height);
        let count = 0;
        for (let at = 0; at < data.length; at += 4) {
          count += Number(`rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})` === wanted);
        }
        return count > 20;
      },
      color,
    );
  }));
