// The start of the playground: what the address says, the buttons, the keys.

import { bookLink, button, h, icon } from "../dom.ts";
import { setEngineSource } from "../engine.ts";
import { loadExample } from "../examples.ts";
import { fromLink, isLink } from "../link.ts";
import { LanguageClient } from "../language/client.ts";
import { createEditor } from "../language/editor.ts";
import { type Project, ProjectError } from "../project.ts";
import { loadWasm } from "../wasm.ts";
import { type Example, Playground, byId } from "./app.ts";
import { editOf } from "./edits.ts";
import { type Key, listenToKeys, showHelp } from "./keys.ts";
import { listenToDrops, readDropped, readFiles } from "./opening.ts";

/** The example with which the playground begins if the address names nothing. */
const FIRST = "meadow";

/** Where this script is, and with it the engine and the examples. */
const BASE = import.meta.url;

setEngineSource(new URL("flockwork.wasm", BASE).href);

// The world comes first: the language server is loaded when the first world is there, or when it is clear that none will be.
let showLanguage: (() => void) | undefined;
const worldIsThere = new Promise<void>((resolve) => (showLanguage = resolve));
const client = new LanguageClient(worldIsThere.then(() => loadWasm(new URL("language.wasm", BASE).href)));
const app = new Playground(createEditor(byId("editor"), { client, dark: matchMedia("(prefers-color-scheme: dark)").matches }));

/** What the address asks for. */
interface Asked {
  project: Project;
  /** The example of the gallery that it is, or was before it was changed. */
  example?: Example;
}

/** Returns the project that the address asks for. */
async function askedBy(hash: string): Promise<Asked> {
  if (isLink(hash)) {
    return { ...(await exampleOfHistory()), project: fromLink(hash) };
  }
  const name = /^#example=([^&]*)$/.exec(hash)?.[1];
  if (name === undefined && hash.length > 1) {
    throw new ProjectError("this address does not name anything that the playground knows");
  }
  return askedExample(decodeURIComponent(name ?? FIRST));
}

async function askedExample(name: string): Promise<Asked> {
  const project = await loadExample(BASE, name);
  return { project, example: { name, original: project } };
}

/** A page that is reloaded has a link as its address. Its history says of which example the link is. */
async function exampleOfHistory(): Promise<{ example?: Example }> {
  const name = (history.state as { example?: unknown } | null)?.example;
  if (typeof name !== "string") {
    return {};
  }
  return askedExample(name).then(
    ({ example }) => (example === undefined ? {} : { example }),
    () => ({}),
  );
}

async function openAddress(): Promise<void> {
  const { hash } = location;
  let problem = "";
  let asked: Asked;
  try {
    asked = await askedBy(hash);
  } catch (error) {
    problem = error instanceof ProjectError || error instanceof URIError ? error.message : `this cannot be opened: ${String(error)}`;
    if (app.project.scenario !== "") {
      // Somebody follows a bad link while a world is there: it stays.
      showIntro(problem);
      return;
    }
    asked = await askedExample(FIRST);
  }
  const { project, example } = asked;
  const edited = example === undefined || isLink(hash) ? undefined : editOf(example.name);
  await app.open(edited ?? project, undefined, example);
  if (problem !== "") {
    showIntro(problem);
    app.say(problem);
  } else if (edited !== undefined && example !== undefined) {
    showEdited(edited, example);
  } else if (hash === "") {
    showIntro("");
  } else {
    byId("intro").hidden = true;
  }
}

/** The line at the top for a world that was changed before. Nothing is forgotten until the original is changed, too. */
function showEdited(edited: Project, example: Example): void {
  const open = async (project: Project, line: () => void) => {
    await app.open(project, undefined, example);
    line();
  };
  showLine(false, [
    "You changed this world, and your changes are here again. ",
    h("button", { type: "button", onclick: () => (byId("intro").hidden = true) }, "Continue"),
    " ",
    h("button", { type: "button", onclick: () => void open(example.original, showOriginal) }, "Start from the original"),
  ]);

  function showOriginal(): void {
    showLine(false, [
      "This is the original. Your changes are kept until you change it, too. ",
      h("button", { type: "button", onclick: () => void open(edited, () => showEdited(edited, example)) }, "Back to your changes"),
    ]);
  }
}

/** The line at the top: what is wrong with the address, or what one can do here. */
function showIntro(problem: string): void {
  const text =
    problem !== ""
      ? [h("strong", {}, `The link cannot be opened: ${problem}. `), "This is another world."]
      : [
          "Birds flee from two hawks. ",
          h("strong", {}, "Change a number in the script"),
          ", and they change while they fly. Click a bird to see why it does what it does. More worlds are in the ",
          h("a", { href: "gallery.html" }, "gallery"),
          ", and the ",
          bookLink("tutorial", "book"),
          " explains everything.",
        ];
  showLine(problem !== "", text);
}

