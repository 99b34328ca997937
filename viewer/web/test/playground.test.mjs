// The playground as people use it: edits, errors, time, agents, params, plots.

import assert from "node:assert/strict";
import test from "node:test";

import { edit, fileText, goTo, hashAt, panel, reach, showsFile, started, tick, useBrowser, withPlayground } from "./browser.mjs";

useBrowser();

/** Opens a file of the project by its tab. */
async function openFile(page, name) {
  await page.locator("#file-bar").getByRole("tab", { name }).click();
}

test("the first world moves at once, without a word from the user", () =>
  withPlayground("", {}, async (page) => {
    await reach(page, 5);
    const first = await page.locator("#view").screenshot();
    await reach(page, 40);
    assert.notDeepEqual(await page.locator("#view").screenshot(), first);
    assert.match(await page.locator("#intro").textContent(), /Change a number in the script/);
    assert.match(await page.locator("#proof-line").textContent(), /^meadow · hash [0-9a-f]{16} at tick \d+, the same on every machine/);
  }));

test("an edit takes effect while the world goes on", () =>
  withPlayground("", {}, async (page) => {
    await reach(page, 20);
    const before = await tick(page);
    await edit(page, "fn steer(me) {", 'fn steer(me) {\n    if me.id == 7 { debug("seven"); }');
    await panel(page, "Log");
    const line = page.locator(".log li").first();
    await line.waitFor();
    assert.match(await line.textContent(), /^tick (\d+), agent 7 "?seven"? scripts\/bird\.rhai:3/);
    assert.ok(Number(/tick (\d+)/.exec(await line.textContent())[1]) >= before, "it began again");
    // A click on the line goes to its tick and selects its agent.
    await page.keyboard.press("Escape");
    await line.getByRole("button").click();
    await panel(page, "Why");
    await page.locator(".headline", { hasText: "agent 7 (bird)" }).waitFor();
  }));

test("an error leaves the last good version running, and is shown at its place", () =>
  withPlayground("", {}, async (page) => {
    await reach(page, 10);
    await edit(page, "me.evade", "me.evaed");
    await page.locator(".notice", { hasText: "there is no function evaed" }).waitFor();
    assert.match(await page.locator(".problems").textContent(), /^1 errorerror: there is no function evaed scripts\/bird\.rhai:5:\d+did you mean evade\?/);
    assert.match(await page.locator("#file-bar").getByRole("tab", { name: "bird" }).textContent(), /1$/);
    const at = await tick(page);
    await reach(page, at + 30);
    await openFile(page, "hawk");
    await page.locator(".notice").getByRole("button", { name: "Go to bird.rhai:5" }).click();
    await showsFile(page, /me\.evaed/);
    await page.locator(".cm-editor.cm-focused .cm-activeLine", { hasText: "me.evaed" }).waitFor();
    await edit(page, "me.evaed", "me.evade");
    await page.locator(".notice").waitFor({ state: "hidden" });
    await page.locator(".problems").waitFor({ state: "hidden" });
    await reach(page, (await tick(page)) + 10);
  }));

