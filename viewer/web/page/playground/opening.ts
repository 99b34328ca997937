// Files from outside: dropped on the page, or chosen.

import { LIMITS, ProjectError } from "../project.ts";
import { type Opened, fromZip, openedFiles } from "../zip.ts";

/** The largest zip that is read. */
const MAX_ZIP = 20_000_000;

/** The most files of a dropped folder that are looked at. */
const MAX_FILES = 5000;

/** What was opened, with the goldens among the files by the path of their scenario. */
export type OpenedFiles = Opened;

/** Reads files that were chosen: one zip, or scenarios and scripts. Throws a `ProjectError`. */
export async function readFiles(files: File[]): Promise<OpenedFiles> {
  const [first] = files;
  if (files.length === 1 && first !== undefined && first.name.toLowerCase().endsWith(".zip")) {
    if (first.size > MAX_ZIP) {
      throw new ProjectError(`${first.name} is larger than ${MAX_ZIP / 1e6} MB`);
    }
    return fromZip(new Uint8Array(await first.arrayBuffer()));
  }
  return openedFiles(await contents(files.map((file) => [file.webkitRelativePath || file.name, file])));
}

/** Reads what was dropped: files, a zip, or folders. */
export async function readDropped(transfer: DataTransfer): Promise<OpenedFiles> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.every((entry) => entry.isFile)) {
    return readFiles([...transfer.files]);
  }
  const found: [string, File][] = [];
  for (const entry of entries) {
    await collect(entry, found);
  }
  return openedFiles(await contents(found));
}

async function collect(entry: FileSystemEntry, found: [string, File][]): Promise<void> {
  if (found.length > MAX_FILES) {
    throw new ProjectError(`the folder has more than ${MAX_FILES} files`);
  }
  if (entry.isFile) {
    if (/\.(ron|rhai|golden)$/.test(entry.name)) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      found.push([entry.fullPath.replace(/^\//, ""), file]);
    }
    return;
  }
  // Folders that programs make, such as `target` and `.git`, have no files of a project.
  if (entry.name.startsWith(".") || entry.name === "target" || entry.name === "node_modules") {
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) {
      return;
    }
    for (const inside of entries) {
      await collect(inside, found);
    }
  }
}

async function contents(files: [string, File][]): Promise<[string, Uint8Array][]> {
  const all: [string, Uint8Array][] = [];
  for (const [path, file] of files) {
    // Goldens are long, texts are not.
    if (file.size > 3 * LIMITS.textLength) {
      throw new ProjectError(`${path} is larger than ${(3 * LIMITS.textLength) / 1e6} MB`);
    }
    all.push([path, new Uint8Array(await file.arrayBuffer())]);
  }
  return all;
}

/** Calls `opened` with each transfer of files that is dropped on the page. */
export function listenToDrops(dropped: (transfer: DataTransfer) => void): void {
  const withFiles = (event: DragEvent): DataTransfer | undefined =>
    event.dataTransfer?.types.includes("Files") === true ? event.dataTransfer : undefined;
  document.addEventListener("dragover", (event) => {
    if (withFiles(event) !== undefined) {
      event.preventDefault();
      document.body.classList.add("dropping");
    }
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) {
      document.body.classList.remove("dropping");
    }
  });
  document.addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    const transfer = withFiles(event);
    if (transfer !== undefined) {
      event.preventDefault();
      dropped(transfer);
    }
  });
}
