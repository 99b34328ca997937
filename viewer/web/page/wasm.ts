// Loading of WebAssembly from beside a page, also if the page was opened from a disk.

declare global {
  interface Window {
    /** Scripts such as `flockwork.wasm.js` call it: they contain a file of WebAssembly for pages from a disk. */
    flockworkWasm?: (name: string, base64OfGzip: string) => void;
  }
}

const given = new Map<string, string>();
window.flockworkWasm = (name, base64) => given.set(name, base64);

/** Loads and compiles a file of WebAssembly. */
export async function loadWasm(url: string): Promise<WebAssembly.Module> {
  const { protocol, pathname } = new URL(url, location.href);
  const name = pathname.slice(pathname.lastIndexOf("/") + 1);
  // A page of one file has given it already.
  if (protocol === "file:" && !given.has(name)) {
    await loadScript(`${url}.js`);
  }
  const base64 = given.get(name);
  if (base64 !== undefined) {
    return WebAssembly.compile(await unzipped(base64));
  }
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url} cannot be loaded: ${response.status} ${response.statusText}`);
  }
  // Servers that do not know the type of WebAssembly are common.
  return response.headers.get("content-type")?.startsWith("application/wasm") === true
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/** Loads a classic script, which works from a disk, too, where `fetch` does not. */
export function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => {
      script.remove();
      resolve();
    };
    script.onerror = () => {
      script.remove();
      reject(new Error(`${url} cannot be loaded`));
    };
    document.head.append(script);
  });
}

async function unzipped(base64: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
