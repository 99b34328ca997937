// The editor with the language server, driven in a real browser.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { missing, open, read } from "./support.mjs";

const SCENARIO = `(
    ticks: 100,
    world: (size: (200, 200), edge: Wrap),
    groups: {
        "sheep": (
            behavior: "graze", count: 20, spawn: Disc(center: (100, 100), radius: 50),
            body: (max_speed: 20, max_force: 40),
            params: { "fear": 30.0 },
        ),
    },
)
`;
const SCRIPT = `import "moves" as moves;

fn steer(me) {
    let near = me.neighbors(20);
    let push = me.separation(near);
    push + moves::stroll(me) + me.params.fear * me.wander()
}
`;
const MOVES = `// Walks about.
fn stroll(me) {
    0.5 * me.wander()
}
`;
const FILES = { "scenarios/pen.ron": SCENARIO, "scripts/graze.rhai": SCRIPT, "scripts/moves.rhai": MOVES };
const PATH = "scripts/graze.rhai";

const skip = missing();
let browser;
before(async () => {
  browser = skip === undefined ? await open() : undefined;
});
after(() => browser?.close());

/** Runs a test on a fresh page, on which no error may happen. */
function inBrowser(name, run, files = FILES) {
  test(name, { skip }, async () => {
    const { page, errors } = await browser.start(files);
    await run(page);
    assert.deepEqual(errors, []);
    await page.close();
  });
}

const text = (page, path = PATH) => page.evaluate((of) => window.test.editor.text(of), path);
const show = (page, path, offset) => page.evaluate(([of, at]) => window.test.editor.show(of, at), [path, offset]);

/** Puts the cursor behind the first place that reads like this. */
async function cursorBehind(page, words, path = PATH) {
  const at = (await text(page, path)).indexOf(words);
  assert.ok(at >= 0, words);
  await show(page, path, at + words.length);
}

/** Waits until the findings of a file have these codes. */
async function waitForCodes(page, codes, path = PATH) {
  await page.waitForFunction(
    ([of, expected]) => {
      const found = window.test.findings[of];
      return found !== undefined && found.map((one) => one.code ?? "").join() === expected;
    },
    [path, codes.join()],
    { timeout: 10_000 },
  );
  return page.evaluate((of) => window.test.findings[of], path);
}

inBrowser("a project without mistakes has no findings, and nothing of it is on a disk", async (page) => {
  for (const path of Object.keys(FILES)) {
    await waitForCodes(page, [], path);
  }
});

/** Rests with the pointer on a finding until its box is there: findings that are told again close the box. */
async function hoverOverFinding(page, box) {
  for (let left = 5; left > 0; left -= 1) {
    await page.mouse.move(0, 0);
    await page.locator(".cm-lintRange-error").first().hover();
    const isThere = await box.waitFor({ timeout: left > 1 ? 3000 : 20_000 }).then(() => true, () => false);
    if (isThere) {
      return;
    }
  }
  assert.fail("no box at the finding");
}

inBrowser("a mistake is found, shown and fixed by its button", async (page) => {
  await cursorBehind(page, "me.separ");
  await page.keyboard.type("r");
  const [finding] = await waitForCodes(page, ["unknown-name"]);
  assert.match(finding.message, /separration/);
  assert.equal(finding.severity, "error");
  assert.deepEqual([finding.line, finding.column], [5, 19]);
  assert.equal((await text(page)).slice(finding.start, finding.end), "separration");
  await page.locator(".cm-lintRange-error").first().waitFor();
  await page.locator(".cm-lint-marker-error").first().waitFor();
  await page.keyboard.press("Escape");
  const button = page.locator(".cm-tooltip .cm-diagnosticAction").first();
  await hoverOverFinding(page, button);
  await button.click();
  await waitForCodes(page, []);
  assert.equal(await text(page), SCRIPT);
  const told = await page.evaluate(() => window.test.changes.at(-1));
  assert.deepEqual(told, { path: PATH, text: SCRIPT });
});