test("half-typed words are no errors yet, and the text does not move when there are some", () =>
  withPlayground("", {}, async (page) => {
    await reach(page, 10);
    const height = async () => (await page.locator("#editor").boundingBox()).height;
    const before = await height();
    // When the editor has an error, and when the page shows one, both after the last key.
    await page.evaluate(() => {
      window.seen = {};
      const look = () => {
        const now = performance.now();
        if (document.querySelector(".cm-lintRange-error") !== null) window.seen.editor ??= now;
        if (!document.querySelector(".notice").hidden) window.seen.notice ??= now;
        if (!document.querySelector(".problems").hidden) window.seen.problems ??= now;
        requestAnimationFrame(look);
      };
      look();
    });
    await page.locator(".cm-content").getByText("steer").click();
    await page.keyboard.press("End");
    for (const key of "\nxyz;") {
      await page.keyboard.press(key === "\n" ? "Enter" : key);
      await page.waitForTimeout(400);
    }
    const typed = await page.evaluate(() => performance.now());
    await page.locator(".notice", { hasText: "xyz" }).waitFor();
    await page.locator(".problems").waitFor();
    const seen = await page.evaluate(() => window.seen);
    assert.ok(seen.editor < typed, "the editor marks it at once");
    assert.ok(seen.notice > typed && seen.problems > typed, JSON.stringify({ ...seen, typed }));
    assert.equal(await height(), before);
    // While it stands still, nothing goes on.
    assert.match(await page.locator(".notice").textContent(), /The last version without errors goes on\./);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.locator(".notice", { hasText: "The last version without errors is shown." }).waitFor();
    // What is gone disappears at once, without a pause.
    const fixed = (await fileText(page)).replace(/\n *xyz;/, "");
    await page.locator("#editor [contenteditable=true]").fill(fixed);
    const filled = await page.evaluate(() => performance.now());
    await page.locator(".notice").waitFor({ state: "hidden" });
    assert.ok((await page.evaluate(() => performance.now())) - filled < 950);
  }));

test("the editor fixes a mistake, and renames a param in all files of the running world", () =>
  withPlayground("", {}, async (page) => {
    await reach(page, 10);
    await edit(page, "me.evade", "me.evaed");
    await page.locator(".notice").waitFor();
    // When the fixes arrive, the editor closes the tooltip that is open; the next move of the pointer opens it again.
    const fix = page.getByRole("button", { name: /evade/ }).first();
    for (let count = 0; count < 20 && !(await fix.isVisible()); count += 1) {
      await page.locator(".cm-lintRange-error").hover({ position: { x: 2 + (count % 8), y: 5 } });
      await page.waitForTimeout(500);
    }
    await fix.click();
    await page.locator(".notice").waitFor({ state: "hidden" });
    await showsFile(page, /me\.evade\(hawk\)/);
    await page.locator(".cm-content").getByText("fear_radius").click();
    await page.keyboard.press("F2");
    const field = page.locator(".cm-dialog input, .cm-panel input").first();
    await field.fill("fright");
    await page.keyboard.press("Enter");
    await showsFile(page, /me\.params\.fright/);
    await page.getByLabel("bird.fright, slider").waitFor();
    await openFile(page, "meadow");
    await showsFile(page, /"fright": 70\.0/);
    assert.equal(await page.locator(".notice").isVisible(), false);
    await reach(page, (await tick(page)) + 5);
  }));

test("a script that does not end, and one that fails later, do not stop the page", () =>
  withPlayground("", {}, async (page) => {
    await reach(page, 10);
    await edit(page, "fn steer(me) {", "fn steer(me) {\n    loop { }");
    await page.locator(".notice", { hasText: "endless" }).waitFor();
    const at = await tick(page);
    await reach(page, at + 10);
    await edit(page, "    loop { }", "    if world.tick > 5000 { return 1 / 0 * me.pos; }");
    await page.locator(".notice").waitFor({ state: "hidden" });
  }));

test("a world with very long ticks can be stopped, and goes on once it is faster", () =>
  withPlayground("", {}, async (page) => {
    await reach(page, 10);
    await edit(page, "fn steer(me) {", "fn steer(me) {\n    let x = 0; for i in 0..120000 { x = [i].len(); }");
    await page.locator(".notice", { hasText: "A tick takes long." }).waitFor({ timeout: 60_000 });
    // The page itself still answers.
    await openFile(page, "hawk");
    await showsFile(page, /pursue/);
    await page.getByRole("button", { name: "Stop it" }).click();
    await page.locator(".notice", { hasText: "A tick takes long." }).waitFor({ state: "hidden" });
    await openFile(page, "bird");
    await edit(page, "for i in 0..120000 { x = [i].len(); }", "");
    await page.getByRole("button", { name: "Play" }).click({ timeout: 120_000 });
    await reach(page, 10);
  }));

