// A project as a zip file, which `flockwork test` accepts once it is unpacked; and files out of zips and folders.

import { Unzip, UnzipInflate, strToU8, zipSync } from "fflate";

import { LIMITS, type Project, ProjectError, addFile, isScenario, pathProblem } from "./project.ts";

/** Bytes that are unpacked at once, so that a bomb is noticed before it fills the memory. */
const CHUNK = 4096;

/** The most files in a zip that are looked at, including those that are no part of a project. */
const MAX_ENTRIES = 5000;

/** The most characters of all goldens together. */
const MAX_GOLDENS = 10_000_000;

/** The most bytes that are unpacked. */
const MAX_UNPACKED = LIMITS.textLength * 1.1 + MAX_GOLDENS;

/** Files from outside. */
export interface Opened {
  /** Texts by path. */
  files: Map<string, string>;
  /** Goldens by the path of their scenario. */
  goldens: Map<string, string>;
  /** The names of files that are no part of a project. */
  leftOut: string[];
}

/** The name of the folder in the zip and of the zip itself: the file name of the scenario. */
export function projectName(project: Project): string {
  return project.scenario.replace(/^.*\//, "").replace(/\.ron$/, "");
}

/** Returns a zip with the project in a folder. `golden` is the text of the golden of its scenario, if there is one. */
export function toZip(project: Project, golden: string | undefined): Uint8Array {
  const folder = projectName(project);
  const entries: Record<string, Uint8Array> = {};
  for (const [path, text] of project.files) {
    entries[`${folder}/${path}`] = strToU8(text);
  }
  if (golden !== undefined) {
    entries[`${folder}/${project.scenario.replace(/\.ron$/, ".golden")}`] = strToU8(golden);
  }
  entries[`${folder}/README.md`] = strToU8(readme(project, folder));
  return zipSync(entries, { level: 9 });
}

function readme(project: Project, title: string): string {
  const options = [
    ...(project.seed === undefined ? [] : [`--seed ${project.seed}`]),
    ...[...project.params].map(([name, value]) => `--set '${name}=${value}'`),
  ];
  const played =
    options.length === 0
      ? ""
      : `\nIn the playground it ran with other values:\n\n    flockwork view ${project.scenario} ${options.join(" ")}\n`;
  return `# ${title}

A project for Flockwork, from the playground. \`scenarios\` has its scenarios, \`scripts\` the behaviors of their agents.

    flockwork view ${project.scenario}
    flockwork test
${played}`;
}

/** Returns the files of a zip. Throws a `ProjectError`. */
export function fromZip(bytes: Uint8Array): Opened {
  if (!isWholeZip(bytes)) {
    throw new ProjectError("this is no zip, or it is damaged");
  }
  const raw = new Map<string, Uint8Array[]>();
  let length = 0;
  let entries = 0;
  let open = 0;
  const unzip = new Unzip((file) => {
    entries += 1;
    if (entries > MAX_ENTRIES) {
      throw new ProjectError(`the zip has more than ${MAX_ENTRIES} files`);
    }
    if (!/\.(ron|rhai|golden)$/.test(file.name)) {
      return;
    }
    const pieces: Uint8Array[] = [];
    raw.set(file.name, pieces);
    open += 1;
    file.ondata = (error, piece, last) => {
      if (error) {
        throw new ProjectError(`the zip cannot be unpacked: ${error.message}`);
      }
      length += piece.length;
      if (length > MAX_UNPACKED) {
        throw new ProjectError(`the files of the zip have more than ${MAX_UNPACKED / 1e6} million bytes`);
      }
      pieces.push(piece);
      open -= last ? 1 : 0;
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let start = 0; start < bytes.length; start += CHUNK) {
      unzip.push(bytes.subarray(start, start + CHUNK), start + CHUNK >= bytes.length);
    }
  } catch (error) {
    throw error instanceof ProjectError ? error : new ProjectError("this is no zip, or it is damaged");
  }
  if (open > 0) {
    throw new ProjectError("this zip is damaged");
  }
  return openedFiles([...raw].map(([path, pieces]) => [path, joined(pieces)]));
}

/** Whether bytes begin and end as a zip does: with the header of a file, or of none, and with the record that closes the zip. */
function isWholeZip(bytes: Uint8Array): boolean {
  const signature = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
  const END = "PK\u0005\u0006";
  // A comment of at most 65535 bytes may follow the last record, which has 22.
  let at = bytes.length - 22;
  while (at >= Math.max(0, bytes.length - 22 - 65_535) && signature(at) !== END) {
    at -= 1;
  }
  return (signature(0) === "PK\u0003\u0004" || signature(0) === END) && signature(at) === END;
}

/**
 * Returns the files of a project among files of a zip, a folder or a selection. What stands before `scenarios/` or `scripts/` is cut
 * off; a single file goes into the folder of its kind. What is no part of a project is left out.
 */
export function openedFiles(raw: [string, Uint8Array][]): Opened {
  const opened: Opened = { files: new Map(), goldens: new Map(), leftOut: [] };
  let goldenLength = 0;
  for (const [given, bytes] of raw) {
    const path = projectPath(given);
    const scenario = path?.endsWith(".golden") === true ? path.replace(/\.golden$/, ".ron") : undefined;
    if (scenario !== undefined && pathProblem(scenario) === undefined) {
      goldenLength += bytes.length;
      if (goldenLength > MAX_GOLDENS) {
        throw new ProjectError(`the goldens have more than ${MAX_GOLDENS / 1e6} million bytes`);
      }
      opened.goldens.set(scenario, textOf(given, bytes));
      continue;
    }
    if (path === undefined || pathProblem(path) !== undefined) {
      opened.leftOut.push(given);
      continue;
    }
    addFile(opened.files, path, textOf(given, bytes));
  }
  return opened;
}

/** The scenario that is run of several: the first by name, or nothing if there is none. */
export function firstScenario(files: ReadonlyMap<string, string>): string | undefined {
  return [...files.keys()].filter(isScenario).sort()[0];
}

function projectPath(given: string): string | undefined {
  const inside = /(?:^|\/)((?:scenarios|scripts)\/.*)$/.exec(given)?.[1];
  if (inside !== undefined) {
    return inside;
  }
  const name = given.replace(/^.*\//, "");
  return /\.(ron|golden)$/.test(name) ? `scenarios/${name}` : name.endsWith(".rhai") ? `scripts/${name}` : undefined;
}

function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ProjectError(`${path} is not a text in UTF-8`);
  }
}

function joined(pieces: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let start = 0;
  for (const piece of pieces) {
    whole.set(piece, start);
    start += piece.length;
  }
  return whole;
}