inBrowser("a finding shows its code as code, and the word for such findings small at its end", async (page) => {
  await cursorBehind(page, "me.separ");
  await page.keyboard.type("r");
  await waitForCodes(page, ["unknown-name"]);
  await page.keyboard.press("Escape");
  const shown = page.locator(".cm-tooltip .fw-finding").first();
  await hoverOverFinding(page, shown);
  assert.doesNotMatch(await shown.textContent(), /`/);
  assert.match(await shown.locator(".fw-finding-message code").first().textContent(), /separration/);
  const lines = await shown.locator(":scope > div").allTextContents();
  assert.match(lines.at(-1), / unknown-name$/);
  assert.equal(await shown.locator("small").textContent(), "unknown-name");
});

inBrowser("the page can ask for the fixes of a finding and apply one, in a file that is not shown, too", async (page) => {
  const wrong = SCRIPT.replace("me.separation", "me.separration").replace("me.neighbors", "me.neighbours");
  const other = "scenarios/pen.ron";
  for (const shown of [PATH, other]) {
    await show(page, shown, 0);
    await page.evaluate(([path, words]) => window.test.editor.setText(path, words), [PATH, wrong]);
    await page.waitForFunction((path) => window.test.findings[path]?.some((one) => one.message.includes("separration")), PATH);
    const finding = (await page.evaluate((path) => window.test.findings[path], PATH)).find((one) => one.message.includes("separration"));
    const fixes = (found) => page.evaluate(([path, one]) => window.test.editor.fixes(path, one), [PATH, found]);
    const apply = (found, index) => page.evaluate(([path, one, at]) => window.test.editor.applyFix(path, one, at), [PATH, found, index]);
    const titles = await fixes(finding);
    assert.ok(titles.length > 0 && titles.every((title) => !title.includes("neighbors")), titles.join());
    assert.deepEqual(await fixes({ ...finding, column: finding.column + 1 }), []);
    assert.deepEqual(await fixes({ ...finding, line: 99 }), []);
    assert.deepEqual(await fixes({ ...finding, message: "another one" }), []);
    assert.equal(await apply(finding, titles.length), false);
    assert.equal(await apply(finding, 0), true);
    assert.equal(await text(page), SCRIPT.replace("me.neighbors", "me.neighbours"));
    assert.equal((await page.evaluate(() => window.test.changes.at(-1))).text, await text(page));
    // It is gone.
    assert.equal(await apply(finding, 0), false);
    await page.evaluate(([path, words]) => window.test.editor.setText(path, words), [PATH, SCRIPT]);
    await waitForCodes(page, []);
  }
});

inBrowser("the keyboard alone reaches a fix", async (page) => {
  await cursorBehind(page, "me.separ");
  await page.keyboard.type("r");
  await waitForCodes(page, ["unknown-name"]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+.");
  await page.locator(".fw-dialog button").first().waitFor();
  await page.keyboard.press("Enter");
  await waitForCodes(page, []);
  assert.equal(await text(page), SCRIPT);
  assert.ok(await page.evaluate(() => document.activeElement?.classList.contains("cm-content")));
});

inBrowser("a primitive is completed with its documentation, and its params are shown", async (page) => {
  await cursorBehind(page, "let near = me.neighbors(20);");
  await page.keyboard.press("Enter");
  await page.keyboard.type("me.se");
  const option = page.locator(".cm-tooltip-autocomplete li", { hasText: "seek" }).first();
  await option.waitFor();
  await page.locator(".cm-completionInfo").filter({ hasText: "Steers" }).waitFor();
  await option.click();
  assert.match(await text(page), /\n    me\.seek\n/);
  await page.keyboard.type("(");
  const help = page.locator(".cm-tooltip [class*=fw-active-param]");
  await help.waitFor();
  assert.equal(await help.textContent(), "target");
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
});

inBrowser("names of scripts are completed in a scenario", async (page) => {
  await cursorBehind(page, 'behavior: "', "scenarios/pen.ron");
  await page.keyboard.press("Control+Space");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "graze" }).first().waitFor();
});

/** Completes the name of a field that is not written yet, in a line of its own behind `spawn`. */
async function completeField(page, name) {
  const path = "scenarios/pen.ron";
  await cursorBehind(page, "radius: 50),", path);
  await page.keyboard.press("Enter");
  await page.keyboard.type(name.slice(0, 3));
  await page.locator(".cm-tooltip-autocomplete li", { hasText: name }).first().click();
  return path;
}

const BEHAVIOR = 'behavior: "graze", count';

inBrowser("a colon and a space that completion has written are typed over once", async (page) => {
  const written = async (typed) => {
    await page.evaluate(([path, words]) => window.test.editor.setText(path, words), ["scenarios/pen.ron", SCENARIO.replace(BEHAVIOR, "count")]);
    const path = await completeField(page, "behavior");
    for (const key of typed) {
      await page.keyboard.press(key);
    }
    return /behavior.*/.exec(await text(page, path))?.[0];
  };
  assert.equal(await written([]), "behavior: ");
  assert.equal(await written([":"]), "behavior: ");
  assert.equal(await written([":", "Space"]), "behavior: ");
  assert.equal(await written([":", "Space", '"', "x"]), 'behavior: "x"');
  assert.equal(await written(["Space", '"']), 'behavior: ""');
  // Once; and not after something else.
  assert.equal(await written([":", "Space", ":"]), "behavior: :");
  assert.equal(await written(["(", ":"]), "behavior: (:)");
  assert.equal(await written(["Escape", "ArrowLeft", ":"]), "behavior:: ");
});

inBrowser("after the name of a field, completion offers its values by itself", async (page) => {
  await page.evaluate(([path, words]) => window.test.editor.setText(path, words), ["scenarios/pen.ron", SCENARIO.replace(BEHAVIOR, "count")]);
  const path = await completeField(page, "behavior");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "graze" }).first().click();
  assert.match(await text(page, path), /\n\s+behavior: "graze"\n/);
  await page.keyboard.type(",");
  // A number has no values to choose from.
  await cursorBehind(page, "max_force: 40", path);
  await page.keyboard.type(", mas");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "mass" }).first().click();
  assert.match(await text(page, path), /max_force: 40, mass: \)/);
});

inBrowser("long lines wrap with their indentation, and no text shows through the numbers of lines", async (page) => {
  const long = `fn steer(me) {\n    let sum = ${Array.from({ length: 60 }, () => "me.wander()").join(" + ")};\n    sum\n}\n`;
  await page.evaluate(([path, words]) => window.test.editor.setText(path, words), [PATH, long]);
  await show(page, PATH, 0);
  for (const dark of [false, true]) {
    await page.evaluate((isDark) => window.test.editor.setDark(isDark), dark);
    const seen = await page.evaluate(() => {
      const scroller = document.querySelector(".cm-scroller");
      const range = document.createRange();
      range.selectNodeContents(document.querySelectorAll(".cm-line")[1]);
      const rows = new Map();
      for (const { top, left } of [...range.getClientRects()].filter((one) => one.width > 0)) {
        const row = Math.round(top / 10);
        rows.set(row, Math.min(rows.get(row) ?? Number.POSITIVE_INFINITY, left));
      }
      return {
        sideways: scroller.scrollWidth - scroller.clientWidth,
        rows: [...rows.values()],
        gutter: getComputedStyle(document.querySelector(".cm-gutters")).backgroundColor,
      };
    });
    assert.ok(seen.sideways <= 0, `${seen.sideways} px to the side`);
    assert.ok(seen.rows.length > 3, seen.rows.join());
    const [first, ...others] = seen.rows;
    // Four columns of the indentation and two more.
    assert.ok(others.every((left) => left - first > 40 && left - first < 70), seen.rows.join());
    assert.match(seen.gutter, /^rgb\(/);
  }
});

inBrowser("hover shows documentation, with the pointer and with keys", async (page) => {
  await show(page, PATH, 0);
  const word = page.locator(".cm-line span", { hasText: /^separation$/ }).first();
  await word.hover();
  const docs = page.locator(".fw-hover");
  await docs.filter({ hasText: "Steers away from neighbors" }).waitFor();
  assert.ok((await docs.locator("pre .fw-property, pre .fw-function, pre .fw-method").count()) > 0, "code has colors");
  await page.mouse.move(5, 5);
  await docs.waitFor({ state: "detached" });
  await cursorBehind(page, "me.wan");
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+i");
  await docs.filter({ hasText: "wander" }).waitFor();
  await page.keyboard.press("Escape");
  await docs.waitFor({ state: "detached" });
});

inBrowser("a file is formatted", async (page) => {
  await page.evaluate((path) => window.test.editor.setText(path, "fn steer(me) {\nme.wander() + me.brake()\n}\n"), PATH);
  await show(page, PATH, 0);
  await page.keyboard.press("Shift+Alt+f");
  await page.waitForFunction((path) => window.test.editor.text(path).includes("    me.wander()"), PATH);
});

inBrowser("a param is renamed in all files, and undone in each", async (page) => {
  await cursorBehind(page, "me.params.fe");
  await page.keyboard.press("F2");
  const field = page.locator(".cm-dialog input, .cm-panel input").first();
  await field.waitFor();
  await field.fill("fright");
  await page.keyboard.press("Enter");
  await page.waitForFunction((path) => window.test.editor.text(path).includes("me.params.fright"), PATH);
  assert.match(await text(page, "scenarios/pen.ron"), /"fright": 30\.0/);
  await waitForCodes(page, []);
  await page.keyboard.press("Control+z");
  assert.equal(await text(page), SCRIPT);
});

inBrowser("a script is renamed with its file", async (page) => {
  await cursorBehind(page, 'import "mov');
  await page.keyboard.press("F2");
  const field = page.locator(".cm-dialog input, .cm-panel input").first();
  await field.waitFor();
  await field.fill("walks");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.test.renamed.length > 0);
  assert.deepEqual(await page.evaluate(() => window.test.renamed), [["scripts/moves.rhai", "scripts/walks.rhai"]]);
  assert.equal(await text(page, "scripts/walks.rhai"), MOVES);
  assert.match(await text(page), /^import "walks" as moves;/);
  await waitForCodes(page, []);
});

inBrowser("a name leads to its definition in another file", async (page) => {
  await cursorBehind(page, "moves::str");
  await page.keyboard.press("F12");
  await page.waitForFunction(() => document.querySelector(".cm-content")?.getAttribute("aria-label")?.startsWith("scripts/moves.rhai"));
});

inBrowser("a script that is closed is missing, and one that is opened is there", async (page) => {
  await waitForCodes(page, []);
  await page.evaluate(() => window.test.editor.close("scripts/moves.rhai"));
  await waitForCodes(page, ["unknown-name"]);
  await page.evaluate((words) => window.test.editor.open("scripts/moves.rhai", words), MOVES);
  await waitForCodes(page, []);
});

inBrowser("scripts may be opened after the scenario was checked without them", async (page) => {
  const scenario = "scenarios/pen.ron";
  await page.waitForFunction((path) => (window.test.findings[path]?.length ?? 0) > 0, scenario);
  await page.evaluate((files) => {
    for (const [path, words] of Object.entries(files)) {
      window.test.editor.open(path, words);
    }
  }, FILES);
  await waitForCodes(page, [], scenario);
}, { "scenarios/pen.ron": SCENARIO });

inBrowser("Escape and then Tab leave the editor, and Tab alone indents", async (page) => {
  await show(page, PATH, 0);
  await page.keyboard.press("Tab");
  assert.ok((await text(page)).startsWith("    import"));
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "after");
  assert.equal(await text(page), SCRIPT);
});

inBrowser("names have the colors of their meanings, and everything else those of its words", async (page) => {
  await show(page, PATH, 0);
  await page.locator(".fw-method.fw-defaultLibrary", { hasText: "wander" }).first().waitFor();
  await page.locator(".fw-keyword", { hasText: "import" }).first().waitFor();
  await page.locator(".fw-string", { hasText: "moves" }).first().waitFor();
  await show(page, "scenarios/pen.ron", 0);
  await page.locator(".fw-string .fw-class", { hasText: "sheep" }).first().waitFor();
  await page.locator(".fw-enumMember", { hasText: "Disc" }).first().waitFor();
});

inBrowser("documentation never becomes part of the page", async (page) => {
  const evil = `// <img src=x onerror=alert(1)> [here](javascript:alert(1)) [there](https://example.org/)\nfn evil(me) { me.wander() }\nfn steer(me) { evil(me) }\n`;
  await page.evaluate(([path, words]) => window.test.editor.setText(path, words), [PATH, evil]);
  await show(page, PATH, 0);
  await page.locator(".cm-line span", { hasText: /^evil$/ }).last().hover();
  const docs = page.locator(".fw-hover").filter({ hasText: "<img src=x" });
  await docs.waitFor();
  assert.equal(await docs.locator("img").count(), 0);
  assert.deepEqual(await docs.locator("a").evaluateAll((all) => all.map((one) => one.href)), ["https://example.org/"]);
});

/** Returns a script of about 500 lines whose functions all steer. */
function longScript() {
  const one = (index) => `// Part ${index} of the way.
fn part_${index}(me) {
    let near = me.neighbors(${20 + index});
    let push = me.separation(near);
    if near.count > ${index} {
        push += 0.5 * me.alignment(near);
    }
    push + me.params.fear * 0.01 * me.cohesion(near)
}
`;
  const parts = Array.from({ length: 49 }, (_, index) => one(index));
  const sum = Array.from({ length: 49 }, (_, index) => `    force += part_${index}(me);`);
  return `${parts.join("\n")}\nfn steer(me) {\n    let force = me.wander();\n${sum.join("\n")}\n    force\n}\n`;
}

const LONG = longScript();

inBrowser("findings come soon after a key in a script of 500 lines", async (page) => {
  await waitForCodes(page, []);
  await cursorBehind(page, "me.params.fear");
  const times = [];
  for (let round = 0; round < 10; round += 1) {
    for (const key of ["x", "Backspace"]) {
      const before = await page.evaluate(() => {
        const start = performance.now();
        window.test.told = [];
        return start;
      });
      await page.keyboard.press(key);
      await page.waitForFunction((path) => window.test.told.some((one) => one.path === path), PATH);
      times.push(await page.evaluate(([path, start]) => window.test.told.find((one) => one.path === path).at - start, [PATH, before]));
    }
  }
  times.sort((a, b) => a - b);
  const shown = (at) => `${(times[at] ?? 0).toFixed(0)} ms`;
  console.log(`${LONG.split("\n").length} lines: from a key to its findings ${shown(10)} in the middle, ${shown(19)} at most`);
}, { ...FILES, [PATH]: LONG });

inBrowser("a server that breaks says so, and starts again with the same files when the text has changed", async (page) => {
  await waitForCodes(page, []);
  // Rhai waits a moment for a lock, which WebAssembly cannot.
  const breaking = "fn steer(me) {\n    let held = [];\n    held.pad(10, 0);\n    let look = |x| { try { held.len(); } catch { } true };\n    held.all(look);\n    vec(0, 0)\n}\n";
  await show(page, PATH, 0);
  await page.evaluate(([path, words]) => window.test.editor.setText(path, words), [PATH, breaking]);
  await page.locator(".fw-notice", { hasText: "The language server broke" }).waitFor();
  await page.waitForTimeout(1000);
  await page.evaluate(([path, words]) => window.test.editor.setText(path, words), [PATH, SCRIPT.replace("me.separ", "me.separr")]);
  const [finding] = await waitForCodes(page, ["unknown-name"]);
  assert.match(finding.message, /separration/);
});

test("a shipped scenario has no findings here either", { skip }, async () => {
  const files = {};
  for (const path of ["scenarios/night_watch.ron", "scripts/patrol.rhai", "scripts/sneak.rhai"]) {
    files[path] = await read(path);
  }
  const { page } = await browser.start(files, { dark: true });
  for (const path of Object.keys(files)) {
    await waitForCodes(page, [], path);
  }
  await page.close();
});
