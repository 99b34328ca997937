// The shipped scenarios, each a script of its own beside the page, so that they also load from a disk.

import { type Project, ProjectError, checkedProject, quoted } from "./project.ts";
import { loadScript } from "./wasm.ts";

const waiting = new Map<string, (value: unknown) => void>();

declare global {
  interface Window {
    flockworkExample?: (name: string, project: unknown) => void;
  }
}

/** Loads the example `name`, such as `primitives/seek`, from the folder `examples` at `base`. Throws a `ProjectError`. */
export async function loadExample(base: string, name: string): Promise<Project> {
  if (!/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/.test(name)) {
    throw new ProjectError(`${quoted(name)} is no name of an example`);
  }
  window.flockworkExample = (loaded, project) => waiting.get(loaded)?.(project);
  const given = new Promise<unknown>((resolve) => waiting.set(name, resolve));
  try {
    await loadScript(new URL(`examples/${name}.js`, base).href);
  } catch {
    throw new ProjectError(`there is no example ${quoted(name)}`);
  }
  return checkedProject(await given);
}
