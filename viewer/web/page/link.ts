// A link that contains a whole project: JSON, compressed with deflate, as base64url behind `#1.`. No server sees that part of an
// address. A link may come from anyone, so reading one trusts nothing: not its length, not what it unpacks to, not what it says.

import { Inflate, deflateSync } from "fflate";

import { LIMITS, type Project, ProjectError, checkedProject, plainProject } from "./project.ts";

/** The beginning of every link; the number is the version of the format. */
const PREFIX = "#1.";

/** The most characters behind the prefix. Longer addresses are cut off by some programs. */
export const MAX_LINK = 200_000;

/** The most bytes after unpacking: the texts and what JSON adds to them. */
const MAX_UNPACKED = LIMITS.textLength * 1.1;

/** Bytes that are unpacked at once. They become at most 1032 times as many, so a bomb is noticed before it fills the memory. */
const CHUNK = 256;

/** Returns whether `hash`, the part of an address from `#` on, is meant to contain a project. */
export function isLink(hash: string): boolean {
  return /^#\d+\./.test(hash);
}

/** Returns the part of an address from `#` on that contains `project`. Throws a `ProjectError` if it is too long for one. */
export function toLink(project: Project): string {
  const bytes = new TextEncoder().encode(JSON.stringify(plainProject(project)));
  const text = toBase64Url(deflateSync(bytes, { level: 9 }));
  if (text.length > MAX_LINK) {
    throw new ProjectError(
      `the files are too long for a link: ${text.length} characters, and a link has at most ${MAX_LINK}. ` +
        "Download the project instead",
    );
  }
  return PREFIX + text;
}

/** Returns the project that a link contains. Throws a `ProjectError` that says what is wrong with it. */
export function fromLink(hash: string): Project {
  if (!hash.startsWith(PREFIX)) {
    throw new ProjectError("this link was made by another version of the playground");
  }
  const text = hash.slice(PREFIX.length);
  if (text.length > MAX_LINK) {
    throw new ProjectError(`this link is too long: ${text.length} characters, and at most ${MAX_LINK} are read`);
  }
  const json = unpackedText(fromBase64Url(text));
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new ProjectError("this link is damaged: it does not contain a project");
  }
  return checkedProject(value);
}

function unpackedText(bytes: Uint8Array): string {
  // A decoder that is fed piece by piece keeps the text only, and stops at the first byte that is no UTF-8.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let length = 0;
  let text = "";
  let complete = false;
  const inflate = new Inflate((piece, last) => {
    length += piece.length;
    if (length > MAX_UNPACKED) {
      throw new ProjectError(`this link is too large: it unpacks to more than ${MAX_UNPACKED / 1e6} million bytes`);
    }
    text += decoder.decode(piece, { stream: !last });
    complete ||= last;
  });
  try {
    for (let start = 0; start < bytes.length; start += CHUNK) {
      inflate.push(bytes.subarray(start, start + CHUNK), start + CHUNK >= bytes.length);
    }
  } catch (error) {
    throw error instanceof ProjectError ? error : damaged();
  }
  if (!complete) {
    throw damaged();
  }
  return text;
}

function damaged(): ProjectError {
  return new ProjectError("this link is damaged or incomplete; copy all of it");
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += 8192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) {
    throw damaged();
  }
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
  } catch {
    throw damaged();
  }
}
