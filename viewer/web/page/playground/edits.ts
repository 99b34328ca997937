// Edits of the worlds of the gallery, kept in the storage of the browser: opening a world again offers what was changed in it before.
// Nothing of this is sent to anyone. The storage may be full or forbidden; then nothing is kept, and nothing else happens.

import { MAX_LINK, fromLink, toLink } from "../link.ts";
import { type Project, plainProject } from "../project.ts";

const KEY = "flockwork-edits";

/** The number of worlds whose edits are kept. */
const MAX_EDITS = 10;

/** An example and the link that contains its edited files. */
type Edit = [example: string, link: string];

/** Whether two projects have the same files, params and seed. */
export function isSameProject(a: Project, b: Project): boolean {
  return comparable(a) === comparable(b);
}

/** Keeps a project as the edited version of an example. Returns whether it is kept. */
export function keepEdit(example: string, project: Project): boolean {
  let edits: Edit[];
  try {
    edits = [[example, toLink(project)], ...others(example)];
  } catch {
    return false;
  }
  for (edits = edits.slice(0, MAX_EDITS); edits.length > 0; edits.pop()) {
    if (write(edits)) {
      return true;
    }
  }
  return false;
}

/** Forgets the edited version of an example. */
export function forgetEdit(example: string): void {
  const rest = others(example);
  if (rest.length < read().length) {
    write(rest);
  }
}

/** Returns the edited version of an example, if there is one that can be read. */
export function editOf(example: string): Project | undefined {
  const link = read().find(([name]) => name === example)?.[1];
  try {
    return link === undefined ? undefined : fromLink(link);
  } catch {
    return undefined;
  }
}

function comparable(project: Project): string {
  const sorted = <Value>(map: Map<string, Value>) => new Map([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify(plainProject({ ...project, files: sorted(project.files), params: sorted(project.params) }));
}

function others(example: string): Edit[] {
  return read().filter(([name]) => name !== example);
}

/** Reads what is kept, newest first. Other pages of the same server share the storage, so its shape is checked. */
function read(): Edit[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(value) ? value.filter(isEdit).slice(0, MAX_EDITS) : [];
  } catch {
    return [];
  }
}

function isEdit(value: unknown): value is Edit {
  const isText = (text: unknown) => typeof text === "string" && text.length <= MAX_LINK + 10;
  return Array.isArray(value) && value.length === 2 && value.every(isText);
}

function write(edits: Edit[]): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(edits));
    return true;
  } catch {
    return false;
  }
}
