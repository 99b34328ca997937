// Worlds on other pages: the element, the package for npm, pages from a disk, and every example that is shipped.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

import { DESK, address, reach, showsFile, started, edit, useBrowser, web, withPage } from "./browser.mjs";

const packed = mkdtempSync(path.join(tmpdir(), "flockwork-npm-"));
const archive = readdirSync(web).find((name) => name.endsWith(".tgz"));
execFileSync("tar", ["xzf", path.join(web, archive), "-C", packed]);
const own = path.join(packed, "own");
mkdirSync(own);
process.on("exit", () => rmSync(packed, { recursive: true }));

useBrowser({ "/npm/": path.join(packed, "package"), "/own/": own });

/** Writes a page with a body, and returns its address. */
function pageWith(name, body, script = '<script type="module" src="/npm/flockwork.js"></script>') {
  writeFileSync(path.join(own, name), `<!doctype html><html lang="en"><link rel="icon" href="data:,">${script}${body}`);
  return address(`own/${name}`);
}

const meadow = JSON.parse(readFileSync(path.join(packed, "package/example/meadow.json"), "utf8"));
writeFileSync(path.join(own, "meadow.json"), JSON.stringify(meadow));

test("the element plays a world, and tells of it", () =>
  withPage(pageWith("plain.html", '<flockwork-world src="meadow.json" controls sliders params="bird.fear_radius=33"></flockwork-world>'), DESK, async (page) => {
    const world = page.locator("flockwork-world");
    await world.getByRole("button", { name: "Play" }).waitFor();
    const result = await world.evaluate(async (element) => {
      const next = (name) => new Promise((resolve) => element.addEventListener(name, (event) => resolve(event.detail), { once: true }));
      if (element.state === undefined) {
        await next("ready");
      }
      await element.watch("agents", "hash", "params");
      const state = await (async () => {
        for (let told = await next("tick"); ; told = await next("tick")) {
          if (told.agents && told.params) {
            return told;
          }
        }
      })();
      const first = [...element.positions()];
      await element.step();
      const later = await (async () => {
        for (let told = await next("tick"); ; told = await next("tick")) {
          if (told.tick === 1 && told.hash) {
            return told;
          }
        }
      })();
      await element.set("bird.fear_radius", 120);
      const set = await (async () => {
        for (let told = await next("tick"); ; told = await next("tick")) {
          if (told.params) {
            return told.params;
          }
        }
      })();
      const errors = next("error");
      const found = await element.edit({ "scripts/bird.rhai": "fn steer(me) { me.sek(vec(1, 2)) }" });
      return {
        count: state.agents.ids.length,
        written: state.params.find(({ name }) => name === "fear_radius").value,
        moved: [...element.positions()].some((value, index) => value !== first[index]),
        numbers: first.every(Number.isFinite) && first.length === 2 * state.agents.ids.length,
        hash: later.hash,
        value: set.find(({ name }) => name === "fear_radius").number,
        found,
        event: await errors,
        facts: await element.facts(),
      };
    });
    assert.equal(result.count, 122);
    assert.equal(Number(result.written), 33);
    assert.ok(result.moved && result.numbers);
    assert.match(result.hash, /^[0-9a-f]{16}$/);
    assert.equal(result.value, 120);
    assert.match(result.found[0].message, /there is no function `sek`/);
    assert.deepEqual(result.event, result.found);
    assert.deepEqual(result.facts.space.max, [640, 360]);
    await world.locator(".errors", { hasText: "did you mean `seek`?" }).waitFor();
    await world.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(() => document.querySelector("flockwork-world").state.tick > 20);
  }));

/** Caught: a world that ended by itself looked like a paused one, and a click on "Pause" that came a moment too late let it go on. */
test("the end of a world is shown, and a click that comes just after it does nothing", () =>
  withPage(pageWith("end.html", '<flockwork-world src="meadow.json" controls></flockwork-world>'), DESK, async (page) => {
    const world = page.locator("flockwork-world");
    await page.waitForFunction(() => document.querySelector("flockwork-world").state !== undefined);
    const ticks = await world.evaluate(async (element) => {
      const button = element.shadowRoot.querySelector(".bar button");
      const { ticks } = element.state;
      await element.runTo(ticks - 2);
      await new Promise((resolve) => {
        element.addEventListener("tick", ({ detail }) => {
          if (detail.tick === ticks && !detail.playing) {
            // Once the bar shows it.
            queueMicrotask(() => {
              button.click();
              resolve();
            });
          }
        });
        element.play();
      });
      return ticks;
    });
    await world.getByRole("button", { name: "Go on after the end" }).waitFor();
    await world.locator(".time", { hasText: ", the end" }).waitFor();
    assert.equal(await world.evaluate(async (element) => (await element.watch("hash"), element.state.tick)), ticks);
    // One that comes later goes on.
    await page.waitForFunction((ticks) => {
      const element = document.querySelector("flockwork-world");
      element.shadowRoot.querySelector(".bar button").click();
      return element.state.tick > ticks;
    }, ticks);
    await world.locator(".time", { hasText: /s$/ }).waitFor();
  }));

