// The page of one file as VS Code shows it beside the code.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

import { DESK, meadow, useBrowser, web, withPage } from "./browser.mjs";

const own = mkdtempSync(path.join(tmpdir(), "flockwork-editor-"));
process.on("exit", () => rmSync(own, { recursive: true }));

useBrowser();

/**
 * Writes the page of the meadow as VS Code shows it, with a script at its beginning, and returns its address. In it, `lastOf(kind)` is what
 * the page has told VS Code last of a kind.
 */
function pageInEditor(name, script = "", project = meadow) {
  const page = readFileSync(path.join(web, "page.html"), "utf8");
  const begin = '<script id="flockwork-project" type="application/json">';
  const at = page.indexOf(begin);
  const editor = `<script>
    var told = [];
    var acquireVsCodeApi = () => ({ postMessage: (one) => told.push(one), setState: (flockworkState) => told.push({ flockworkState }) });
    var lastOf = (kind) => told.findLast((one) => kind in one)?.[kind];
    ${script}</script>`;
  const json = JSON.stringify(project).replaceAll("<", "\\u003c");
  const file = path.join(own, name);
  writeFileSync(file, page.slice(0, at) + editor + begin + json + page.slice(page.indexOf("</script>", at)));
  return pathToFileURL(file).href;
}

/** Caught: the explanation scrolled in a small box, with free height below the sliders. */
test("a page in VS Code gives its explanation the height that is free", () =>
  withPage(pageInEditor("free_height.html"), DESK, async (page) => {
    await page.waitForFunction(() => document.querySelector("flockwork-world")?.state?.tick > 0);
    await page.locator("flockwork-world .param").first().waitFor();
    const heights = () => page.evaluate(() => [document.querySelector(".why").offsetHeight, document.documentElement.scrollHeight - innerHeight]);
    for (const [height, isFree] of [[1400, true], [500, false]]) {
      await page.setViewportSize({ width: 700, height });
      const [why, below] = await heights();
      // With the lower panel of the editor open, it has more lines than its part.
      const least = isFree ? 0.24 * height : 135;
      // Where nothing is free, the page scrolls, and the box has its least height.
      assert.ok(isFree ? why > least + 100 && below === 0 : Math.abs(why - least) < 3 && below > 0, `${height}: ${why}, ${below}`);
      await page.evaluate(() => document.querySelector("flockwork-world").select(1));
      await page.waitForFunction(() => /agent/.test(document.querySelector(".why").textContent));
      assert.deepEqual(await heights(), [why, below]);
    }
  }));

