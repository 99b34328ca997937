// Links that somebody might make to break the page: from a seed, so that a test always has the same ones.

import { deflateRawSync } from "node:zlib";

const PLAIN = {
  scenario: "scenarios/a.ron",
  files: { "scenarios/a.ron": '(groups: { "a": (behavior: "a", count: 3) })', "scripts/a.rhai": "fn steer(me) { me.wander() }\n" },
};

/** Random numbers from 0 to 1 (the generator `mulberry32`). */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function packed(bytes) {
  return `#1.${deflateRawSync(bytes, { level: 9 }).toString("base64url")}`;
}

function link(value) {
  return packed(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)));
}

function withFile(path, text = "x") {
  return link({ ...PLAIN, files: { ...PLAIN.files, [path]: text } });
}

const PATHS = [
  "scenarios/../secret.ron", "/scenarios/a.ron", "scenarios//a.ron", "scenarios/a.ron/", "scripts/./a.rhai", "C:\\scripts\\a.rhai",
  "scripts\\a.rhai", "scripts/a.js", "scripts/a.rhai.exe", "scenarios/.ron", "scripts/.hidden.rhai", "scripts/a b.rhai",
  "scripts/a\u0000.rhai", "scripts/a\n.rhai", "scripts/\u202eihar.rhai", "scripts/é.rhai", "scenarios/a.rhai", "a.ron", "", ".", "..",
  "scripts", "https://example.com/scripts/a.rhai", "scripts/<img src=x onerror=alert(1)>.rhai", `scripts/${"a".repeat(500)}.rhai`,
  `${"scripts/".repeat(60)}a.rhai`, "__proto__", "constructor", "scripts/__proto__", "toString", "%2e%2e/a.ron", "scripts/%00.rhai",
];

const WRONG = [
  "null", "1", "true", '"text"', "[]", "{}", "[[]]", '{"scenario": 1, "files": {}}', '{"scenario": "scenarios/a.ron"}',
  '{"scenario": "scenarios/a.ron", "files": []}', '{"scenario": "scenarios/a.ron", "files": null}',
  '{"scenario": "scenarios/a.ron", "files": {"scenarios/a.ron": 1}}', '{"scenario": "scenarios/a.ron", "files": {"scenarios/a.ron": {}}}',
  '{"scenario": "scenarios/b.ron", "files": {"scenarios/a.ron": ""}}', '{"scenario": "scripts/a.rhai", "files": {"scripts/a.rhai": ""}}',
  '{"__proto__": {"scenario": "scenarios/a.ron", "files": {"scenarios/a.ron": ""}}}',
  '{"scenario": "__proto__", "files": {"__proto__": ""}}', '{"scenario": "constructor", "files": {}}', "{", '{"scenario": ', "NaN", "",
  '{"scenario": "scenarios/a.plan.ron", "files": {"scenarios/a.plan.ron": ""}}',
];

const FIELDS = [
  { seed: -1 }, { seed: 1.5 }, { seed: "7" }, { seed: 1e300 }, { seed: null }, { params: [] }, { params: 1 }, { params: { a: 1 } },
  { params: { a: "x".repeat(1000) } }, { params: { "a\u0007": "1" } }, { params: { a: "1\u0000" } }, { extra: 1 }, { constructor: 1 },
  { params: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`p${index}`, "1"])) },
];

const TEXTS = ["\u0000", "a\u0007b", "\u001b[2J", "\ud800", "\udc00x", "\u007f", "x\u000c"];

const DAMAGED = /damaged/;

/** Kinds of links, each with what the message must say. A link of a kind without one may be a project after all. */
const KINDS = [
  [
    DAMAGED,
    (pick, next) => {
      const whole = link(PLAIN);
      return whole.slice(0, 3 + Math.floor(next() * (whole.length - 4)));
    },
  ],
  [
    undefined,
    (pick, next) => {
      const whole = link(PLAIN);
      const at = 3 + Math.floor(next() * (whole.length - 3));
      return `${whole.slice(0, at)}${whole[at] === "A" ? "B" : "A"}${whole.slice(at + 1)}`;
    },
  ],
  [/unpacks to more than/, (pick, next) => packed(Buffer.alloc(4_000_000 + Math.floor(next() * 40_000_000), pick([" ", "0", "[", '"'])))],
  [DAMAGED, (pick, next) => link("[".repeat(1000 + Math.floor(next() * 1_000_000)))],
  [/must be|does not contain a project|is no string|is not among its files|unknown field|cannot be used/, (pick) => link(pick(WRONG))],
  [/^the path ".*" cannot be used: /, (pick) => withFile(pick(PATHS))],
  [/seed|param|unknown field/, (pick) => link({ ...PLAIN, ...pick(FIELDS) })],
  [/is not a text: it has control characters/, (pick) => withFile("scripts/b.rhai", pick(TEXTS))],
  [DAMAGED, (pick, next) => `#1.${Array.from({ length: 1 + Math.floor(next() * 300) }, () => pick([..."AZaz09-_"])).join("")}`],
  [/this link is too long/, (pick, next) => `#1.${"A".repeat(200_001 + Math.floor(next() * 100_000))}`],
  [DAMAGED, (pick) => `#1.${pick(["", "=", "====", "a b", "%00", "<script>", "\u202e", "ü", "..", "//", "A", "AAAAA"])}`],
  [/another version|damaged/, (pick) => `#${pick(["0.", "2.", "99.", "1.1."])}${link(PLAIN).slice(3)}`],
  [DAMAGED, (pick, next) => packed(Buffer.from(Array.from({ length: 1 + Math.floor(next() * 400) }, () => Math.floor(next() * 256))))],
  [
    /more than 200 files/,
    () => link({ ...PLAIN, files: { ...PLAIN.files, ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`scripts/f${i}.rhai`, ""])) } }),
  ],
  [/more than 2 million characters/, (pick, next) => withFile("scripts/long.rhai", "ab".repeat(1_000_001 + Math.floor(next() * 10_000)))],
];

/** Returns `count` hostile links from `seed`, each with what its message must say, if that is known. */
export function hostileLinks(count, seed) {
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  return Array.from({ length: count }, (_, index) => {
    const [message, make] = KINDS[index % KINDS.length];
    return { message, link: make(pick, next) };
  });
}
