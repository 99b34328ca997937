// Links, zips and dropped files in the browser. The program `flockwork` must accept what the page makes: FLOCKWORK_PROGRAM names it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";

import { strToU8, unzipSync, zipSync } from "fflate";

import { edit, fileText, hashAt, panel, reach, root, showsFile, started, useBrowser, withPlayground } from "./browser.mjs";
import { hostileLinks } from "./hostile_links.mjs";

const program =
  process.env.FLOCKWORK_PROGRAM ??
  ["release", "debug"].map((profile) => path.join(root, "target", profile, "flockwork")).find((file) => existsSync(file));

useBrowser();

/** Clicks "Download" and returns the bytes of the zip. */
async function downloaded(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

async function dropped(page, files) {
  await page.evaluate((list) => {
    const transfer = new DataTransfer();
    for (const [name, bytes] of list) {
      transfer.items.add(new File([new Uint8Array(bytes)], name));
    }
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, files.map(([name, bytes]) => [name, [...bytes]]));
}

test("a shared link opens the same world, with its params and its seed, to the bit", () =>
  withPlayground("", {}, async (page, context) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await edit(page, "0.5 * me.cohesion", "0.625 * me.cohesion");
    await page.getByLabel("fear_radius", { exact: true }).fill("90.0");
    await page.getByLabel("fear_radius", { exact: true }).press("Enter");
    await page.waitForFunction(() => document.querySelector(".param button:not([hidden])") !== null);
    await reach(page, 10);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Play" }).waitFor();
    await page.getByLabel("seed", { exact: true }).fill("31");
    await page.getByLabel("seed", { exact: true }).press("Enter");
    await page.waitForFunction(() => document.querySelector("#proof-line").textContent.includes("at tick 0,"));
    await page.getByRole("button", { name: "Play" }).click();
    await reach(page, 40);
    const hash = await hashAt(page, 30);
    await page.getByRole("button", { name: "Share" }).click();
    const link = await page.getByLabel("Link").inputValue();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
    await page.getByRole("button", { name: "Close" }).click();
    const other = await context.newPage();
    await other.goto(link);
    await started(other);
    await showsFile(other, /0\.625 \* me\.cohesion/);
    assert.equal(await other.getByLabel("fear_radius", { exact: true }).inputValue(), "90.0");
    assert.equal(await other.getByLabel("seed", { exact: true }).inputValue(), "31");
    await reach(other, 35);
    assert.equal(await hashAt(other, 30), hash);
  }));

test("a downloaded project passes its test in the program, and opens again", { skip: program === undefined && "there is no program flockwork" }, () =>
  withPlayground("", {}, async (page) => {
    await edit(page, "0.5 * me.cohesion", "0.625 * me.cohesion");
    await page.locator("#status", { hasText: "Changed" }).waitFor();
    await panel(page, "Proof");
    await page.getByRole("button", { name: "Record a golden" }).click();
    await page.locator(".result", { hasText: "The golden is recorded" }).waitFor({ timeout: 60_000 });
    const { name, bytes } = await downloaded(page);
    assert.equal(name, "meadow.zip");
    const folder = mkdtempSync(path.join(tmpdir(), "flockwork-zip-"));
    try {
      for (const [file, content] of Object.entries(unzipSync(bytes))) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        writeFileSync(path.join(folder, file), content);
      }
      const report = execFileSync(program, ["test"], { cwd: path.join(folder, "meadow"), encoding: "utf8", stdio: "pipe" });
      assert.match(report, /1 scenario: 1 passed, 0 failed/);
      // It fails if there is an error.
      execFileSync(program, ["check"], { cwd: path.join(folder, "meadow"), stdio: "pipe" });
    } finally {
      rmSync(folder, { recursive: true });
    }
    // The zip opens again, with its golden, which still holds; then it does not.
    await page.locator("input[type=file]").setInputFiles({ name, mimeType: "application/zip", buffer: bytes });
    await page.locator("#status", { hasText: "3 files opened." }).waitFor();
    await showsFile(page, /0\.625 \* me\.cohesion/);
    await page.getByRole("button", { name: "Compare with the golden" }).click();
    await page.locator(".result", { hasText: "the same as the golden, to the bit" }).waitFor({ timeout: 60_000 });
    await edit(page, "0.625 * me.cohesion", "0.7 * me.cohesion");
    await page.locator("#status", { hasText: "Changed" }).waitFor();
    await page.getByRole("button", { name: "Compare with the golden" }).click();
    await page.locator(".result", { hasText: "first difference" }).waitFor({ timeout: 60_000 });
  }));

