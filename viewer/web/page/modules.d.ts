// What the build makes: see `build.mjs`.

declare module "flockwork-world-worker" {
  /** The bundled worker as text, so that it also starts on pages that are opened from a disk. */
  const text: string;
  export default text;
}

/** Where the book is, seen from the pages: a folder with `tutorial.html` and the other pages. */
declare const FLOCKWORK_BOOK: string;
