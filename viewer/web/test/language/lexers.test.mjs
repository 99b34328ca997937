// The colors of words, which are there before the language server is.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import esbuild from "esbuild";

import { root } from "./support.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const entry = `
  import { highlightCode } from "@lezer/highlight";
  import { highlighting } from "./colors.ts";
  import { languageOf } from "./lexers.ts";
  /** Returns the words with their classes, without white space. */
  export function classes(ending, code) {
    const all = [];
    const put = (text, name) => text.trim() !== "" && all.push([text.trim(), name.replace("fw-", "")]);
    highlightCode(code, languageOf(ending).parser.parse(code), highlighting, put, () => {});
    return all;
  }`;
const { outputFiles } = await esbuild.build({
  stdin: { contents: entry, resolveDir: path.join(here, "../../page/language") },
  bundle: true,
  format: "esm",
  write: false,
  target: "es2023",
});
const { classes } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);

/** Returns the classes of some words of a code, by word. */
const of = (ending, code) => Object.fromEntries(classes(ending, code));

test("words of scripts have their colors", () => {
  const script = of("rhai", 'import "moves" as m;\nfn steer(me) { // all\n  let a = m::go(0x1F, 2.5e3, true); /* b /* c */ d */ me.pos\n}');
  assert.equal(script["fn"], "keyword");
  assert.equal(script["steer"], "function");
  assert.equal(script["// all"], "comment");
  assert.equal(script["/* b /* c */ d */"], "comment");
  assert.equal(script["m"], "namespace");
  assert.equal(script["0x1F"], "number");
  assert.equal(script["2.5e3"], "number");
  assert.equal(script["true"], "constant");
  assert.equal(script['"moves"'], "string");
  assert.equal(script["pos"], "property");
  assert.equal(of("rhai", "me.wander()")["wander"], "method");
});

test("strings end where they end", () => {
  const open = (code) => of("rhai", `${code}\nlet`)["let"];
  for (const code of ['"a', '"a\\"', '#"a" b"#', '##"a"# b"##', "`a", "`a\nb`", "`a ${ {1} } b`", "'\"'", '"a ${b"']) {
    const isOpen = code === "`a";
    assert.equal(open(code), isOpen ? "string" : "keyword", code);
  }
  const inside = of("rhai", "`a ${ if b { 1 } else { 2 } } c`");
  assert.equal(inside["if"], "keyword");
  assert.equal(inside["c`"], "string");
  const ron = (code) => of("ron", `(${code}, end: 1)`)["end"];
  for (const code of ['"a\nb"', 'r"a\\"', 'r#"a" b"#', 'br#"x"#', "'a'", "'\\''"]) {
    assert.equal(ron(code), "property", code);
  }
});

test("fields and variants of scenarios have their colors", () => {
  const scenario = of("ron", '(world: (size: (-1.5, 2), edge: Wrap), on: true, "a": None) // b');
  assert.equal(scenario["world"], "property");
  assert.equal(scenario["Wrap"], "enumMember");
  assert.equal(scenario["-1.5"], "number");
  assert.equal(scenario["None"], "constant");
  assert.equal(scenario['"a"'], "string");
  assert.equal(scenario["// b"], "comment");
});

test("no shipped file ends inside a string or a comment", () => {
  let count = 0;
  for (const [folder, ending, last, expected] of [["scripts", ".rhai", "let", "keyword"], ["scenarios", ".ron", "last:", "property"]]) {
    const top = path.join(root, folder);
    for (const name of readdirSync(top, { recursive: true }).filter((one) => one.endsWith(ending))) {
      const words = classes(ending.slice(1), `${readFileSync(path.join(top, name), "utf8")}\n${last}`);
      assert.ok(words.some(([word, kind]) => word === last.replace(":", "") && kind === expected), name);
      count += 1;
    }
  }
  assert.ok(count > 150, String(count));
});
