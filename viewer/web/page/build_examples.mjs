// The shipped scenarios for the pages: each with the scripts that it needs, its picture, and a card in the gallery.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, copyFile, mkdir, readFile, readdir, rename, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The folders of `scenarios/` in the order of the gallery, with what the gallery says about them. */
const FOLDERS = {
  "": ["Worlds", "Flocks, crowds, guards, ants: one idea each, and something to try in its first lines."],
  primitives: ["Primitives", "One scene for each function that steers, with the same name."],
  crowds: ["Crowds", "The same crossings and doors, with different models of people."],
  validation: ["Compared with people", "Experiments from the literature, with the numbers that were measured."],
  rimea: ["RiMEA", "The test cases for evacuation programs."],
  steerbench: ["SteerBench", "The test cases for steering programs."],
};

/** The size of a picture in pixels. */
const PICTURE = { width: 480, height: 300 };

/** Writes `examples/NAME.js` for each scenario, pictures, and `gallery.html`. Returns the example with which the playground begins. */
export async function writeExamples({ root, out, page, program }) {
  const scripts = new Map();
  for (const file of await filesIn(root, "scripts", ".rhai")) {
    scripts.set(file.slice("scripts/".length, -".rhai".length), await readFile(path.join(root, file), "utf8"));
  }
  const examples = [];
  for (const file of await filesIn(root, "scenarios", ".ron")) {
    if (!file.endsWith(".plan.ron")) {
      examples.push(example(file, await readFile(path.join(root, file), "utf8"), scripts));
    }
  }
  examples.sort((a, b) => (a.name < b.name ? -1 : 1));
  const meadow = await readmeExample(root);
  examples.unshift(meadow);
  for (const { name, project } of examples) {
    const file = path.join(out, "examples", `${name}.js`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `flockworkExample(${JSON.stringify(name)}, ${JSON.stringify(project)});\n`);
  }
  if (program !== undefined) {
    await writePictures({ examples, root, out, program: path.resolve(program) });
  }
  for (const item of examples) {
    // Also those of an earlier build.
    item.pictures = await exists(path.join(out, "pictures", `${item.name}.dark.png`));
  }
  const template = await readFile(path.join(page, "gallery/gallery.html"), "utf8");
  await writeFile(path.join(out, "gallery.html"), template.replace("<!-- cards -->", () => sections(examples)));
  return meadow;
}