/** Caught: nothing said that the run fails. */
test("a page says which expectation has failed first, and goes there", () => {
  const scenario = meadow.files[meadow.scenario].replace(/^\(/m, "(expect: [MaxSpeed(speed: 1, from: 30)],");
  const failing = { ...meadow, files: { ...meadow.files, [meadow.scenario]: scenario } };
  return withPage(pageInEditor("failing.html", "", failing), DESK, async (page) => {
    const play = page.locator("flockwork-world .bar");
    await play.waitFor();
    const before = await play.boundingBox();
    const failure = page.getByRole("button", { name: /^✗ fails: agent \d+ .* at tick \d+; / });
    await failure.waitFor();
    await page.waitForFunction(() => document.querySelector("flockwork-world").state.tick > 20);
    assert.deepEqual(await play.boundingBox(), before);
    assert.match(await failure.getAttribute("title"), /^MaxSpeed\(speed: 1, from: 30\): agent /);
    await failure.click();
    const [, tick] = /tick (\d+)/.exec(await failure.textContent());
    await page.waitForFunction((tick) => document.querySelector("flockwork-world").state.tick === tick, Number(tick));
    await page.waitForFunction(() => document.querySelector("flockwork-world").state.selected !== undefined);
    // Caught: after a repair, it was said to fail until the next run.
    const repaired = { ...failing.files, [meadow.scenario]: `${scenario}// repaired` };
    await page.evaluate((files) => postMessage({ flockworkProject: { files } }), repaired);
    await page.getByRole("button", { name: /^✗ before the change: agent .* at tick \d+; / }).waitFor();
    // The note about the saved files does not cover it.
    const [below, button] = await Promise.all([page.locator(".note").boundingBox(), page.locator(".failure").boundingBox()]);
    assert.ok(below.y >= button.y + button.height, JSON.stringify([below, button]));
    await page.getByRole("button", { name: "From the beginning" }).click();
    await page.getByRole("button", { name: "Play" }).click();
    await page.getByRole("button", { name: /^✗ fails: agent / }).waitFor();
    // Once the files no longer ask for it, nothing is said.
    await page.evaluate((files) => postMessage({ flockworkProject: { files } }), meadow.files);
    await failure.waitFor({ state: "hidden" });
  });
});

test("a page in VS Code goes on with saved files, and begins anew with its debugger", () =>
  withPage(pageInEditor("saved.html"), DESK, async (page) => {
    await page.waitForFunction(() => document.querySelector("flockwork-world")?.state?.tick > 10);
    await page.getByText("Files").click();
    const tick = await page.evaluate(() => document.querySelector("flockwork-world").state.tick);
    const saved = { ...meadow.files, "scripts/strange.rhai": "// saved" };
    await page.evaluate((files) => postMessage({ flockworkProject: { files } }), saved);
    await page.locator("details[open] pre", { hasText: "// saved" }).waitFor();
    await page.waitForFunction((tick) => document.querySelector("flockwork-world").state.tick > tick, tick);
    // A debugger that begins now runs the saved files from the first tick on, so the world does, too: what ran before is gone.
    await page.evaluate(() => postMessage({ flockworkTurn: { tick: 5, agent: 1 } }));
    await page.waitForFunction(() => document.querySelector("flockwork-world").state.end === 5);
    assert.equal(await page.evaluate(() => document.querySelector("flockwork-world").state.tick), 5);
    // The button begins with the first tick, too.
    await page.getByRole("button", { name: "From the beginning" }).click();
    await page.waitForFunction(() => document.querySelector("flockwork-world").state.end === 0);
  }));

/** Caught: it played on from the first tick. */
test("a page in VS Code begins where its debugger stands", () => {
  const turn = 'addEventListener("DOMContentLoaded", () => postMessage({ flockworkTurn: { tick: 30, agent: 5 } }));';
  return withPage(pageInEditor("while_debugging.html", turn), DESK, async (page) => {
    await page.waitForFunction(() => lastOf("flockworkValues")?.tick === 30);
    assert.equal(await page.evaluate(() => lastOf("flockworkValues").agent), 5);
    await page.getByRole("button", { name: "Play" }).waitFor();
    assert.equal(await page.evaluate(() => document.querySelector("flockwork-world").state.tick), 30);
  });
});

/** Caught: after an edit while debugging, the world ran the new files from the first tick on. */
test("a page in VS Code runs saved files from the tick on from which its debugger runs them", () =>
  withPage(pageInEditor("edited_while_debugging.html"), DESK, async (page) => {
    await page.waitForFunction(() => document.querySelector("flockwork-world")?.state?.tick > 0);
    await page.evaluate(() => document.querySelector("flockwork-world").watch("hash"));
    const script = "scripts/bird.rhai";
    const turned = { ...meadow.files, [script]: "fn steer(me) { vec(0, 50) }" };
    /** Returns the state of the world at a tick of a debugger's run. */
    const hash = (tick, ...versions) =>
      page.evaluate(
        async ([tick, versions]) => {
          const world = document.querySelector("flockwork-world");
          const agent = 1 + (window.turns = (window.turns ?? 0) + 1);
          postMessage({ flockworkTurn: { tick, agent, versions } });
          while (world.state.tick !== tick || world.state.selected !== agent || world.state.playing) {
            await new Promise((resolve) => world.addEventListener("tick", resolve, { once: true }));
          }
          return world.state.hash;
        },
        [tick, versions],
      );
    const start = { tick: 0, files: meadow.files };
    const plain = { at5: await hash(5, start), at30: await hash(30, start) };
    const edits = [start, { tick: 10, files: turned }];
    const edited = await hash(30, ...edits);
    assert.notEqual(edited, plain.at30);
    assert.equal(await hash(5, ...edits), plain.at5);
    assert.equal(await hash(30, ...edits), edited);
    // A world in which something else has happened runs the same again.
    await page.evaluate(() => document.querySelector("flockwork-world").dispatchEvent(new Event("input")));
    assert.equal(await hash(30, ...edits), edited);
    // An edit at an earlier tick takes the place of the later one.
    assert.notEqual(await hash(30, start, { tick: 7, files: turned }), edited);
    // A new run of the debugger begins with the saved files.
    const anew = await hash(30, { tick: 0, files: turned });
    assert.ok(![edited, plain.at30].includes(anew));
    assert.equal(await hash(30, start), plain.at30);
  }));

/** Caught: the world ran with the seed and the params of the files. */
test("a page in VS Code has the seed and the params of its debugger until that ends", () =>
  withPage(pageInEditor("debugged_with_options.html"), DESK, async (page) => {
    await page.waitForFunction(() => document.querySelector("flockwork-world")?.state?.tick > 0);
    const turn = { tick: 20, agent: 3, versions: [{ tick: 0, files: meadow.files, seed: 77, params: { "bird.fear_radius": "51.0" } }] };
    await page.evaluate((flockworkTurn) => postMessage({ flockworkTurn }), turn);
    await page.waitForFunction(() => lastOf("flockworkValues")?.tick === 20);
    const slider = page.locator("flockwork-world").getByLabel("fear_radius", { exact: true });
    assert.equal(Number(await slider.inputValue()), 51);
    const run = () => page.evaluate(() => (({ seed, params }) => ({ seed, params: Object.fromEntries(params) }))(document.querySelector("flockwork-world").project));
    assert.deepEqual(await run(), { seed: 77, params: { "bird.fear_radius": "51.0" } });
    assert.match(await page.locator("flockwork-world .time").textContent(), /^tick 20 · \d+\.\d s$/);
    // The files that VS Code gives after the debugger are run as they are.
    await page.evaluate((files) => postMessage({ flockworkProject: { files } }), meadow.files);
    await page.waitForFunction(() => document.querySelector("flockwork-world").project.seed === undefined);
    assert.deepEqual((await run()).params, {});
  }));

test("a page in VS Code tells it what the selected agent computes, and says why it moves", () => {
  return withPage(pageInEditor("in_editor.html"), DESK, async (page) => {
    await page.locator("pre.why", { hasText: "click an agent" }).waitFor();
    await page.waitForFunction(() => document.querySelector("flockwork-world")?.state?.tick > 0);
    // It would end on a slow machine.
    await page.evaluate(() => document.querySelector("flockwork-world").pause());
    // Caught: the explanation of another agent was scrolled to its end.
    const explanation = page.locator("pre.why");
    const scrolled = () => explanation.evaluate((element) => element.scrollTop);
    for (const agent of [2, 4]) {
      await page.evaluate((agent) => document.querySelector("flockwork-world").select(agent), agent);
      await explanation.filter({ hasText: new RegExp(`^agent ${agent} `) }).waitFor();
      assert.equal(await scrolled(), 0);
      await explanation.evaluate((element) => (element.scrollTop = 999));
      assert.ok((await scrolled()) > 0);
    }
    await page.evaluate(() => postMessage({ flockworkState: { scenario: "a.ron" } }));
    await page.waitForFunction(() => lastOf("flockworkState")?.scenario === "a.ron");
    await page.evaluate(() => postMessage({ flockworkSelect: 3 }));
    await page.waitForFunction(() => lastOf("flockworkValues")?.agent === 3);
    await page.locator("pre.why", { hasText: "agent 3" }).waitFor();
    assert.match(await page.evaluate(() => lastOf("flockworkWhy")), /^agent 3 /);
    const { tick, files } = await page.evaluate(() => lastOf("flockworkValues"));
    assert.ok(tick >= 0);
    const [{ name, text, values }] = files;
    assert.equal(text, meadow.files[name]);
    // Each value is at a name, or at a condition.
    assert.ok(values.length > 0);
    const names = values.filter((value) => !value.is_condition);
    assert.ok(names.every(({ start, end }) => /^\w+$/.test(Buffer.from(text).subarray(start, end).toString())));
    await page.evaluate(() => document.querySelector("flockwork-world").select(undefined));
    await page.waitForFunction(() => lastOf("flockworkValues") === null);
    // Caught: the sentence about the agent stayed.
    await page.locator("pre.why", { hasText: "click an agent" }).waitFor();
    // Caught: what is said of the files moved the controls.
    const button = page.getByRole("button", { name: "From the beginning" });
    const before = await button.boundingBox();
    const long = `scripts/go.rhai:1:23: this \`(\` is not closed${" and neither is this one".repeat(9)}. The version before goes on.`;
    await page.evaluate((flockworkNote) => postMessage({ flockworkNote }), long);
    const note = page.locator(".note");
    await note.getByRole("button", { name: "scripts/go.rhai:1:23" }).click();
    assert.deepEqual(await page.evaluate(() => lastOf("flockworkOpen")), { path: "scripts/go.rhai", line: 1, column: 23 });
    assert.deepEqual(await button.boundingBox(), before);
    // Caught: it was cut off at the right.
    assert(await note.evaluate((shown) => shown.scrollWidth <= shown.clientWidth && shown.scrollHeight <= shown.clientHeight));
    await page.evaluate(() => postMessage({ flockworkNote: "" }));
    await note.waitFor({ state: "hidden" });
    // Caught: nothing said that a saved file runs, nor from when on.
    const [script] = Object.keys(meadow.files).filter((name) => name.endsWith(".rhai"));
    const saved = { ...meadow.files, [script]: `${meadow.files[script]}\n// saved\n` };
    const since = await page.evaluate(() => document.querySelector("flockwork-world").state.tick);
    await page.evaluate((files) => postMessage({ flockworkProject: { files } }), saved);
    await page.waitForFunction(() => document.querySelector(".note")?.textContent !== "");
    const [, from] = /^Saved: the new version runs from tick (\d+) on\.$/.exec(await note.textContent()) ?? [];
    assert.ok(Number(from) >= since, `${await note.textContent()}, at ${since}`);
    assert.deepEqual(await button.boundingBox(), before);
    await page.evaluate((files) => postMessage({ flockworkProject: { files } }), meadow.files);
    // Where its debugger stands: ahead, and back.
    for (const tick of [400, 7]) {
      await page.evaluate((tick) => postMessage({ flockworkTurn: { tick, agent: 5 } }), tick);
      await page.waitForFunction((tick) => lastOf("flockworkValues")?.tick === tick, tick);
      assert.equal(await page.evaluate(() => lastOf("flockworkValues").agent), 5);
    }
  });
});

/** Caught: the explanation was below the sliders, out of sight, and later the sliders were. */
test("in VS Code, the world, the explanation and four sliders are in sight, and stay where they are", async () => {
  const scenario = meadow.files[meadow.scenario].replace('"fear_radius"', '"a": 1.0, "b": 2.0, "c": 3.0, "fear_radius"');
  const project = { ...meadow, files: { ...meadow.files, [meadow.scenario]: scenario } };
  // Half of a window of 1440 x 900, with the side bar and without it.
  for (const width of [540, 700]) {
    await withPage(pageInEditor("under_world.html", "", project), { viewport: { width, height: 790 } }, async (page) => {
      await page.waitForFunction(() => lastOf("flockworkTick") > 0);
      const box = async (selector, index = 0) => page.locator(selector).nth(index).boundingBox();
      const without = await box(".param");
      await page.evaluate(() => document.querySelector("flockwork-world").select(3));
      await page.locator(".why button").first().waitFor();
      const [world, bar, why, slider] = [await box(".flockwork-canvas"), await box(".bar"), await box(".why"), await box(".param")];
      assert(bar.y + bar.height <= why.y && why.y + why.height <= slider.y, JSON.stringify({ bar, why, slider }));
      assert(world.height > 250 && why.height > 150, JSON.stringify({ world, why }));
      assert.deepEqual(slider, without, "selecting an agent moves no slider");
      const fourth = await box(".param", 3);
      assert(fourth.y + fourth.height <= 790, JSON.stringify(fourth));
      const tick = await page.evaluate(() => document.querySelector("flockwork-world").state.tick);
      await page.waitForFunction((tick) => document.querySelector("flockwork-world").state.tick > tick + 20, tick);
      assert.deepEqual(await box(".param"), slider);
    });
  }
});

test("in VS Code, places of the explanation open there, also while the world plays", () =>
  withPage(pageInEditor("places.html"), DESK, async (page) => {
    await page.waitForFunction(() => document.querySelector("flockwork-world")?.state?.tick > 0);
    await page.evaluate(() => document.querySelector("flockwork-world").select(3));
    const place = page.locator(".why button").first();
    await place.waitFor();
    // Caught: the buttons were made anew in each tick, so that a click in between did nothing.
    const tick = await page.evaluate(() => document.querySelector("flockwork-world").state.tick);
    await place.hover();
    await page.mouse.down();
    await page.waitForFunction((tick) => document.querySelector("flockwork-world").state.tick > tick + 5, tick);
    await page.mouse.up();
    const opened = await page.evaluate(() => told.filter((one) => one.flockworkOpen !== undefined));
    assert.equal(opened.length, 1);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.waitForFunction(() => !document.querySelector("flockwork-world").state.playing);
    const text = await page.locator(".why").textContent();
    const wanted = [...text.matchAll(/(scripts\/\S+\.rhai):(\d+):(\d+)/g)];
    assert.deepEqual(await page.locator(".why button").allTextContents(), wanted.map(([place]) => place));
    const [, path, line, column] = wanted[0];
    await place.click();
    // The values at the tick of the pause may be told later.
    assert.deepEqual(await page.evaluate(() => lastOf("flockworkOpen")), { path, line: Number(line), column: Number(column) });
    // Caught: that of an error was none, and above it stood that the saved version runs.
    const failing = { ...meadow.files, "scripts/bird.rhai": "fn steer(me) {\n    let n = 1;\n    n.pos\n}" };
    await page.evaluate((files) => postMessage({ flockworkProject: { files } }), failing);
    await page.locator("flockwork-world").getByRole("alert").getByRole("button", { name: "scripts/bird.rhai:3:7" }).click();
    assert.deepEqual(await page.evaluate(() => lastOf("flockworkOpen")), { path: "scripts/bird.rhai", line: 3, column: 7 });
    assert.equal(await page.locator(".note").textContent(), "");
  }));

test("in VS Code, params that were set can be written into the scenario", () =>
  withPage(pageInEditor("write.html"), DESK, async (page) => {
    await page.waitForFunction(() => document.querySelector("flockwork-world")?.state?.tick > 0);
    const write = page.locator("flockwork-world").getByRole("button", { name: "Write bird.fear_radius", exact: true });
    assert.equal(await write.isVisible(), false);
    await page.evaluate(() => document.querySelector("flockwork-world").set("bird.fear_radius", "51.5"));
    await write.waitFor();
    assert.equal(await write.textContent(), "write");
    // The button for several would do the same.
    assert.equal(await page.getByRole("button", { name: `into ${meadow.scenario}` }).count(), 0);
    assert.equal(await write.getAttribute("title"), "Write bird.fear_radius = 51.5 into the scenario");
    // At a tick before, the slider has the value of then. Caught: the button said nothing of the one that it writes.
    const goTo = (tick) => page.evaluate((tick) => document.querySelector("flockwork-world").goTo(tick), tick);
    const { tick } = await page.evaluate(() => document.querySelector("flockwork-world").state);
    await goTo(0);
    await write.filter({ hasText: "write 51.5" }).waitFor();
    // Caught: nothing said whose value the slider shows.
    const marked = page.locator("flockwork-world .param.is-before");
    assert.equal(await marked.count(), 1);
    await goTo(tick);
    await write.filter({ hasText: /^write$/ }).waitFor();
    assert.equal(await marked.count(), 0);
    await write.click();
    await write.waitFor({ state: "hidden" });
    // Caught: nothing said that it was written, and where.
    const note = page.getByText(`Written into ${meadow.scenario}: bird.fear_radius = 51.5. Undo in that file takes it back.`);
    await note.waitFor();
    const changes = await page.evaluate(() => told.filter((one) => one.flockworkWrite !== undefined));
    const [{ flockworkWrite: { path, before, text } }] = changes;
    assert.equal(before, meadow.files[path]);
    assert.match(text, /"fear_radius": 51\.5/);
    // The editor has saved it.
    await page.evaluate((files) => postMessage({ flockworkProject: { files } }), { ...meadow.files, [path]: text });
    await page.locator("details pre", { hasText: '"fear_radius": 51.5' }).waitFor({ state: "attached" });
    assert.ok(await note.isVisible());
    await page.waitForFunction(() => document.querySelector("flockwork-world").shadowRoot.querySelector("#param-bird_fear_radius").value === "51.5");
    // The editor has taken it back.
    await page.evaluate((files) => postMessage({ flockworkProject: { files } }), meadow.files);
    await page.waitForFunction(() => document.querySelector("flockwork-world").state.params?.every(({ value, written }) => value === written));
    const value = /"fear_radius": ([\d.]+)/.exec(before)[1];
    const shows = () =>
      page.waitForFunction((value) => document.querySelector("flockwork-world").shadowRoot.querySelector("#param-bird_fear_radius").value === value, value);
    await shows();
    // Caught: a run from the beginning had the value that was written before.
    await page.getByRole("button", { name: "From the beginning" }).click();
    await page.waitForFunction(() => document.querySelector("flockwork-world").state.tick === 0);
    await page.waitForTimeout(100);
    await shows();
    assert.equal(await write.isVisible(), false);
  }));

/** Caught: the slider moved, the world kept its agents, and nothing was said. */
test("in VS Code, another number of agents begins the run again, and one that is not possible is refused", () =>
  withPage(pageInEditor("count.html"), DESK, async (page) => {
    const world = page.locator("flockwork-world");
    await page.waitForFunction(() => document.querySelector("flockwork-world")?.state?.tick > 5);
    await world.evaluate((world) => Promise.all([world.pause(), world.watch("agents")]));
    const has = (count) => page.waitForFunction((count) => document.querySelector("flockwork-world").state.agents?.ids.length === count, count);
    await has(122);
    const field = world.getByLabel("number of agents", { exact: true });
    await field.fill("-3");
    await field.press("Enter");
    await world.getByRole("alert").filter({ hasText: "number of agents cannot be -3: expected an integer from 0 to" }).waitFor();
    await field.fill("30");
    await field.press("Enter");
    await has(32);
    assert.equal(await page.evaluate(() => document.querySelector("flockwork-world").state.tick), 0);
    assert.equal(await world.getByRole("alert").isVisible(), false);
    await page.getByRole("button", { name: "From the beginning" }).click();
    await page.getByRole("button", { name: "One tick forward" }).click();
    await page.waitForFunction(() => document.querySelector("flockwork-world").state.tick === 1);
    await has(32);
  }));

/** One button wrote all that had been tried. */
test("in VS Code, one param can be written into the scenario, and the others stay as they are set", () =>
  withPage(pageInEditor("write_one.html"), DESK, async (page) => {
    await page.waitForFunction(() => document.querySelector("flockwork-world")?.state?.tick > 0);
    const files = { ...meadow.files, [meadow.scenario]: meadow.files[meadow.scenario].replace('"fear_radius"', '"spare": 2.5, "fear_radius"') };
    await page.evaluate((files) => postMessage({ flockworkProject: { files } }), files);
    const world = page.locator("flockwork-world");
    await world.getByLabel("spare", { exact: true }).waitFor();
    await world.evaluate((world) => world.set("bird.fear_radius", "51.5"));
    await world.evaluate((world) => world.set("bird.spare", "3.5"));
    await page.getByRole("button", { name: `Write 2 params into ${meadow.scenario}` }).waitFor();
    const one = world.getByRole("button", { name: "Write bird.fear_radius", exact: true });
    assert.equal(await one.getAttribute("title"), "Write bird.fear_radius = 51.5 into the scenario");
    await one.click();
    await one.waitFor({ state: "hidden" });
    const [{ flockworkWrite: { path, before, text } }] = await page.evaluate(() => told.filter((one) => one.flockworkWrite !== undefined));
    assert.equal(before, files[path]);
    const written = before.replace(/"fear_radius": [\d.]+/, '"fear_radius": 51.5');
    assert.notEqual(written, before);
    assert.equal(text, written);
    await page.evaluate((files) => postMessage({ flockworkProject: { files } }), { ...files, [path]: text });
    await page.getByRole("button", { name: `into ${meadow.scenario}` }).waitFor({ state: "hidden" });
    const rest = world.getByRole("button", { name: "Write bird.spare", exact: true });
    assert.equal(await rest.getAttribute("title"), "Write bird.spare = 3.5 into the scenario");
    assert.equal(await world.getByLabel("fear_radius", { exact: true }).inputValue(), "51.5");
  }));
