// The playground for everybody: on a phone, by keyboard alone, with names for screen readers, dark and light, with less motion.

import assert from "node:assert/strict";
import test from "node:test";

import { DESK, PHONE, address, panel, reach, showsFile, started, tick, useBrowser, withPage, withPlayground } from "./browser.mjs";

useBrowser();

/** Controls without a name, and ids that are there twice. */
function flaws() {
  const nameless = [...document.querySelectorAll("button, a, input, select, textarea, [role=separator], [role=application], [role=tab]")]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const labels = [...(element.labels ?? [])].map((label) => label.textContent).join("");
      const pictures = [...element.querySelectorAll("img[alt]")].map((image) => image.alt).join("");
      return `${element.getAttribute("aria-label") ?? ""}${labels}${element.textContent}${pictures}`.trim() === "";
    })
    .map((element) => element.outerHTML);
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  const lost = [...document.querySelectorAll("[aria-controls], [aria-labelledby], [aria-describedby]")]
    .flatMap((element) => ["aria-controls", "aria-labelledby", "aria-describedby"].map((name) => element.getAttribute(name)))
    .filter((id) => id !== null && document.getElementById(id) === null);
  return [...nameless, ...ids.filter((id, index) => ids.indexOf(id) !== index), ...lost.map((id) => `nothing has the id ${id}`)];
}

/** The ratio of contrast between the text of an element and what is behind it. */
function contrast(selector) {
  const channels = (color) => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (color) => {
    const [r, g, b] = channels(color).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const element = document.querySelector(selector);
  let behind = element;
  while (channels(getComputedStyle(behind).backgroundColor)[3] === 0 && behind.parentElement !== null) {
    behind = behind.parentElement;
  }
  const [a, b] = [light(getComputedStyle(element).color), light(getComputedStyle(behind).backgroundColor)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}

for (const colorScheme of ["light", "dark"]) {
  test(`everything has a name, and texts can be read, in ${colorScheme} colors`, () =>
    withPlayground("", { colorScheme }, async (page) => {
      for (const name of ["Params", "Why", "Plots", "Expectations", "Log", "Proof"]) {
        await panel(page, name);
        assert.deepEqual(await page.evaluate(flaws), [], name);
      }
      await page.keyboard.press("?");
      assert.deepEqual(await page.evaluate(flaws), []);
      await page.keyboard.press("Escape");
      for (const selector of ["#status", "#proof-line", "#intro", ".time", ".primary", "#file-bar [aria-selected=false]", ".hint", "#intro a"]) {
        const ratio = await page.evaluate(contrast, selector);
        assert.ok(ratio >= 4.5, `${selector} has the contrast ${ratio.toFixed(2)}`);
      }
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(ground === "rgb(255, 255, 255)", colorScheme === "light");
      await page.keyboard.press("d");
      const other = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(other === "rgb(255, 255, 255)", colorScheme === "dark");
    }));
}

test("a phone in portrait shows one part at a time, and nothing is wider than it", () =>
  withPlayground("", PHONE, async (page) => {
    const parts = page.locator("#part-tabs");
    const visible = async () => {
      const all = await Promise.all(["world", "files", "panels"].map((id) => page.locator(`#${id}`).isVisible()));
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
      return all.indexOf(true) === all.lastIndexOf(true) ? ["world", "files", "panels"][all.indexOf(true)] : "several";
    };
    await reach(page, 10);
    assert.equal(await visible(), "world");
    const box = await page.locator("#view").boundingBox();
    assert.ok(box.width === 390 && box.height > 300, JSON.stringify(box));
    // Beside the world there is no room for a panel: one line says why.
    await page.keyboard.press("/");
    await page.keyboard.type("12");
    await page.keyboard.press("Enter");
    await parts.getByRole("tab", { name: "World" }).tap();
    await page.locator(".headline-bar", { hasText: "agent 12 (bird)" }).tap();
    assert.equal(await visible(), "panels");
    await page.locator(".why").waitFor();
    await page.getByRole("tab", { name: "Params" }).tap();
    await parts.getByRole("tab", { name: "Files" }).tap();
    assert.equal(await visible(), "files");
    await page.locator("#file-bar").getByRole("tab", { name: "meadow" }).tap();
    await showsFile(page, /groups:/);
    await parts.getByRole("tab", { name: "Panels" }).tap();
    assert.equal(await visible(), "panels");
    await page.getByLabel("fear_radius", { exact: true }).fill("20.0");
    await page.getByLabel("fear_radius", { exact: true }).press("Enter");
    await page.getByRole("button", { name: "Set bird.fear_radius back" }).tap();
    await page.getByRole("button", { name: "More" }).tap();
    await page.getByRole("button", { name: "Help" }).tap();
    await page.getByRole("button", { name: "Close" }).tap();
    // All that fingers must hit is large enough.
    const small = await page.evaluate(() =>
      [...document.querySelectorAll("button, a.button, select, [role=tab]")]
        .filter((element) => element.checkVisibility())
        .map((element) => [element.outerHTML.slice(0, 90), element.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < 28 || height < 28),
    );
    assert.deepEqual(small, []);
    assert.deepEqual(await page.evaluate(flaws), []);
  }));

test("two fingers zoom, one moves the view", () =>
  withPlayground("", PHONE, async (page, context) => {
    await reach(page, 3);
    await page.getByRole("button", { name: "Pause" }).tap();
    const picture = () => page.locator("#view").screenshot();
    const settled = async (before) => {
      for (let now = await picture(); ; now = await picture()) {
        if (!before.equals(now)) {
          return now;
        }
      }
    };
    const box = await page.locator("#view").boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const client = await context.newCDPSession(page);
    const touch = (type, points) =>
      client.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })) });
    const still = await picture();
    await touch("touchStart", [[x, y]]);
    await touch("touchMove", [[x + 60, y + 40]]);
    await touch("touchEnd", []);
    const moved = await settled(still);
    await touch("touchStart", [[x - 20, y], [x + 20, y]]);
    await touch("touchMove", [[x - 80, y], [x + 80, y]]);
    await touch("touchEnd", []);
    const zoomed = await settled(moved);
    await page.getByRole("button", { name: "Show the whole world" }).tap();
    await settled(zoomed);
  }));