/** The paths of all files in a folder of the repository that end in `ending`. */
async function filesIn(root, folder, ending) {
  const names = await readdir(path.join(root, folder), { recursive: true });
  return names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name.replaceAll(path.sep, "/")}`);
}

/** The project of the README, with which the playground begins: its blocks, each with the name of its file in the first line. */
async function readmeExample(root) {
  const text = await readFile(path.join(root, "README.md"), "utf8");
  const files = {};
  for (const [, block, file] of text.matchAll(/^```rust\n(\/\/ ((?:scenarios|scripts)\/\S+)\n[^]*?)^```$/gm)) {
    files[file] = block;
  }
  const scenario = Object.keys(files).find((file) => file.endsWith(".ron"));
  if (scenario === undefined) {
    throw new Error("README.md has no scenario that the playground could begin with");
  }
  return {
    name: "meadow",
    folder: "",
    ticks: ticksOf(files[scenario]),
    files,
    title: "Meadow",
    about: "Birds fly as a flock and flee from two hawks. Change a number in the script, and they change while they fly.",
    project: { scenario, files },
  };
}

/** A scenario with all scripts that it names, and with those that they import. */
function example(file, text, scripts) {
  const files = { [file]: text };
  const add = (source) => {
    // A string that is the name of a script may mean something else. A script too many does no harm.
    for (const [, name] of source.matchAll(/"([^"\n]+)"/g)) {
      const script = `scripts/${name}.rhai`;
      if (scripts.has(name) && !Object.hasOwn(files, script)) {
        files[script] = scripts.get(name);
        add(scripts.get(name));
      }
    }
  };
  add(text);
  const comment = text.slice(0, text.indexOf("\n(")).split("\n").filter((line) => line.startsWith("//"));
  // The scenes of primitives say how the book draws them.
  const render = comment[0]?.startsWith("// render:") === true ? comment.shift() : "";
  const name = file.slice("scenarios/".length, -".ron".length);
  const end = comment.findIndex((line) => line === "//");
  return {
    name,
    folder: name.includes("/") ? name.slice(0, name.indexOf("/")) : "",
    title: /^ {4}name: "(.*)",$/m.exec(text)?.[1] ?? path.basename(name).replaceAll("_", " "),
    about: comment
      .slice(0, end < 0 ? undefined : end)
      .map((line) => line.replace(/^\/\/ ?/, ""))
      .join(" "),
    ticks: ticksOf(text),
    drawnAt: / --(?:to|tick) (\d+)/.exec(render)?.[1],
    trails: / --trails=(\d+)/.exec(render)?.[1],
    files,
    project: { scenario: file, files },
  };
}

function ticksOf(scenario) {
  return Number(/^ {4}ticks: (\d+)/m.exec(scenario)?.[1] ?? 600);
}

/** Draws each scenario, light and dark, unless a picture of the same files is there already. */
async function writePictures({ examples, root, out, program }) {
  const drawn = path.resolve(out, "../web-pictures");
  await mkdir(drawn, { recursive: true });
  const jobs = [];
  for (const item of examples) {
    const folder = await folderOf(item, root, drawn);
    jobs.push({ item, folder, theme: "light" }, { item, folder, theme: "dark" });
  }
  const work = async () => {
    for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
      const { item, folder, theme } = job;
      const key = createHash("sha256").update(JSON.stringify([item.files, PICTURE, theme])).digest("hex").slice(0, 24);
      const cached = path.join(drawn, `${key}.png`);
      if (!(await exists(cached))) {
        await draw({ item, theme, root: folder, program, file: cached });
      }
      const file = path.join(out, "pictures", `${item.name}.${theme}.png`);
      await mkdir(path.dirname(file), { recursive: true });
      await copyFile(cached, file);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** The folder in which a scenario can be run: the repository, or one that is made for the project of the README. */
async function folderOf({ name, files, project }, root, drawn) {
  if (await exists(path.join(root, project.scenario))) {
    return root;
  }
  const folder = path.resolve(drawn, name);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  return folder;
}

async function draw({ item, theme, root, program, file }) {
  // A third of the way something has happened, and in most scenarios not everything is over.
  const tick = Math.min(Number(item.drawnAt ?? Math.min(Math.round(item.ticks / 3), 400)), item.ticks);
  const partial = file.replace(/\.png$/, ".partial.png");
  const size = `${PICTURE.width}x${PICTURE.height}`;
  const trails = Math.min(Number(item.trails ?? 60), tick);
  await run(
    program,
    [
      ...["render", item.project.scenario, "--tick", String(tick), "--size", size, "--threads", "1"],
      ...[`--trails=${trails}`, "--out", partial, ...(theme === "dark" ? ["--dark"] : [])],
    ],
    { cwd: root },
  );
  await rename(partial, file);
}

async function exists(file) {
  return access(file).then(
    () => true,
    () => false,
  );
}

function sections(examples) {
  return Object.entries(FOLDERS)
    .map(([folder, [title, about]]) => {
      const cards = examples.filter((item) => item.folder === folder).map(card);
      return `<section aria-labelledby="folder-${folder}">
<h2 id="folder-${folder}">${title}</h2>
<p>${about}</p>
<ul class="cards">
${cards.join("\n")}
</ul>
</section>`;
    })
    .join("\n");
}

/** The three rules of Reynolds' boids: whoever looks for boids finds worlds that have them all. */
const BOIDS = ["separation", "alignment", "cohesion"];

/** The words of all files of a world, for the search; those that the card shows are not repeated. */
function wordsOf({ name, title, about, files }) {
  const words = (text) => text.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  const shown = new Set(words(`${name} ${title} ${about}`));
  const all = new Set(words(Object.values(files).join(" ")));
  if (BOIDS.every((word) => all.has(word))) {
    all.add("boids");
  }
  return [...all].filter((word) => !shown.has(word)).sort().join(" ");
}

function card(item) {
  const { name, title, about, pictures } = item;
  const picture =
    pictures === true
      ? `<picture><source media="(prefers-color-scheme: dark)" srcset="pictures/${name}.dark.png">` +
        `<img src="pictures/${name}.light.png" alt="" width="${PICTURE.width}" height="${PICTURE.height}" loading="lazy"></picture>`
      : "";
  return `<li data-words="${wordsOf(item)}"><a href="playground.html#example=${name}">${picture}<h3>${html(title)}</h3><p>${html(about)}</p><code>${name}</code></a></li>`;
}

function html(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(/`([^`]*)`/g, "<i>$1</i>");
}