test("a world whose files never ran starts as soon as they can", () =>
  withPlayground("", {}, async (page, context) => {
    await edit(page, "fn steer(me) {", "fn steer(me {");
    await page.locator(".notice").waitFor();
    await page.waitForFunction(() => location.hash.startsWith("#1."));
    const other = await context.newPage();
    await other.goto(page.url());
    await other.locator(".notice", { hasText: "Nothing can run yet." }).waitFor();
    await edit(other, "fn steer(me {", "fn steer(me) {");
    await other.locator(".notice").waitFor({ state: "hidden" });
    await reach(other, 10);
  }));

test("reloading the page keeps the edits", () =>
  withPlayground("", {}, async (page) => {
    await edit(page, "1.5 * me.separation(16)", "1.75 * me.separation(16)");
    await page.waitForFunction(() => location.hash.startsWith("#1."));
    await page.reload();
    await started(page);
    await showsFile(page, /1\.75 \* me\.separation\(16\)/);
    assert.equal(await page.locator("#intro").isVisible(), false);
  }));

test("the time bar goes back, and time comes again to the bit", () =>
  withPlayground("", {}, async (page) => {
    await reach(page, 60);
    await page.keyboard.press("Space");
    const end = await tick(page);
    const later = await hashAt(page, 50);
    await goTo(page, 10);
    await page.keyboard.press(".");
    await page.waitForFunction(() => document.querySelector("#proof-line").textContent.includes("at tick 11,"));
    await page.keyboard.press(",");
    await page.waitForFunction(() => document.querySelector("#proof-line").textContent.includes("at tick 10,"));
    await page.keyboard.press("Space");
    await reach(page, 50);
    await page.keyboard.press("Space");
    assert.equal(await hashAt(page, 50), later);
    await page.keyboard.press("End");
    await reach(page, end);
    await page.keyboard.press("Home");
    await page.waitForFunction(() => document.querySelector("#proof-line").textContent.includes("at tick 0,"));
    // Beyond what is known there is nothing to go to.
    await page.locator(".time-bar").evaluate((bar) => {
      bar.value = bar.max;
      bar.dispatchEvent(new Event("input"));
    });
    await page.waitForFunction(() => !document.querySelector("#proof-line").textContent.includes("at tick 0,"));
    assert.ok((await tick(page)) < 600);
  }));

test("a tick can be typed, and a run that is over plays when it starts again", () =>
  withPlayground("", {}, async (page) => {
    const shows = (wanted) => page.waitForFunction((value) => document.querySelector("#proof-line").textContent.includes(`at tick ${value},`), wanted);
    const type = async (wanted) => {
      await page.locator(".transport .time").click();
      await page.getByLabel("Tick to go to").fill(String(wanted));
      await page.keyboard.press("Enter");
    };
    await reach(page, 40);
    await type(17);
    await shows(17);
    // Caught: it said that this tick was not known yet.
    await type(1180);
    await shows(1180);
    await page.getByRole("button", { name: "Play" }).waitFor();
    // A slider waits while the world stands still.
    await page.getByLabel("bird.fear_radius, slider").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("#status", { hasText: "fear_radius = 71.0 takes effect when the world goes on" }).waitFor();
    // It was paused, so it starts paused, and does not claim to run.
    await page.keyboard.press("r");
    await shows(0);
    await page.locator("#status", { hasText: "The newest files are ready to play." }).waitFor();
    await page.waitForTimeout(300);
    await shows(0);
    // Caught: a click behind what has run did nothing.
    const bar = await page.locator(".time-bar").boundingBox();
    await page.mouse.click(bar.x + bar.width / 2, bar.y + bar.height / 2);
    await reach(page, 590);
    await page.getByRole("button", { name: "Play" }).waitFor();
    assert.ok((await tick(page)) <= 610);
    await page.keyboard.press("r");
    await shows(0);
    await page.getByLabel("Speed").selectOption("64");
    await page.getByRole("button", { name: "Play" }).click();
    await shows(1200);
    await page.getByRole("button", { name: "Play" }).waitFor();
    await page.getByLabel("Speed").selectOption("1");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Start again" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await reach(page, 5);
  }));