test("the keyboard alone is enough", () =>
  withPlayground("", {}, async (page) => {
    await reach(page, 5);
    const focus = () =>
      page.evaluate(() => {
        const element = document.activeElement;
        return element.getAttribute("aria-label") ?? element.textContent.trim();
      });
    // Tab comes to every part, and out of each.
    const seen = [];
    await page.keyboard.press("Tab");
    assert.equal(await focus(), "Skip to the world");
    for (let count = 0; count < 45; count += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement.closest("#editor") !== null)) {
        await page.keyboard.press("Escape");
      }
      seen.push(await focus());
    }
    for (const wanted of ["Share", "Download", "bird.rhai", "New file", "Width of the editor", "Height of the world", "Time", "Speed", "Params"]) {
      assert.ok(seen.some((name) => name.includes(wanted)), `${wanted} is not among ${seen.join(", ")}`);
    }
    assert.ok(seen.some((name) => name.startsWith("The world.")));
    // Arrow keys go through tabs, and move the splitters.
    await page.locator("#file-bar [role=tab][aria-selected=true]").focus();
    await page.keyboard.press("ArrowRight");
    await showsFile(page, /pursue/);
    assert.match(await focus(), /hawk/);
    const splitter = page.getByRole("separator", { name: "Width of the editor" });
    const before = Number(await splitter.getAttribute("aria-valuenow"));
    await splitter.focus();
    await page.keyboard.press("ArrowRight");
    assert.ok(Number(await splitter.getAttribute("aria-valuenow")) > before);
    // Letters in a text are no commands, and an edit needs no mouse.
    await page.locator("#file-bar [role=tab][aria-selected=true]").focus();
    while (!(await page.evaluate(() => document.activeElement.closest("#editor") !== null))) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// p d ? . , r space\n");
    await showsFile(page, /p d \? \. , r space/);
    assert.equal(await page.getByRole("dialog").count(), 0);
    assert.ok((await tick(page)) >= 5);
    // The world: keys of the view do not move time.
    await page.locator(".flockwork-canvas").focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play" }).waitFor();
    const at = await tick(page);
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("+");
    assert.equal(await tick(page), at);
    await page.keyboard.press("]");
    await page.waitForFunction(() => document.querySelector(".transport select").value === "2");
    await page.keyboard.press("n");
    await page.waitForFunction(() => document.querySelector(".transport select").value === "1");
    for (const [key, name] of [["j", "Plots"], ["a", "Expectations"], ["m", "Log"], ["p", "Params"], ["w", "Why"]]) {
      await page.keyboard.press(key);
      assert.equal(await page.locator("#panel-bar [aria-selected=true]").textContent(), name);
    }
  }));

