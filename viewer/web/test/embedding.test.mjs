// Worlds on other pages: the element, the package for npm, pages from a disk, and every example that is shipped.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

import { DESK, address, archive, meadow, reach, showsFile, started, edit, useBrowser, web, withPage } from "./browser.mjs";

const packed = mkdtempSync(path.join(tmpdir(), "flockwork-npm-"));
execFileSync("tar", ["xzf", archive, "-C", packed]);
const own = path.join(packed, "own");
mkdirSync(own);
process.on("exit", () => rmSync(packed, { recursive: true }));

useBrowser({ "/npm/": path.join(packed, "package"), "/own/": own });

/** Writes a page with a body, and returns its address. */
function pageWith(name, body, script = '<script type="module" src="/npm/flockwork.js"></script>') {
  writeFileSync(path.join(own, name), `<!doctype html><html lang="en"><link rel="icon" href="data:,">${script}${body}`);
  return address(`own/${name}`);
}

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
  });
});

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