test("the element is light or dark as the page is, also when the page changes", () =>
  withPage(pageWith("dark.html", '<style>.dark { background: #111; color: #eee; }</style><flockwork-world src="meadow.json" controls></flockwork-world>'), { ...DESK, colorScheme: "dark" }, async (page) => {
    await page.waitForFunction(() => document.querySelector("flockwork-world").state !== undefined);
    const shown = async (isDark) => {
      for (;;) {
        const picture = await page.locator("flockwork-world .flockwork-canvas").screenshot();
        const light = await page.evaluate(async (bytes) => {
          const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
          const canvas = new OffscreenCanvas(1, 1).getContext("2d");
          canvas.drawImage(image, 0, 0, 1, 1);
          return canvas.getImageData(0, 0, 1, 1).data[0];
        }, [...picture]);
        if (light > 128 !== isDark) {
          return;
        }
      }
    };
    await shown(false);
    await page.evaluate(() => document.documentElement.classList.add("dark"));
    await shown(true);
    const scheme = await page.locator("flockwork-world").evaluate((element) => getComputedStyle(element.shadowRoot.querySelector("button")).colorScheme);
    assert.equal(scheme, "dark");
  }));

test("the picture fills the element, whatever box the page makes of it", () => {
  const boxes = ["display: block; width: 600px; height: 330px", "width: 600px; height: 330px", "display: inline-block; width: 400px", "display: grid; width: 50%"];
  const body = boxes.map((style) => `<flockwork-world src="meadow.json" style="${style}"></flockwork-world>`).join("");
  return withPage(pageWith("boxes.html", body), { ...DESK, viewport: { width: 1280, height: 1600 } }, async (page) => {
    await page.waitForFunction(() => [...document.querySelectorAll("flockwork-world")].every((world) => world.state !== undefined));
    const sizes = await page.evaluate(() =>
      [...document.querySelectorAll("flockwork-world")].map((world) => {
        const [outer, inner] = [world, world.shadowRoot.querySelector("canvas")].map((element) => element.getBoundingClientRect());
        return [outer.width, outer.height, inner.width, inner.height].map(Math.round);
      }),
    );
    for (const [width, height, ...inner] of sizes) {
      assert.deepEqual(inner, [width, height]);
      assert.ok(height >= 200);
    }
  });
});

test("what cannot be loaded is an error of the element, and a second try works", () =>
  withPage(pageWith("errors.html", "<flockwork-world></flockwork-world>"), DESK, async (page) => {
    const errors = await page.locator("flockwork-world").evaluate(async (element) => {
      const told = [];
      element.addEventListener("error", ({ detail }) => told.push(...detail.map(({ message }) => message)));
      const next = () => new Promise((resolve) => element.addEventListener("error", resolve, { once: true }));
      for (const src of ["data:application/json,{}", "data:application/zip,PK", "#1.AAAA"]) {
        element.setAttribute("src", src);
        await next();
      }
      await element.load({ files: { "../x": "" } }).catch((error) => told.push(error.message));
      const ready = new Promise((resolve) => element.addEventListener("ready", resolve, { once: true }));
      await element.load({ files: { "scenarios/a.ron": '(groups: { "a": (count: 2) })' } }).catch((error) => told.push(error.message));
      const before = told.length;
      await element.load({ files: { "scenarios/a.ron": '(ticks: 9, world: (size: (9, 9)), groups: { "a": (behavior: "a", spawn: Points([(1, 2)])) })', "scripts/a.rhai": "fn steer(me) { me.wander() }" } });
      await ready;
      return { told, before };
    });
    assert.match(errors.told[0], /`scenario` must be a string/);
    assert.match(errors.told[1], /no zip/);
    assert.match(errors.told[2], /damaged/);
    assert.match(errors.told[3], /\.\.\/x/);
    assert.ok(errors.before >= 4);
  }));

