// A project: the files of a scenario as texts, and what it is run with. Also which paths and texts a project may have: whatever
// comes from outside (links, zips, dropped files) passes through `checkedProject` or `addFile`.

/** The files of a project and which of its scenarios runs. */
export interface Project {
  /** Texts by path, such as `scenarios/flock.ron` and `scripts/flock.rhai`. */
  files: Map<string, string>;
  /** The path of the scenario that runs. */
  scenario: string;
  /** Seed that replaces the one in the scenario. */
  seed?: number;
  /** Values of params that differ from the files, as they are written in a scenario, by `group.param`. */
  params: Map<string, string>;
}

/** What a project may have at most. The engine has limits of its own; these keep a page from being filled up. */
export const LIMITS = {
  files: 200,
  pathLength: 120,
  /** All texts together, in UTF-16 units. */
  textLength: 2_000_000,
  params: 200,
  paramLength: 200,
} as const;

/** A project from outside that cannot be used. Its message is for people. */
export class ProjectError extends Error {
  override name = "ProjectError";
}

const SEGMENT = /^[A-Za-z0-9_+-][A-Za-z0-9_.+-]*$/;

/** Says why `path` cannot be a file of a project, or nothing if it can. */
export function pathProblem(path: string): string | undefined {
  if (path.length > LIMITS.pathLength) {
    return `a path may have at most ${LIMITS.pathLength} characters`;
  }
  const segments = path.split("/");
  const folder = segments[0];
  const ending = folder === "scenarios" ? ".ron" : folder === "scripts" ? ".rhai" : undefined;
  if (ending === undefined || segments.length < 2) {
    return "a file is in `scenarios/` or in `scripts/`";
  }
  if (!path.endsWith(ending) || segments.at(-1) === ending) {
    return `a file in \`${folder}/\` ends in \`${ending}\``;
  }
  if (!segments.every((segment) => SEGMENT.test(segment))) {
    return "names may have letters, digits, `_`, `-`, `+` and `.`, and do not begin with `.`";
  }
  return undefined;
}

/** Whether a path that `pathProblem` accepts is a scenario. */
export function isScenario(path: string): boolean {
  return path.startsWith("scenarios/") && !path.endsWith(".plan.ron");
}

// Control characters other than tab and line feed do not belong into a text file.
// eslint-disable-next-line no-control-regex -- they are what it looks for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** Adds a file to `files`, with line feeds only at the ends of lines. Throws a `ProjectError`. */
export function addFile(files: Map<string, string>, path: string, text: string): void {
  const problem = pathProblem(path);
  if (problem !== undefined) {
    throw new ProjectError(`the path ${quoted(path)} cannot be used: ${problem}`);
  }
  const plain = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  if (CONTROL.test(plain) || !plain.isWellFormed()) {
    throw new ProjectError(`${path} is not a text: it has control characters`);
  }
  const length = [...files.values()].reduce((sum, other) => sum + other.length, plain.length);
  if (files.size >= LIMITS.files && !files.has(path)) {
    throw new ProjectError(`there are more than ${LIMITS.files} files`);
  }
  if (length > LIMITS.textLength) {
    throw new ProjectError(`the files have more than ${LIMITS.textLength / 1_000_000} million characters`);
  }
  files.set(path, plain);
}

/** A string from outside as it can be shown in a message: short, and without control characters. */
export function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}...` : text;
  return JSON.stringify(short).replace(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, "?");
}

/** Checks that `value`, which comes from outside, is a project. Throws a `ProjectError`. */
export function checkedProject(value: unknown): Project {
  const fields = object(value, "the project");
  onlyFields(fields, ["scenario", "files", "seed", "params"]);
  const project: Project = { files: new Map(), scenario: string(fields, "scenario"), params: new Map() };
  for (const [path, text] of Object.entries(object(fields["files"], "`files`"))) {
    if (typeof text !== "string") {
      throw new ProjectError(`the text of ${quoted(path)} is no string`);
    }
    addFile(project.files, path, text);
  }
  if (!project.files.has(project.scenario) || !isScenario(project.scenario)) {
    throw new ProjectError(`the scenario ${quoted(project.scenario)} is not among its files`);
  }
  if (Object.hasOwn(fields, "seed")) {
    project.seed = checkedSeed(fields["seed"]);
  }
  if (Object.hasOwn(fields, "params")) {
    project.params = checkedParams(fields["params"]);
  }
  return project;
}

/** The project as plain values, which `checkedProject` takes. */
export function plainProject(project: Project): unknown {
  return {
    scenario: project.scenario,
    files: Object.fromEntries(project.files),
    ...(project.seed === undefined ? {} : { seed: project.seed }),
    ...(project.params.size === 0 ? {} : { params: Object.fromEntries(project.params) }),
  };
}

/** Checks a seed. Throws a `ProjectError`. */
export function checkedSeed(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    throw new ProjectError("a seed is an integer from 0 to 9007199254740991");
  }
  return value;
}

function checkedParams(value: unknown): Map<string, string> {
  const params = new Map<string, string>();
  const entries = Object.entries(object(value, "`params`"));
  if (entries.length > LIMITS.params) {
    throw new ProjectError(`there are more than ${LIMITS.params} params`);
  }
  for (const [name, text] of entries) {
    if (typeof text !== "string" || text.length > LIMITS.paramLength || CONTROL.test(text)) {
      throw new ProjectError(`the value of the param ${quoted(name)} is no short string`);
    }
    if (name.length > LIMITS.pathLength || CONTROL.test(name)) {
      throw new ProjectError(`${quoted(name)} is no name of a param`);
    }
    params.set(name, text);
  }
  return params;
}

function object(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ProjectError(`${what} must be an object`);
  }
  return value as Record<string, unknown>;
}

function string(fields: Record<string, unknown>, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (typeof value !== "string") {
    throw new ProjectError(`\`${name}\` must be a string`);
  }
  return value;
}

function onlyFields(fields: Record<string, unknown>, known: string[]): void {
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ProjectError(`the project has an unknown field ${quoted(unknown)}`);
  }
}
