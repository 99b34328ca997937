// Edits of worlds of the gallery, which are kept in the browser.

import assert from "node:assert/strict";
import test from "node:test";

import { address, edit, fileText, showsFile, started, useBrowser, withPlayground } from "./browser.mjs";

useBrowser();

test("a world that was changed is there again with the changes, and the original is one click away", () =>
  withPlayground("#example=night_watch", {}, async (page) => {
    const original = await fileText(page);
    assert.equal(await page.locator("#intro").isVisible(), false);
    const changed = original.replace("fn steer(me) {", "fn steer(me) {\n    // mine");
    assert.notEqual(changed, original);
    await edit(page, "fn steer(me) {", "fn steer(me) {\n    // mine");
    // At once, before the address is written.
    await page.getByRole("link", { name: "Gallery" }).click();
    await page.getByText("Every world that comes").waitFor();
    const reopen = async (name) => {
      await page.goto(address("gallery.html"));
      await page.goto(address(`playground.html#example=${name}`));
      await started(page);
    };
    await reopen("night_watch");
    await page.locator("#intro", { hasText: "You changed this world" }).waitFor();
    assert.equal(await fileText(page), changed);
    await page.getByRole("button", { name: "Start from the original" }).click();
    await page.locator("#intro", { hasText: "This is the original" }).waitFor();
    assert.equal(await fileText(page), original);
    // Only looking at the original keeps the changes, and no other world speaks of them.
    await reopen("heist");
    assert.equal(await page.locator("#intro").isVisible(), false);
    await reopen("night_watch");
    await page.getByRole("button", { name: "Start from the original" }).click();
    await page.getByRole("button", { name: "Back to your changes" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    assert.equal(await page.locator("#intro").isVisible(), false);
    await showsFile(page, /\/\/ mine/);
    // A reloaded page still knows which world it was: without the change there is nothing to speak of.
    await edit(page, "// mine", "// yours");
    await page.waitForFunction(() => location.hash.startsWith("#1."));
    await page.reload();
    await started(page);
    await showsFile(page, /\/\/ yours/);
    assert.equal(await page.locator("#intro").isVisible(), false);
    await edit(page, "\n    // yours", "");
    await reopen("night_watch");
    assert.equal(await page.locator("#intro").isVisible(), false);
    assert.equal(await fileText(page), original);
  }));

test("the newest ten are kept, and a damaged storage does no harm", () =>
  withPlayground("", {}, async (page) => {
    await edit(page, "1.5 * me.separation(16)", "1.75 * me.separation(16)");
    await page.waitForFunction(() => localStorage.getItem("flockwork-edits") !== null);
    const kept = await page.evaluate(() => {
      const [[, link]] = JSON.parse(localStorage.getItem("flockwork-edits"));
      localStorage.setItem("flockwork-edits", JSON.stringify(Array.from({ length: 10 }, (_, index) => [`world${index}`, link])));
      return link;
    });
    await edit(page, "1.75 * me.separation(16)", "2.5 * me.separation(16)");
    await page.waitForFunction(() => JSON.parse(localStorage.getItem("flockwork-edits"))[0][0] === "meadow");
    const names = await page.evaluate(() => JSON.parse(localStorage.getItem("flockwork-edits")).map(([name]) => name));
    assert.deepEqual(names, ["meadow", ...Array.from({ length: 9 }, (_, index) => `world${index}`)]);
    for (const damaged of ["{", "[1]", JSON.stringify([["meadow", kept.slice(0, -20)]]), JSON.stringify([["meadow", 7]])]) {
      await page.evaluate((text) => localStorage.setItem("flockwork-edits", text), damaged);
      await page.goto(address("gallery.html"));
      await page.goto(address("playground.html"));
      await started(page);
      await showsFile(page, /1\.5 \* me\.separation\(16\)/);
      assert.match(await page.locator("#intro").textContent(), /Birds flee/);
    }
  }));