test("the sliders of the element have switches for weights, and comments", () => {
  const scenario = `(world: (size: (90, 90)), groups: { "a": (behavior: "a", spawn: Points([(40, 40)]), params: {
    "pull": 2.0, // weight of flying north
    "drift": 0.5,
    "room": 5,
  }), "b": (behavior: "b", spawn: Points([(20, 20)]), params: { "push": 1.0 }) })`;
  const project = { scenario: "scenarios/a.ron", files: { "scenarios/a.ron": scenario, "scripts/a.rhai": "fn steer(me) { me.params.drift * me.wander() + me.params.pull * me.seek(vec(40, 90)) * (if me.params.room > 1 { 1.0 } else { 0.5 }) }", "scripts/b.rhai": "fn steer(me) { me.params.push * me.wander() }" } };
  writeFileSync(path.join(own, "weights.json"), JSON.stringify(project));
  return withPage(pageWith("weights.html", '<flockwork-world src="weights.json" sliders></flockwork-world>'), DESK, async (page) => {
    const world = page.locator("flockwork-world");
    const one = world.getByRole("switch", { name: "a.pull, switch" });
    await one.waitFor();
    assert.equal(await world.getByRole("switch").count(), 3);
    // A single weight has no others.
    assert.equal(await world.getByRole("button", { name: "Only b.push" }).count(), 0);
    const slider = world.getByLabel("a.pull, slider");
    const value = (wanted) => page.waitForFunction((text) => document.querySelector("flockwork-world").shadowRoot.querySelector("#param-a_pull").value === text, wanted);
    await world.evaluate((element) => element.addEventListener("input", () => (window.inputs = (window.inputs ?? 0) + 1)));
    await one.focus();
    await page.keyboard.press("Space");
    await value("0.0");
    assert.equal(await slider.inputValue(), "2");
    await one.click();
    await value("2.0");
    await one.click();
    await value("0.0");
    await world.getByRole("button", { name: "Only a.pull" }).click();
    await value("2.0");
    assert.equal(await page.evaluate(() => window.inputs), 4);
    const comment = world.locator("#param-a_pull-comment");
    assert.equal(await comment.textContent(), "weight of flying north");
    await world.locator("label", { hasText: "pull" }).hover();
    assert.equal(await comment.isVisible(), true);
  });
});

test("twelve worlds share one engine, and stop when they are removed", () =>
  withPage(pageWith("many.html", '<flockwork-world src="meadow.json" autoplay style="width: 300px"></flockwork-world>'.repeat(12)), { ...DESK, viewport: { width: 1280, height: 3000 } }, async (page) => {
    await page.waitForFunction(() => [...document.querySelectorAll("flockwork-world")].every((one) => one.state?.tick > 3), undefined, { timeout: 60_000 });
    const loads = await page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".wasm")).length);
    assert.equal(loads, 1);
    assert.equal(page.workers().length, 12);
    await page.evaluate(() => document.querySelectorAll("flockwork-world").forEach((one, index) => index > 0 && one.remove()));
    for (let frames = 0; page.workers().length > 1 && frames < 600; frames += 1) {
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    assert.equal(page.workers().length, 1);
  }));

test("a long page loads worlds when they are seen, shows a picture until then, and ends those that are far away", () => {
  const picture = '<img alt="before" src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22/>">';
  const world = `<flockwork-world src="meadow.json" controls sliders style="width: 500px; margin-bottom: 400px">${picture}</flockwork-world>`;
  return withPage(pageWith("long.html", world.repeat(30)), DESK, async (page) => {
    const ready = (index) => page.waitForFunction((at) => document.querySelectorAll("flockwork-world")[at].state !== undefined, index);
    await ready(0);
    assert.ok(page.workers().length <= 3, `${page.workers().length} workers at the start`);
    await page.waitForFunction(() => !document.querySelector("img").checkVisibility());
    assert.equal(await page.locator("img").nth(20).evaluate((image) => image.checkVisibility()), true);
    const worlds = page.locator("flockwork-world");
    await worlds.first().getByLabel("fear_radius", { exact: true }).fill("44.0");
    await worlds.first().getByLabel("fear_radius", { exact: true }).press("Enter");
    await page.waitForFunction(() => document.querySelector("flockwork-world").project.params.size === 1);
    for (let index = 0; index < 30; index += 1) {
      await worlds.nth(index).scrollIntoViewIfNeeded();
      await ready(index);
      assert.ok(page.workers().length <= 8, `${page.workers().length} workers at world ${index}`);
    }
    // The first one begins again, with the param that was set.
    await worlds.first().scrollIntoViewIfNeeded();
    await ready(0);
    await worlds.first().getByRole("button", { name: "One tick forward" }).click();
    await page.waitForFunction(() => document.querySelector("flockwork-world").state?.tick === 1);
    assert.equal(await worlds.first().getByLabel("fear_radius", { exact: true }).inputValue(), "44.0");
  });
});

