// Links and zips in node: what comes in comes out, and what is hostile is refused with a message for people.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

import { pageModule } from "./bundled.mjs";
import { hostileLinks } from "./hostile_links.mjs";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../..");
const { fromLink, toLink, MAX_LINK } = await pageModule("link.ts");
const { fromZip, openedFiles, toZip } = await pageModule("zip.ts");
const { pathProblem } = await pageModule("project.ts");

/** A project with every scenario and script that is shipped, as far as a link takes them. */
function shipped(count) {
  const files = new Map();
  for (const [folder, ending] of [["scenarios", ".ron"], ["scripts", ".rhai"]]) {
    const names = readdirSync(path.join(root, folder), { recursive: true }).filter((name) => name.endsWith(ending));
    for (const name of names.sort().slice(0, count)) {
      files.set(`${folder}/${name}`, readFileSync(path.join(root, folder, name), "utf8"));
    }
  }
  const scenario = [...files.keys()].find((name) => name.endsWith(".ron"));
  return { files, scenario, seed: 12, params: new Map([["bird.sight", "40.5"], ["__proto__.x", "1"]]) };
}

test("a project survives its link", () => {
  for (const count of [1, 10, 80]) {
    const project = shipped(count);
    const back = fromLink(toLink(project));
    assert.deepEqual(back, project);
    assert.equal({}.x, undefined);
  }
});

test("a project that is too long for a link says so", () => {
  const project = shipped(1);
  let state = 1;
  const noise = Array.from({ length: 400_000 }, () => String.fromCharCode(33 + ((state = (state * 16807) % 2147483647) % 90))).join("");
  project.files.set("scripts/noise.rhai", noise);
  assert.throws(() => toLink(project), new RegExp(`a link has at most ${MAX_LINK}`));
});

test("200 hostile links are refused with a message", () => {
  for (const { message, link } of hostileLinks(200, 37)) {
    let told;
    try {
      fromLink(link);
    } catch (error) {
      assert.equal(error.name, "ProjectError", `${link.slice(0, 80)}: ${error.stack}`);
      assert.match(error.message, /^[^\u0000-\u001f]{10,300}$/);
      told = error.message;
    }
    // A changed character may give another project, which is one like any other.
    assert.ok(told !== undefined || message === undefined, `${link.slice(0, 200)} was opened`);
    assert.match(told ?? "", message ?? /^/, link.slice(0, 200));
  }
  assert.equal(Object.keys(Object.prototype).length, 0);
});

test("a project survives its zip, with its golden", () => {
  const project = shipped(100);
  const { files, goldens, leftOut } = fromZip(toZip(project, "golden\n"));
  assert.deepEqual(new Map([...files].sort()), new Map([...project.files].sort()));
  assert.deepEqual([...goldens], [[project.scenario, "golden\n"]]);
  assert.deepEqual(leftOut, []);
});

test("zips that are none, are cut off, or unpack to too much are refused", () => {
  const zip = toZip(shipped(20), undefined);
  const bomb = toZip({ ...shipped(1), files: new Map([["scenarios/a.ron", " ".repeat(30_000_000)]]), scenario: "scenarios/a.ron" }, undefined);
  const cases = [
    [new Uint8Array(), /no zip/],
    [new Uint8Array(1000), /no zip/],
    [zip.slice(100), /no zip/],
    [zip.slice(0, -30), /no zip/],
    [zip.slice(0, zip.length / 2), /no zip/],
    [bomb, /the files of the zip have more than/],
    [new TextEncoder().encode("PK\u0003\u0004 no zip"), /no zip/],
  ];
  for (const [bytes, message] of cases) {
    assert.throws(() => fromZip(bytes), { name: "ProjectError", message });
  }
});

test("files are found in folders, and others are left out", () => {
  const text = (value) => new TextEncoder().encode(value);
  const { files, leftOut } = openedFiles([
    ["my project/scenarios/a.ron", text("()")],
    ["my project/scripts/crowds/b.rhai", text("\ufeffx\r\ny")],
    ["loose.rhai", text("1")],
    ["my project/scripts/../c.rhai", text("")],
    ["my project/README.md", text("")],
  ]);
  assert.deepEqual([...files], [["scenarios/a.ron", "()"], ["scripts/crowds/b.rhai", "x\ny"], ["scripts/loose.rhai", "1"]]);
  assert.deepEqual(leftOut, ["my project/scripts/../c.rhai", "my project/README.md"]);
  assert.throws(() => openedFiles([["a.ron", new Uint8Array([0xff, 0xfe])]]), /not a text in UTF-8/);
});

test("every shipped path can be a path of a project", () => {
  for (const path of shipped(10_000).files.keys()) {
    assert.equal(pathProblem(path), undefined, path);
  }
});