test("a click on an agent says why it does what it does", () =>
  withPlayground("", {}, async (page) => {
    await reach(page, 30);
    await page.keyboard.press("Space");
    await page.keyboard.press("/");
    await page.keyboard.type("12");
    await page.keyboard.press("Enter");
    await page.locator(".headline", { hasText: "agent 12 (bird)" }).waitFor();
    // Bring it to the center, deselect it, and click there.
    await page.getByLabel("keep it in the center").check();
    await page.keyboard.press("Escape");
    await page.locator(".hint", { hasText: "Click an agent" }).waitFor();
    const box = await page.locator("#view").boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.locator(".headline", { hasText: "agent 12 (bird)" }).waitFor();
    const rows = page.locator(".why tbody tr");
    assert.ok((await rows.count()) >= 1);
    const first = await rows.first().textContent();
    assert.match(first, /^(evade|separation|alignment|cohesion).+\(.*\).*bird\.rhai:\d+$/);
    // The line of a call opens the script there.
    await openFile(page, "meadow");
    await rows.first().getByRole("button").click();
    await showsFile(page, /scripts\/bird\.rhai/);
  }));

test("params are sliders, both ways, and can be written into the scenario", () =>
  withPlayground("", {}, async (page) => {
    const slider = page.getByLabel("bird.fear_radius, slider");
    const field = page.getByLabel("fear_radius", { exact: true });
    assert.equal(await slider.inputValue(), "70");
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector(".param-value").value === "71.0");
    await field.fill("55.5");
    await field.press("Enter");
    await page.waitForFunction(() => Number(document.querySelector(".param input[type=range]").value) >= 55);
    await field.fill("(");
    await field.press("Enter");
    await page.locator("#status", { hasText: "fear_radius cannot be (" }).waitFor();
    await panel(page, "Plots");
    await page.waitForFunction(() => /^M[\d.]+ 0V90/.test(document.querySelector(".plot-change")?.getAttribute("d") ?? ""));
    await panel(page, "Params");
    await page.getByRole("button", { name: "Write into the scenario" }).click();
    await page.locator("#status", { hasText: "written into scenarios/meadow.ron" }).waitFor();
    await openFile(page, "meadow");
    await showsFile(page, /"fear_radius": 55\.5/);
    // The world says that its params are those of the file some time after it has written them.
    await page.getByRole("button", { name: "Write into the scenario" }).waitFor({ state: "hidden" });
    // A value in the file moves the slider.
    await edit(page, '"fear_radius": 55.5', '"fear_radius": 120.0');
    await page.waitForFunction(() => document.querySelector(".param input[type=range]").value === "120");
    await slider.focus();
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("button", { name: "Set bird.fear_radius back" }).click();
    await page.waitForFunction(() => document.querySelector(".param-value").value === "120.0");
  }));

test("plots, expectations, seeds and other scenarios", () =>
  withPlayground("#example=night_watch", {}, async (page) => {
    await reach(page, 60);
    await panel(page, "Plots");
    await page.waitForFunction(() => (document.querySelector(".plot-line")?.getAttribute("d") ?? "").split("L").length > 10);
    await page.getByText("Choose what to plot").click();
    const boxes = page.locator(".choices input");
    const count = await page.locator(".plot").count();
    await boxes.nth(await boxes.count() - 1).check();
    assert.equal(await page.locator(".plot").count(), count + 1);
    // The run before this one stays as a pale line, but not that of another world.
    assert.equal((await page.locator(".plot-before").first().getAttribute("d")) ?? "", "");
    const drawn = await page.locator(".plot-line").first().getAttribute("d");
    await page.getByRole("button", { name: "Start again" }).click();
    await page.waitForFunction(() => (document.querySelector(".plot-before")?.getAttribute("d") ?? "").split("L").length > 10);
    assert.ok(drawn.length > 0);
    await panel(page, "Expectations");
    await page.locator(".expectations .holds, .expectations .not-yet").first().waitFor();
    assert.match(await page.locator(".expectations").textContent(), /Reach\(group: "thief", by: 1000\)/);
    await reach(page, 55);
    const before = await hashAt(page, 50);
    await page.getByRole("button", { name: "Play" }).waitFor();
    await panel(page, "Params");
    await page.getByLabel("seed", { exact: true }).fill("99");
    await page.getByLabel("seed", { exact: true }).press("Enter");
    await page.keyboard.press("Escape");
    await page.locator("#view .flockwork-canvas").focus();
    await page.waitForFunction(() => document.querySelector("#proof-line").textContent.includes("at tick 0,"));
    await page.keyboard.press("Space");
    await reach(page, 50);
    assert.notEqual(await hashAt(page, 50), before);
  }));

