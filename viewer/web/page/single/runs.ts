// The runs of a world in an editor: of saved files, and of its debugger.

import type { FlockworkWorld } from "../element.ts";
import { type Project, plainProject } from "../project.ts";

/** The turn of an agent in the run of a debugger. */
export interface Turn {
  tick: number;
  agent: number;
  /** The files at the start and those of each edit; without them, the files that the page has run from the first tick on. */
  versions?: Version[];
}

/** Files that run from a tick on. Those at the start have the seed and the params that the run has instead of its own. */
export interface Version {
  tick: number;
  files: Record<string, string>;
  seed?: number;
  params?: Record<string, string>;
}

/** Returns which files run from which tick on where a debugger stands. */
export function versionsOf(project: Project, { versions = [] }: Turn): Version[] {
  return versions.length > 0 ? versions : [startOf(project)];
}

/** Returns what a project begins with. */
export function startOf({ files, seed, params }: Project): Version {
  return {
    tick: 0,
    files: Object.fromEntries(files),
    ...(seed === undefined ? {} : { seed }),
    ...(params.size === 0 ? {} : { params: Object.fromEntries(params) }),
  };
}

/** Returns whether a project is run with the seed and the params of a start. */
export function isRunWith({ seed, params }: Project, start: Version): boolean {
  const wanted = Object.entries(start.params ?? {});
  return seed === start.seed && wanted.length === params.size && wanted.every(([name, value]) => params.get(name) === value);
}

/** Begins a new run. */
export async function begin(world: FlockworkWorld, project: Project, { files, seed, params }: Version): Promise<void> {
  project.files = new Map(Object.entries(files));
  project.params = new Map(Object.entries(params ?? {}));
  delete project.seed;
  if (seed !== undefined) {
    project.seed = seed;
  }
  await world.load(plainProject(project) as Parameters<FlockworkWorld["load"]>[0]);
}

/** Shows the turn at which a debugger stands. `before` is what has run: if the debugger's run does not begin so, the world runs it again. */
export async function showTurn(
  world: FlockworkWorld,
  project: Project,
  { tick, agent }: Turn,
  versions: Version[],
  before: Version[] | undefined,
): Promise<void> {
  const goesOn = before?.every((version, index) => JSON.stringify(version) === JSON.stringify(versions[index])) ?? false;
  const [start] = versions;
  if (!goesOn && start !== undefined && isRunWith(project, start)) {
    await takeFiles(world, project, start.files);
    await world.restart(false);
  } else if (!goesOn && start !== undefined) {
    await begin(world, project, start);
  }
  for (const edit of versions.slice(goesOn ? before?.length : 1)) {
    await world.runTo(edit.tick);
    await takeFiles(world, project, edit.files);
  }
  await world.runTo(tick);
  await world.select(agent);
}

/** Changes the files of a world while it runs. Returns whether any file is another one than before, and all can run. */
export async function takeFiles(world: FlockworkWorld, project: Project, files: Record<string, string>): Promise<boolean> {
  const gone = [...project.files.keys()].filter((path) => !(path in files)).map((path): [string, null] => [path, null]);
  const changed = Object.entries(files).filter(([path, text]) => project.files.get(path) !== text);
  if (gone.length + changed.length === 0) {
    return false;
  }
  project.files = new Map(Object.entries(files));
  const errors = await world.edit(Object.fromEntries([...gone, ...changed]));
  return errors.length === 0;
}
