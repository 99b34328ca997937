// The switches of weights, and the comments beside params.

import assert from "node:assert/strict";
import test from "node:test";

import { edit, reach, useBrowser, withPlayground } from "./browser.mjs";

useBrowser();

/** Waits until the fields of params have values. */
function shows(page, values) {
  return page.waitForFunction(
    (wanted) => wanted.every(([id, value]) => document.querySelector(`#param-birds_${id}`)?.value === value),
    Object.entries(values),
  );
}

test("a weight is switched off and on by keyboard, alone or with the others, and its slider keeps the value", () =>
  withPlayground("#example=flock", {}, async (page) => {
    await reach(page, 5);
    // Only weights have switches.
    assert.deepEqual(
      await page.getByRole("switch").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label"))),
      ["alignment", "cohesion", "separation"].map((name) => `birds.${name}, switch`),
    );
    // Caught: this one was in the middle.
    assert.equal(await page.locator(".param label").last().textContent(), "number of agents");
    const slider = page.getByLabel("birds.separation, slider");
    const type = async (value) => {
      await page.getByLabel("separation", { exact: true }).fill(value);
      await page.keyboard.press("Enter");
    };
    await type("1.6");
    await page.waitForFunction(() => document.querySelector("[aria-label='birds.separation, slider']").value === "1.6");
    const one = page.getByRole("switch", { name: "birds.separation, switch" });
    assert.equal(await one.isChecked(), true);
    await one.focus();
    await page.keyboard.press("Space");
    await shows(page, { separation: "0.0" });
    assert.equal(await one.isChecked(), false);
    assert.equal(await slider.inputValue(), "1.6");
    assert.equal(await slider.getAttribute("aria-valuetext"), "off; 1.6 when it is on");
    // A run from the start keeps it, too.
    await page.getByRole("button", { name: "Start again" }).click();
    await reach(page, 3);
    await shows(page, { separation: "0.0" });
    assert.equal(await slider.inputValue(), "1.6");
    await one.focus();
    await page.keyboard.press("Space");
    await shows(page, { separation: "1.6" });
    assert.equal(await slider.getAttribute("aria-valuetext"), null);
    // Only this one, and all again.
    const only = page.getByRole("button", { name: "Only birds.cohesion" });
    await only.focus();
    await page.keyboard.press("Enter");
    await shows(page, { separation: "0.0", alignment: "0.0", cohesion: "0.8", room: "18.0" });
    await page.locator("#status", { hasText: "only cohesion: the other weights of birds are off" }).waitFor();
    await only.click();
    await shows(page, { separation: "1.6", alignment: "1.5", cohesion: "0.8" });
    await page.locator("#status", { hasText: "all weights of birds are on again" }).waitFor();
    // What is moved to 0 stays there, and comes back to the value in the file.
    await one.click();
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("[aria-label='birds.separation, switch']").checked);
    await page.keyboard.press("Home");
    await shows(page, { separation: "0.0" });
    assert.equal(await slider.inputValue(), "0");
    await one.click();
    await shows(page, { separation: "1.5" });
  }));

test("another number of agents can be written, and one that is not possible is refused", () =>
  withPlayground("#example=flock", {}, async (page) => {
    await reach(page, 3);
    const field = page.getByLabel("number of agents", { exact: true });
    const type = async (value) => {
      await field.fill(value);
      await page.keyboard.press("Enter");
    };
    await type("1000000000");
    await page.locator("#status", { hasText: "number of agents cannot be 1000000000: expected an integer from 1 to" }).waitFor();
    await type("120");
    await page.getByRole("button", { name: "Write into the scenario" }).click();
    await page.locator("#file-bar").getByRole("tab", { name: "flock.ron" }).click();
    await page.locator(".cm-line", { hasText: "count: 120" }).waitFor();
  }));

test("a weight that was never more than 0 says so", () =>
  withPlayground("#example=flock", {}, async (page) => {
    await reach(page, 3);
    await page.locator("#file-bar").getByRole("tab", { name: "flock.ron" }).click();
    await edit(page, '"separation": 1.5', '"separation": 0.0');
    await shows(page, { separation: "0.0" });
    const one = page.getByRole("switch", { name: "birds.separation, switch" });
    await page.waitForFunction(() => document.querySelector("[aria-label='birds.separation, switch']").checked === false);
    await one.click();
    await page.locator("#status", { hasText: "separation of birds was never more than 0" }).waitFor();
    await page.waitForFunction(() => document.querySelector("[aria-label='birds.separation, switch']").checked === false);
  }));

test("the comment beside a param in the scenario is shown, by pointer and by keyboard, and read out", () =>
  withPlayground("#example=flock", {}, async (page) => {
    await reach(page, 3);
    const comment = page.locator("#param-birds_room-comment");
    assert.equal(await comment.textContent(), "distance within which a bird keeps away from others, in world units");
    assert.equal(await comment.isVisible(), false);
    await page.locator("label", { hasText: "room" }).hover();
    assert.equal(await comment.isVisible(), true);
    await page.mouse.move(5, 5);
    assert.equal(await comment.isVisible(), false);
    const slider = page.getByLabel("birds.room, slider");
    await page.locator("#param-birds_room").focus();
    await page.keyboard.press("Shift+Tab");
    assert.equal(await slider.evaluate((element) => element === document.activeElement), true);
    assert.equal(await comment.isVisible(), true);
    for (const element of [slider, page.locator("#param-birds_room")]) {
      assert.equal(await element.getAttribute("aria-describedby"), "param-birds_room-comment");
    }
  }));
