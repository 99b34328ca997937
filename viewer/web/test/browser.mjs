// A browser and a server for tests of the pages.
//
// FLOCKWORK_WEB      the folder of the built pages [default: target/web]
// FLOCKWORK_CHROMIUM the browser [default: /usr/bin/chromium]

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { serve } from "./server.mjs";

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../..");
export const web = path.resolve(process.env.FLOCKWORK_WEB ?? path.join(root, "target/web"));

/** A screen of a desk, and one of a phone in portrait. */
export const DESK = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

/** The package for npm, and the project that is its example. */
export const archive = path.join(web, readdirSync(web).find((name) => name.endsWith(".tgz")) ?? "none.tgz");
export const meadow = JSON.parse(execFileSync("tar", ["xzOf", archive, "package/example/meadow.json"], { encoding: "utf8" }));

let browser;
let server;

/** Starts both before the tests of a file, and ends them after it. `folders` are served besides the pages. */
export function useBrowser(folders = {}) {
  before(async () => {
    assert.ok(existsSync(path.join(web, "playground.html")), `${web} has no pages: build them with node page/build.mjs`);
    server = await serve({ ...folders, "/": web });
    browser = await chromium.launch({
      executablePath: process.env.FLOCKWORK_CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    });
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });
}

/** Returns the address of a page. */
export function address(name) {
  return `${server.url}/${name}`;
}

/**
 * Calls `run` with a new page at an address. It fails if the page has an error, warns in the console, or asks anybody but the server
 * for something.
 */
export async function withPage(url, options, run) {
  const context = await browser.newContext({ ...DESK, acceptDownloads: true, ...options });
  context.setDefaultTimeout(20_000);
  const wrong = [];
  const watch = (page) => {
    page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
    // What the graphics driver has to say about reading pixels is of no interest.
    const matters = (message) => ["error", "warning"].includes(message.type()) && !message.text().includes("GL Driver Message");
    page.on("console", (message) => matters(message) && wrong.push(`console: ${message.text()}`));
    page.on("request", (request) => {
      if (!/^(blob:|data:|file:)/.test(request.url()) && !request.url().startsWith(server.url)) {
        wrong.push(`request: ${request.url()}`);
      }
    });
  };
  context.on("page", watch);
  try {
    const page = await context.newPage();
    await page.goto(url);
    await run(page, context);
    assert.deepEqual(await context.cookies(), []);
  } finally {
    await context.close();
  }
  assert.deepEqual(wrong, []);
}

/** Calls `run` with the playground once its world is there. */
export function withPlayground(hash, options, run) {
  return withPage(address(`playground.html${hash}`), options, async (page, context) => {
    await started(page);
    await run(page, context);
  });
}

/** Waits until a world is shown and its first tick is over. */
export async function started(page) {
  await page.waitForFunction(() => /hash [0-9a-f]{16}/.test(document.querySelector("#proof-line").textContent));
}

/** The tick that is shown. */
export async function tick(page) {
  return Number(/tick (\d+)/.exec(await page.locator(".transport .time").textContent())?.[1]);
}

/** Waits until the tick that is shown is at least this. */
export async function reach(page, least) {
  await page.waitForFunction((wanted) => Number(/tick (\d+)/.exec(document.querySelector(".transport .time").textContent)?.[1]) >= wanted, least);
}

/** Pauses, goes to a tick that is known, and returns the hash there. */
export async function hashAt(page, wanted) {
  await goTo(page, wanted);
  const text = await page.locator("#proof-line").textContent();
  return /hash ([0-9a-f]{16})/.exec(text)?.[1];
}

/** Goes to a tick that is known, by the time bar. */
export async function goTo(page, wanted) {
  await page.locator(".transport .time-bar").evaluate((bar, value) => {
    bar.value = String(value);
    bar.dispatchEvent(new Event("input"));
  }, wanted);
  await page.waitForFunction((value) => document.querySelector("#proof-line").textContent.includes(`at tick ${value},`), wanted);
}

/** Opens a panel. */
export async function panel(page, name) {
  await page.getByRole("tab", { name, exact: false }).click();
}

/** Replaces a part of the file that is shown, as an editor does when something is pasted. */
export async function edit(page, from, to) {
  const editor = page.locator("#editor [contenteditable=true], #editor textarea").first();
  const text = await fileText(page);
  assert.ok(text.includes(from), `the file does not have ${from}`);
  const wanted = text.replace(from, to);
  // Colors that arrive just then can take away the selection of everything, so that the text is inserted beside the old one.
  for (let count = 0; count < 5; count += 1) {
    await editor.fill(wanted);
    if ((await fileText(page)).trimEnd() === wanted.trimEnd()) {
      return;
    }
  }
  assert.fail(`the editor does not take ${to}`);
}

/** The text of the file that is shown. */
export async function fileText(page) {
  return page.locator("#editor").evaluate((parent) => {
    const area = parent.querySelector("textarea");
    return area !== null ? area.value : [...parent.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n");
  });
}

/** Waits until the file that is shown has a text. */
export async function showsFile(page, pattern) {
  await page.waitForFunction(
    ([source]) => {
      const parent = document.querySelector("#editor");
      const area = parent.querySelector("textarea");
      const text = area !== null ? area.value : [...parent.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n");
      return new RegExp(source).test(text);
    },
    [pattern.source],
  );
}
