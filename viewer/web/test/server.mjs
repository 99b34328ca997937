// A server of static files for tests, with the types that browsers want to know.

import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
  ".zip": "application/zip",
};

/** Serves folders by the beginning of the address. Returns the address and a function that ends the server. */
export async function serve(folders) {
  const server = createServer((request, response) => {
    answer(folders, request.url ?? "/", response).catch(() => response.writeHead(404).end());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

async function answer(folders, address, response) {
  const { pathname } = new URL(address, "http://localhost");
  const [prefix, folder] = Object.entries(folders).find(([start]) => pathname.startsWith(start));
  const file = path.join(folder, decodeURIComponent(pathname.slice(prefix.length)));
  if (!file.startsWith(folder) || !(await stat(file)).isFile()) {
    throw new Error("there is no such file");
  }
  response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream" });
  response.end(await readFile(file));
}
