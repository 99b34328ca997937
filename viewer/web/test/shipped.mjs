// The scenarios and scripts of the repository.

import { readFileSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../../..");

/** Returns the texts of all files in a folder that have an ending, by their paths. */
export function read(folder, ending) {
    const all = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
    const files = all.filter((file) => file.isFile() && file.name.endsWith(ending));
    const paths = files.map((file) => join(file.parentPath, file.name)).sort();
    return Object.fromEntries(paths.map((path) => [relative(root, path), readFileSync(path, "utf8")]));
}