test("a page of one file plays its project from a disk, and gives its files back", () => {
  const page = readFileSync(path.join(web, "page.html"), "utf8");
  assert.match(page, /^<!doctype html><!-- flockwork page -->/);
  const begin = '<script id="flockwork-project" type="application/json">';
  const at = page.indexOf(begin) + begin.length;
  const files = { ...meadow.files, "scripts/strange.rhai": "// </script><b>&amp; <!-- \u2028\n" };
  const json = JSON.stringify({ ...meadow, files, params: { "bird.fear_radius": "50.0" } }).replaceAll("<", "\\u003c");
  const file = path.join(own, "single.html");
  writeFileSync(file, page.slice(0, at) + json + page.slice(page.indexOf("</script>", at)));
  return withPage(pathToFileURL(file).href, DESK, async (page) => {
    await page.waitForFunction(() => document.querySelector("flockwork-world")?.state?.tick > 10);
    assert.equal(await page.locator("h1").textContent(), "meadow");
    assert.equal(await page.locator("flockwork-world").getByLabel("fear_radius", { exact: true }).inputValue(), "50.0");
    await page.getByText("Files").click();
    assert.match(await page.locator("details pre").last().textContent(), /<\/script><b>&amp; <!--/);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
    assert.equal(download.suggestedFilename(), "meadow.zip");
    // An editor that shows the page gives it files that were saved: the world goes on with them.
    const tick = await page.evaluate(() => document.querySelector("flockwork-world").state.tick);
    const saved = { ...files, "scripts/strange.rhai": "// saved" };
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
  });
});

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
      const least = isFree ? 0.24 * height : 154;
      // Where nothing is free, the page scrolls, and the box has its least height.
      assert.ok(isFree ? why > least + 100 && below === 0 : Math.abs(why - least) < 3 && below > 0, `${height}: ${why}, ${below}`);
      await page.evaluate(() => document.querySelector("flockwork-world").select(1));
      await page.waitForFunction(() => /agent/.test(document.querySelector(".why").textContent));
      assert.deepEqual(await heights(), [why, below]);
    }
  }));

