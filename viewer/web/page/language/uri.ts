// Paths of the project, such as `scenarios/meadow.ron`, as the protocol names them.

const PREFIX = "file:///";

export function uriOf(path: string): string {
  return PREFIX + path.split("/").map(encodeURIComponent).join("/");
}

export function pathOf(uri: string): string {
  const path = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : uri;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