test("dropped files are opened: a zip, a scenario with its script, a single script", () =>
  withPlayground("", {}, async (page) => {
    const scenario = '(ticks: 100, world: (size: (100, 100)), groups: { "a": (behavior: "a", spawn: Points([(50, 50)])) })';
    const zip = zipSync({ "x/scenarios/b.ron": strToU8(scenario), "x/scripts/a.rhai": strToU8("fn steer(me) { me.wander() }"), "x/.git/c": strToU8("") });
    await dropped(page, [["b.zip", zip]]);
    await showsFile(page, /me\.wander\(\)/);
    await page.waitForFunction(() => document.querySelector("#proof-line").textContent.startsWith("b ·"));
    await dropped(page, [["c.ron", strToU8(scenario)], ["a.rhai", strToU8("fn steer(me) { me.seek(vec(1, 2)) }")]]);
    await showsFile(page, /me\.seek/);
    await page.waitForFunction(() => document.querySelector("#proof-line").textContent.startsWith("c ·"));
    await dropped(page, [["extra.rhai", strToU8("fn twice(x) { 2 * x }")]]);
    await showsFile(page, /twice/);
    assert.equal(await page.locator("#file-bar").getByRole("tab").count(), 3);
    for (const [name, bytes, message] of [
      ["bad.zip", strToU8("PK no zip"), /no zip, or it is damaged/],
      ["bad.rhai", new Uint8Array([0xff, 0xff]), /not a text in UTF-8/],
      ["picture.png", new Uint8Array([1, 2, 3]), /no scenario \(\.ron\) and no script/],
    ]) {
      await dropped(page, [[name, bytes]]);
      await page.locator("#status", { hasText: message }).waitFor();
    }
    assert.equal(await page.locator("#file-bar").getByRole("tab").count(), 3);
  }));

test("200 hostile links show a message, and the world that is there goes on", () =>
  withPlayground("", {}, async (page) => {
    await page.evaluate(() => {
      window.alerts = 0;
      window.alert = () => (window.alerts += 1);
    });
    let opened = 0;
    for (const { link } of hostileLinks(200, 37)) {
      await page.evaluate(() => (document.querySelector("#intro").hidden = true));
      await page.evaluate((hash) => (location.hash = hash), link);
      await page.waitForFunction(() => {
        const intro = document.querySelector("#intro");
        return !intro.hidden || !document.querySelector("#proof-line").textContent.startsWith("meadow");
      });
      if (!(await page.locator("#intro").isVisible())) {
        opened += 1;
        await page.evaluate(() => (location.hash = "#example=meadow"));
        await page.waitForFunction(() => document.querySelector("#proof-line").textContent.startsWith("meadow"));
        continue;
      }
      assert.match(await page.locator("#intro").textContent(), /^The link cannot be opened: [^\u0000-\u001f]{10,400}$/);
    }
    assert.ok(opened <= 15, `${opened} were opened`);
    assert.equal(await page.evaluate(() => window.alerts), 0);
    // The world may have come to its end meanwhile.
    await page.keyboard.press("Home");
    // Before it is told that it is paused, the key would pause it once more.
    await page.getByRole("button", { name: "Play" }).waitFor();
    await page.keyboard.press("Space");
    await reach(page, 10);
  }));

test("a link to a world that is too large, or has strange scripts, does not break the page", () =>
  withPlayground("", {}, async (page, context) => {
    const worlds = [
      ['(groups: { "a": (behavior: "a", count: 4000000000) })', "fn steer(me) { me.wander() }"],
      ['(groups: { "a": (behavior: "a", count: 3) })', "fn steer(me) { let x = []; loop { x.push(x); } }"],
      ['(groups: { "a": (behavior: "a", count: 3) })', "fn f(n) { f(n + 1) } fn steer(me) { f(0) }"],
      ['(groups: { "a": (behavior: "../../etc/passwd", count: 3) })', "fn steer(me) { me.wander() }"],
      ['(groups: { "a": (behavior: "a", count: 3) })', 'import "../../secret" as s; fn steer(me) { s::f() }'],
      ["(".repeat(100_000), "fn steer(me) { me.wander() }"],
      ['(groups: { "a": (behavior: "a", count: 3) })', `fn steer(me) { ${"(".repeat(100_000)} }`],
    ];
    for (const [scenario, script] of worlds) {
      const files = { "scenarios/a.ron": scenario, "scripts/a.rhai": script };
      const { deflateRawSync } = await import("node:zlib");
      const hash = `#1.${deflateRawSync(Buffer.from(JSON.stringify({ scenario: "scenarios/a.ron", files }))).toString("base64url")}`;
      const other = await context.newPage();
      await other.goto(`${page.url().replace(/#.*/, "")}${hash}`);
      await other.locator(".notice").waitFor({ timeout: 60_000 });
      assert.match(await other.locator(".notice").textContent(), /Nothing can run yet\./, scenario.slice(0, 80) + script.slice(0, 80));
      await other.close();
    }
    assert.match(await fileText(page), /me\.evade/);
  }));