test("a world with inputs can be played by keys and by buttons", () =>
  withPlayground("#example=heist", {}, async (page) => {
    await reach(page, 2);
    await page.keyboard.press("Space");
    const inputs = page.locator(".inputs button");
    assert.ok((await inputs.count()) >= 4);
    await goTo(page, 0);
    const run = async (act, end) => {
      await page.keyboard.press("r");
      await page.waitForFunction(() => document.querySelector("#proof-line").textContent.includes("at tick 0,"));
      await act();
      await page.locator("#view .flockwork-canvas").focus();
      for (let count = 0; count < 12; count += 1) {
        await page.getByRole("button", { name: "One tick forward" }).click();
      }
      await end();
      await reach(page, 12);
      return hashAt(page, 12);
    };
    const idle = await run(async () => undefined, async () => undefined);
    const played = await run(
      async () => inputs.first().dispatchEvent("pointerdown"),
      async () => inputs.first().dispatchEvent("pointerup"),
    );
    assert.notEqual(played, idle);
    assert.equal(await run(async () => undefined, async () => undefined), idle);
  }));

test("files can be added, renamed and deleted", () =>
  withPlayground("", {}, async (page) => {
    await page.getByRole("button", { name: "New file" }).click();
    const path = page.getByLabel("Path, such as scripts/hawk.rhai");
    await path.fill("../evil.rhai");
    await page.locator("dialog .problem", { hasText: "a file is in `scenarios/` or in `scripts/`" }).waitFor();
    await path.fill("scripts/owl.rhai");
    await path.press("Enter");
    await showsFile(page, /me\.wander\(\)/);
    await openFile(page, "meadow");
    await edit(page, 'behavior: "hawk"', 'behavior: "owl"');
    await page.locator("#status", { hasText: "Changed" }).waitFor();
    await openFile(page, "owl");
    await page.getByRole("button", { name: "Rename this file" }).click();
    await page.getByLabel("New path").fill("scripts/night/owl.rhai");
    await page.getByLabel("New path").press("Enter");
    await page.locator(".notice", { hasText: "owl" }).waitFor();
    await openFile(page, "meadow");
    await edit(page, 'behavior: "owl"', 'behavior: "night/owl"');
    await page.locator(".notice").waitFor({ state: "hidden" });
    await openFile(page, "hawk");
    await page.getByRole("button", { name: "Delete this file" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.locator("#file-bar").getByRole("tab", { name: "hawk" }).waitFor({ state: "detached" });
    await openFile(page, "meadow");
    await page.getByRole("button", { name: "Delete this file" }).click();
    await page.locator("#status", { hasText: "The only scenario cannot be deleted." }).waitFor();
    await reach(page, (await tick(page)) + 10);
  }));

test("many files scroll in their row, by the wheel, and the row shows that it goes on", () =>
  withPlayground("#example=heist", {}, async (page) => {
    await page.setViewportSize({ width: 820, height: 700 });
    const tabs = page.locator("#file-bar .tabs");
    await page.locator("#file-bar .tabs.more-right").waitFor();
    await tabs.hover();
    await page.mouse.wheel(0, 400);
    await page.locator("#file-bar .tabs.more-left").waitFor();
    assert.ok((await tabs.evaluate((row) => row.scrollLeft)) > 0);
  }));