/** Caught: nothing said that the run fails. */
test("a page says which expectation has failed first, and goes there", () => {
  const scenario = meadow.files[meadow.scenario].replace(/^\(/m, "(expect: [MaxSpeed(speed: 1)],");
  const failing = { ...meadow, files: { ...meadow.files, [meadow.scenario]: scenario } };
  return withPage(pageInEditor("failing.html", "", failing), DESK, async (page) => {
    const play = page.locator("flockwork-world .bar");
    await play.waitFor();
    const before = await play.boundingBox();
    const failure = page.getByRole("button", { name: /^✗ fails at tick \d+: MaxSpeed\(speed: 1\)$/ });
    await failure.waitFor();
    await page.waitForFunction(() => document.querySelector("flockwork-world").state.tick > 20);
    assert.deepEqual(await play.boundingBox(), before);
    await failure.click();
    const [, tick] = /tick (\d+)/.exec(await failure.textContent());
    await page.waitForFunction((tick) => document.querySelector("flockwork-world").state.tick === tick, Number(tick));
    await page.waitForFunction(() => document.querySelector("flockwork-world").state.selected !== undefined);
    // Once the files no longer ask for it, nothing is said.
    await page.evaluate((files) => postMessage({ flockworkProject: { files } }), meadow.files);
    await failure.waitFor({ state: "hidden" });
  });
});

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

/** Caught: the page had the error "the world was started anew". */
test("a world that is loaded again before it has answered is shown, and has what was asked for", () =>
  withPage(pageWith("again.html", '<flockwork-world src="meadow.json"></flockwork-world>'), DESK, async (page) => {
    const world = page.locator("flockwork-world");
    await page.waitForFunction(() => document.querySelector("flockwork-world").state !== undefined);
    await world.evaluate(async (element, meadow) => {
      const watched = element.watch("hash");
      const overtaken = element.load({ ...meadow, seed: 1 });
      // The worker is there now, and has not answered.
      await new Promise((resolve) => setTimeout(resolve));
      await Promise.all([watched, overtaken, element.load({ ...meadow, seed: 2 })]);
    }, meadow);
    await page.waitForFunction(() => document.querySelector("flockwork-world").state?.hash !== undefined);
    assert.equal(await world.evaluate((element) => element.project.seed), 2);
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
    await page.waitForFunction((value) => document.querySelector("flockwork-world").shadowRoot.querySelector("#param-bird_fear_radius").value === value, value);
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

test("the example of the package draws the agents by itself", () =>
  withPage(address("npm/example/index.html"), DESK, async (page) => {
    await page.locator("#said", { hasText: "122 agents at tick" }).waitFor();
    await page.locator("#play").click();
    await page.waitForFunction(() => Number(/tick (\d+)/.exec(document.querySelector("#said").textContent)[1]) > 10);
    const drawn = await page.locator("#own").evaluate((canvas) => {
      const gl = canvas.getContext("webgl2");
      const pixels = new Uint8Array(canvas.width * canvas.height * 4);
      gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      let [birds, hawks] = [0, 0];
      for (let at = 0; at < pixels.length; at += 4) {
        birds += pixels[at + 2] > 200 ? 1 : 0;
        hawks += pixels[at] > 200 ? 1 : 0;
      }
      return { birds, hawks };
    });
    assert.ok(drawn.birds > 122 * 20 && drawn.hawks > 20, JSON.stringify(drawn));
  }));

test("the types of the package fit what pages write", () => {
  const project = path.join(packed, "typed");
  mkdirSync(path.join(project, "node_modules"), { recursive: true });
  execFileSync("cp", ["-r", path.join(packed, "package"), path.join(project, "node_modules/flockwork")]);
  const lines = [
    'import { type State, FlockworkWorld, toLink } from "flockwork";',
    'const world = document.querySelector("flockwork-world") as FlockworkWorld;',
    'world.addEventListener("tick", ({ detail }) => { const state: State = detail; console.log(state.agents?.positions[0]); });',
    'void world.load({ files: { "scenarios/a.ron": "" } }).then(() => world.set("a.b", 1));',
    "const xy: Float32Array = world.positions();",
    'console.log(xy, toLink({ files: new Map(), scenario: "", params: new Map() }));',
  ];
  const check = (extra) => {
    writeFileSync(path.join(project, "page.ts"), [...lines, ...extra].join("\n"));
    const tsc = path.join(import.meta.dirname, "../node_modules/.bin/tsc");
    return execFileSync(tsc, ["--noEmit", "--strict", "--ignoreConfig", "--target", "es2022", "--lib", "es2024,dom,dom.iterable", "--module", "esnext", "--moduleResolution", "bundler", "page.ts"], { cwd: project, encoding: "utf8", stdio: "pipe" });
  };
  assert.equal(check([]), "");
  assert.throws(() => check(["void world.goTo('x');"]), ({ stdout }) => /'string' is not assignable/.test(stdout));
});

test("the playground works from a disk, without a server", () =>
  withPage(`${pathToFileURL(path.join(web, "playground.html"))}`, DESK, async (page) => {
    await started(page);
    await reach(page, 10);
    await edit(page, "me.evade", "me.evaed");
    await page.locator(".notice", { hasText: "there is no function" }).waitFor();
    await page.waitForFunction(() => location.hash.startsWith("#1."));
    await page.reload();
    await page.locator(".notice", { hasText: "Nothing can run yet." }).waitFor();
    await page.goto(`${pathToFileURL(path.join(web, "playground.html"))}#example=primitives/seek`);
    await page.reload();
    await started(page);
    await showsFile(page, /seek/);
  }));

test("every example has all of its files, and runs", () =>
  withPage(pageWith("examples.html", '<script src="/flockwork.js"></script>', ""), DESK, async (page) => {
    const list = readdirSync(path.join(web, "examples"), { recursive: true }).filter((name) => name.endsWith(".js"));
    const names = list.map((name) => name.slice(0, -3));
    assert.ok(names.length > 100);
    const failed = await page.evaluate(async (all) => {
      const element = document.createElement("flockwork-world");
      element.style.width = "300px";
      document.body.replaceChildren(element);
      const failures = [];
      for (const name of all) {
        const outcome = new Promise((resolve) => {
          const end = new AbortController();
          const options = { signal: end.signal };
          element.addEventListener("ready", () => (end.abort(), resolve("")), options);
          element.addEventListener("error", ({ detail }) => detail.length > 0 && (end.abort(), resolve(detail[0].text)), options);
        });
        element.setAttribute("example", name);
        const text = await outcome;
        if (text !== "") {
          failures.push(`${name}: ${text}`);
        }
      }
      return failures;
    }, names);
    assert.deepEqual(failed, []);
  }));