test("with less motion, a world waits for its user", () =>
  withPlayground("", { reducedMotion: "reduce" }, async (page) => {
    await page.getByRole("button", { name: "Play" }).waitFor();
    const at = await tick(page);
    assert.equal(at, 0);
    await page.keyboard.press(".");
    await page.waitForFunction((before) => Number(/tick (\d+)/.exec(document.querySelector(".time").textContent)[1]) === before + 1, at);
  }));

test("the gallery shows every world, finds them by words, and opens them", () =>
  withPage(address("gallery.html"), DESK, async (page) => {
    const cards = page.locator(".cards > li");
    const all = await cards.count();
    assert.ok(all > 100);
    assert.equal(await page.locator(".cards img").count(), all, "there are worlds without a picture");
    await page.keyboard.press("/");
    await page.keyboard.type("night watch");
    await page.waitForFunction(() => document.querySelectorAll(".cards > li:not([hidden])").length === 1);
    assert.equal(await page.locator("#count").textContent(), `1 of ${all} worlds`);
    assert.deepEqual(await page.evaluate(flaws), []);
    // Also words of the files, a model's usual name, and plurals.
    const found = (words) => {
      return page.locator("#search").fill(words).then(() => page.locator(".cards > li:not([hidden]) code").allTextContents());
    };
    assert.deepEqual(await found("hawk"), ["meadow"]);
    assert.equal((await page.locator(".cards code").first().textContent()), "meadow");
    const boids = await found("boids");
    assert.ok(["meadow", "flock", "boids_three_rules"].every((name) => boids.includes(name)), boids.join());
    assert.deepEqual(await found("doors"), await found("door"));
    assert.deepEqual(await found("zzzzz"), []);
    await page.locator("#none").getByRole("button", { name: "evade" }).click();
    assert.ok((await page.locator(".cards > li:not([hidden]) code").allTextContents()).includes("primitives/evade"));
    assert.equal(await page.locator("#none").isVisible(), false);
    await found("night watch");
    await page.locator(".cards > li:not([hidden]) a").click();
    await started(page);
    assert.match(await page.locator("#proof-line").textContent(), /^Night watch/);
    // The help is there for every world. Links to the book leave the world where it is.
    await page.keyboard.press("?");
    const links = await page.locator("dialog a").evaluateAll((all) => all.map((link) => [link.getAttribute("href"), link.target]));
    assert.deepEqual(links, [
      ...["tutorial", "behaviors", "reference"].map((name) => [`../${name}.html`, "_blank"]),
      ["gallery.html", ""],
    ]);
    await page.locator("dialog", { hasText: "Add a group" }).waitFor();
    await page.keyboard.press("Escape");
    const broken = await page.evaluate(() => [...document.images].filter((image) => image.naturalWidth === 0).length);
    assert.equal(broken, 0);
  }));
