// The page of one file: it plays the project that is in it, with the engine that is in it, also from a disk and without network.

import { h } from "../dom.ts";
import { FlockworkWorld } from "../element.ts";
import { type Project, checkedProject, plainProject } from "../project.ts";
import { saveFile } from "../save.ts";
import { projectName, toZip } from "../zip.ts";
import { FailureButton } from "./failure.ts";
import { type Editor, InEditor } from "./in_editor.ts";

addEventListener("DOMContentLoaded", () => {
  const main = document.querySelector("main");
  const json = document.querySelector("#flockwork-project")?.textContent ?? "";
  try {
    const project = checkedProject(JSON.parse(json));
    main?.append(...parts(project));
  } catch (error) {
    main?.append(h("p", { role: "alert" }, `This page has no world that can be shown: ${error instanceof Error ? error.message : String(error)}.`));
  }
});

/** VS Code has this function where it shows the page. */
declare const acquireVsCodeApi: undefined | (() => Editor);

function parts(project: Project): Node[] {
  const world = new FlockworkWorld();
  for (const name of ["controls", "sliders", "autoplay"]) {
    world.setAttribute(name, "");
  }
  const name = h("h1", {}, projectName(project).replaceAll("_", " "));
  document.title = projectName(project);
  world.addEventListener(
    "ready",
    ({ detail }) => {
      name.textContent = detail.name;
      document.title = detail.name;
    },
    { once: true },
  );
  world.setAttribute("aria-label", "The world");
  let list = files(project);
  const showFiles = () => {
    const changed = files(project);
    changed.open = list.open;
    list.replaceWith(changed);
    list = changed;
  };
  const say = (error: Error) => {
    name.textContent = error.message;
  };
  const failure = new FailureButton(world);
  const head = h("div", { class: "head" }, name, failure.element);
  const shown =
    typeof acquireVsCodeApi === "undefined" ? [world] : new InEditor(acquireVsCodeApi(), { world, project, showFiles, say, failure }).parts();
  queueMicrotask(() => {
    world.load(plainProject(project) as Parameters<FlockworkWorld["load"]>[0]).catch(say);
  });
  return [head, ...shown, list];
}

/** The files to read, and a button to keep them. */
function files(project: Project): HTMLDetailsElement {
  const save = () =>
    saveFile(`${projectName(project)}.zip`, toZip(project, undefined) as Uint8Array<ArrayBuffer>, "application/zip");
  return h(
    "details",
    {},
    h("summary", {}, "Files"),
    h("p", {}, h("button", { type: "button", onclick: save }, "Download the project"), " Unpack it, and run flockwork test there."),
    ...[...project.files].flatMap(([path, text]) => [h("h2", {}, path), h("pre", { tabindex: 0 }, text)]),
  );
}
