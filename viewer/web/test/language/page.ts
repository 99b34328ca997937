// A page with nothing but the editor. The tests open files in it, and read what it has told.

import { LanguageClient } from "../../page/language/client.ts";
import { createEditor, type Editor, type Finding } from "../../page/language/editor.ts";

interface TestPage {
  editor: Editor;
  client: LanguageClient;
  /** The newest findings of each file. */
  findings: Record<string, Finding[]>;
  /** When findings came, by `performance.now()`. */
  told: { path: string; at: number; count: number }[];
  changes: { path: string; text: string }[];
  renamed: [string, string][];
}

declare global {
  interface Window {
    start(files: Record<string, string>, dark: boolean): Promise<void>;
    test: TestPage;
  }
}

window.start = async (files, dark) => {
  const client = new LanguageClient(WebAssembly.compileStreaming(fetch("language.wasm")));
  const editor = createEditor(document.getElementById("editor") as HTMLElement, { client, dark });
  const test: TestPage = { editor, client, findings: {}, told: [], changes: [], renamed: [] };
  window.test = test;
  editor.onFindings = (path, findings) => {
    test.findings[path] = findings;
    test.told.push({ path, at: performance.now(), count: findings.length });
  };
  editor.onChange = (path, text) => test.changes.push({ path, text });
  editor.renameFile = (from, to) => test.renamed.push([from, to]);
  for (const [path, text] of Object.entries(files)) {
    editor.open(path, text);
  }
  await client.ready;
};