function showLine(isProblem: boolean, text: (Node | string)[]): void {
  const intro = byId("intro");
  intro.hidden = false;
  intro.classList.toggle("problem", isProblem);
  intro.replaceChildren(
    h("span", {}, ...text),
    button(icon("close"), "Hide this line", () => (intro.hidden = true), { class: "quiet" }),
  );
}

function addButtons(keys: Key[]): void {
  const files = h("input", {
    type: "file",
    multiple: true,
    accept: ".zip,.ron,.rhai",
    hidden: true,
    onchange: () => {
      void open(() => readFiles([...(files.files ?? [])])).then(() => (files.value = ""));
    },
  });
  const more = h(
    "div",
    { id: "more", popover: "auto", onclick: () => more.matches(":popover-open") && more.hidePopover() },
    h("button", { type: "button", title: "Download the project as a zip", onclick: () => app.download() }, "Download"),
    h("button", { type: "button", title: "Open a zip, scenarios or scripts; you can also drop them here", onclick: () => files.click() }, "Open"),
    h("a", { class: "button", href: "gallery.html" }, "Gallery"),
    h("button", { type: "button", title: "Help and keys (?)", onclick: () => showHelp(keys) }, "Help"),
  );
  byId("buttons").append(
    files,
    h("button", { type: "button", class: "primary", onclick: () => void app.share() }, "Share"),
    h("button", { type: "button", id: "menu-button", popovertarget: "more", "aria-label": "More" }, icon("more")),
    more,
  );
}

async function open(read: () => ReturnType<typeof readFiles>): Promise<void> {
  try {
    await app.openFiles(await read());
    byId("intro").hidden = true;
  } catch (error) {
    app.say(error instanceof Error ? `This cannot be opened: ${error.message}.` : String(error));
  }
}

const KEYS: Key[] = [
  { keys: "space", does: "play or pause", run: () => app.transport.toggle() },
  { keys: ".", does: "one tick forward", run: () => app.transport.step() },
  { keys: ",", does: "one tick back", run: () => app.transport.move(-1) },
  { keys: "ArrowLeft", does: "one second back", run: () => app.transport.moveSecond(-1) },
  { keys: "ArrowRight", does: "one second forward, as far as it is known", run: () => app.transport.moveSecond(1) },
  { keys: "Home", does: "go to the first tick", run: () => app.transport.first() },
  { keys: "End", does: "go to the last tick so far", run: () => app.transport.last() },
  { keys: "]", does: "twice as fast", run: () => app.transport.changeSpeed(1) },
  { keys: "[", does: "half as fast", run: () => app.transport.changeSpeed(-1) },
  { keys: "n", does: "normal speed", run: () => app.transport.changeSpeed(0) },
  { keys: "r", does: "start again with the newest files", run: () => app.restart() },
  { keys: "f", does: "show the whole world", run: () => app.world.tell("fit") },
  { keys: "c", does: "keep the selected agent in the center", run: () => app.world.tell("follow", app.world.state?.following !== true) },
  { keys: "t", does: "trails on or off", run: () => app.toggleTrails() },
  {
    keys: "/",
    does: "select an agent by its id",
    run: () => {
      app.showPanel("why");
      app.why.askForAgent();
    },
  },
  { keys: "p", does: "params", run: () => app.showPanel("params") },
  { keys: "w", does: "why the selected agent does what it does", run: () => app.showPanel("why") },
  { keys: "j", does: "plots of measures over time", run: () => app.showPanel("plots") },
  { keys: "a", does: "expectations", run: () => app.showPanel("expectations") },
  { keys: "m", does: "log", run: () => app.showPanel("log") },
  { keys: "d", does: "dark or light colors", run: () => app.toggleDark() },
  { keys: "Escape", does: "select no agent", run: () => app.select(undefined) },
  { keys: "? h", does: "this help", run: () => showHelp(KEYS) },
];

addButtons(KEYS);
listenToKeys(KEYS);
listenToDrops((transfer) => void open(() => readDropped(transfer)));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => app.showColors());
// The address changes when a link to another project is followed on the same page; what the page writes there itself is no event.
addEventListener("hashchange", () => void openAddress());
openAddress()
  .catch((error: unknown) => app.say(`The playground cannot start: ${String(error)}`))
  .finally(() => showLanguage?.());
