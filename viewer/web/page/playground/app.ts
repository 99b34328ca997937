// The playground: a project, its editor, its world, and what connects them.

import { h, setText, withCode } from "../dom.ts";
import { Inputs } from "../inputs.ts";
import type { Editor } from "../language/editor.ts";
import { MAX_LINK, toLink } from "../link.ts";
import { type Project, ProjectError, isScenario } from "../project.ts";
import type { Reloaded, State, Topic } from "../protocol.ts";
import { saveFile } from "../save.ts";
import { changed, nameOf } from "../sliders.ts";
import { WorldView } from "../world.ts";
import { type Opened, firstScenario, projectName, toZip } from "../zip.ts";
import { showDialog } from "./dialogs.ts";
import { forgetEdit, isSameProject, keepEdit } from "./edits.ts";
import { Files } from "./files.ts";
import { PartTabs, splitter } from "./layout.ts";
import type { Actions, Panel } from "./panel.ts";
import { ExpectationsPanel } from "./panel_expectations.ts";
import { LogPanel } from "./panel_log.ts";
import { ParamsPanel } from "./panel_params.ts";
import { PlotsPanel } from "./panel_plots.ts";
import { ProofPanel } from "./panel_proof.ts";
import { WhyPanel } from "./panel_why.ts";
import { Problems } from "./problems.ts";
import { Tabs } from "./tabs.ts";
import { Transport } from "./transport.ts";

/** An edit takes effect so long after the last key. */
const EDIT_MS = 300;

/** The address is written so long after the last change. */
const LINK_MS = 500;

/** Topics of panels that count also while they are hidden: their tabs have numbers. */
const ALWAYS: Topic[] = ["messages", "expectations", "params", "hash", "samples"];

/** A world of the gallery, as it was before anyone changed it. */
export interface Example {
  name: string;
  original: Project;
}

export class Playground implements Actions {
  readonly world = new WorldView("The world. Arrow keys with shift move the view, plus and minus zoom.");
  readonly transport: Transport;
  readonly parts: PartTabs;
  readonly why: WhyPanel;
  readonly #files: Files;
  readonly #problems: Problems;
  readonly #params: ParamsPanel;
  readonly #plots: PlotsPanel;
  readonly #log: LogPanel;
  readonly #expectations = new ExpectationsPanel(this);
  readonly #proof: ProofPanel;
  readonly #panels: Panel[];
  readonly #panelTabs: Tabs;
  readonly #scenario: HTMLSelectElement;
  readonly #instead = h("span");
  readonly #notice = h("div", { class: "notice", role: "alert", hidden: true });
  /** Why the selected agent does what it does, in one line, where the panels are not beside the world. */
  readonly #headline = h("button", { type: "button", class: "headline-bar", hidden: true, onclick: () => this.showPanel("why") });
  readonly #editor: Editor;
  readonly #inputs: Inputs;

  #project: Project = { files: new Map(), scenario: "", params: new Map() };
  #goldens = new Map<string, string>();
  #waiting = new Map<string, string | null>();
  #editTimer: number | undefined;
  #linkTimer: number | undefined;
  /** Whether the address does not have the newest project, so that closing the page would lose it. */
  #unsaved = false;
  /** The example that the project was opened from, for which its edits are kept. */
  #example: Example | undefined;
  #hasRun = false;
  changedAt: number | undefined;
  /** The params with which the run began; nothing until they are told. */
  #paramsAtStart: string | undefined;
  #overlays = { trails: false, dark: false };
  #panelBadges = "";

  constructor(editor: Editor) {
    this.#editor = editor;
    this.#problems = new Problems(
      (path, line, column) => this.openFile(path, line, column),
      () => this.#showErrors(),
    );
    this.#files = new Files(byId("file-bar"), editor, {
      changed: (changes) => this.#edited(changes),
      renamed: (from, to) => this.#renamed(from, to),
      problems: (path) => this.#problems.count(path),
      say: (text) => this.say(text),
    });
    editor.onFindings = (path, findings) => this.#problems.setFindings(path, findings);
    byId("files").append(this.#problems.element);

    this.#params = new ParamsPanel(this, (seed) => this.#reseed(seed), () => this.writeParams());
    this.why = new WhyPanel(this);
    this.#plots = new PlotsPanel(this);
    this.#log = new LogPanel(this);
    this.#proof = new ProofPanel(
      this,
      (golden) => this.#goldens.set(this.#project.scenario, golden),
      (golden) => saveFile(`${projectName(this.#project)}.golden`, golden, "text/plain"),
    );
    this.#panels = [this.#params, this.why, this.#plots, this.#expectations, this.#log, this.#proof];
    this.#panelTabs = new Tabs("Panels", () => "panel-body", (id) => this.showPanel(id));
    byId("panel-bar").append(this.#panelTabs.element);
    byId("panel-body").setAttribute("role", "tabpanel");

    this.transport = new Transport(this);
    this.world.element.dataset["wheel"] = "zooms";
    byId("view").append(this.world.element, this.#notice);
    this.#inputs = new Inputs(this.world);
    byId("world").append(this.#headline, this.#inputs.element, this.transport.element);
    this.parts = new PartTabs(byId("part-tabs"));
    document.querySelector("main")?.insertBefore(
      splitter(document.querySelector("main") as HTMLElement, "--files", "Width of the editor", true, 42),
      byId("right"),
    );
    byId("right").insertBefore(splitter(byId("right"), "--world", "Height of the world", false, 60), byId("panels"));
    this.#scenario = byId("scenario") as HTMLSelectElement;
    this.#scenario.addEventListener("change", () => void this.#runScenario(this.#scenario.value));
    this.#listenToWorld();
    this.showPanel("params", false);
    addEventListener("beforeunload", (event) => {
      this.#saveLink();
      if (this.#unsaved) {
        event.preventDefault();
      }
    });
    // Phones end pages without asking.
    addEventListener("pagehide", () => this.#saveLink());
  }

  get project(): Project {
    return this.#project;
  }

  // What panels and keys can do

  goTo(tick: number): void {
    this.world.tell("goTo", tick);
  }

  select(id: number | undefined): void {
    this.world.tell("select", id);
    if (id !== undefined) {
      this.showPanel("why", false);
    }
  }

  openFile(path: string, line: number, column: number): void {
    this.parts.show("files");
    this.#files.showLine(path, line, column);
  }

  /** Shows a text in the status line, which screen readers read out. */
  say(text: string): void {
    setText(byId("status"), text);
  }

  /** Shows a panel; on a narrow screen, `switchPart` also brings the panels to the front. */
  showPanel(id: string, switchPart = true): void {
    const panel = this.#panels.find((candidate) => candidate.id === id);
    if (panel === undefined) {
      return;
    }
    this.#updatePanelTabs(id);
    byId("panel-body").replaceChildren(panel.element);
    byId("panel-body").setAttribute("aria-labelledby", `tab-${id}`);
    this.world.tell("watch", this.#topics());
    if (this.world.state !== undefined) {
      panel.update(this.world.state);
    }
    if (switchPart) {
      this.parts.show("panels");
    }
  }

  toggleTrails(): void {
    this.#overlays.trails = !this.#overlays.trails;
    this.world.tell("setOverlays", this.#overlays);
    this.say(`Trails ${this.#overlays.trails ? "on" : "off"}.`);
  }

  toggleDark(): void {
    document.documentElement.dataset["theme"] = this.#overlays.dark ? "light" : "dark";
    this.showColors();
  }

  /** Tells the editor and the world which colors the page has. */
  showColors(): void {
    const theme = document.documentElement.dataset["theme"];
    this.#overlays.dark = theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
    this.#editor.setDark(this.#overlays.dark);
    this.world.tell("setOverlays", this.#overlays);
  }

  // Projects

  /** Runs another project; edits of an example are kept. If the user wants less motion, it is paused. */
  async open(project: Project, goldens = new Map<string, string>(), example?: Example): Promise<void> {
    clearTimeout(this.#editTimer);
    clearTimeout(this.#linkTimer);
    if (this.#unsaved) {
      // The address is that of the other project already.
      this.#keepEdit();
    }
    this.#unsaved = false;
    this.#waiting.clear();
    this.#example = example;
    // What follows changes the project, but not the original.
    this.#project = { ...project, files: new Map(project.files), params: new Map(project.params) };
    this.#goldens = new Map(goldens);
    this.#problems.clear();
    const script = [...project.files.keys()].filter((path) => path.startsWith("scripts/")).sort()[0];
    this.#files.replace(project.files, script ?? project.scenario);
    this.#params.showSeed(project.seed);
    this.#showScenarios();
    await this.world.restart();
    this.#begin();
    await this.#restart(!matchMedia("(prefers-reduced-motion: reduce)").matches, false);
  }

  /** Opens what was dropped or chosen. A single script is added to the project that is there. */
  async openFiles(opened: Opened): Promise<void> {
    const scenario = firstScenario(opened.files);
    if (opened.files.size === 0) {
      throw new ProjectError("there is no scenario (.ron) and no script (.rhai) among these files");
    }
    if (scenario === undefined) {
      const files = new Map([...this.#project.files, ...opened.files]);
      await this.open({ ...this.#project, files }, this.#goldens, this.#example);
      const [first] = opened.files.keys();
      this.#files.show(first ?? "");
    } else {
      await this.open({ files: opened.files, scenario, params: new Map() }, opened.goldens);
    }
    const left = opened.leftOut.length;
    this.say(`${opened.files.size} files opened${left === 0 ? "" : `, ${left} others left out`}.`);
    this.#saveLinkSoon();
  }

  restart(): void {
    void this.#restart();
  }

  /**
   * Starts the scenario again with the newest files, the seed and the params. If they cannot run, `keep` goes back in time instead.
   * It plays if it did so before, or if it was over.
   */
  async #restart(play = this.#plays(), keep = true): Promise<void> {
    this.sendEdits();
    const { files, scenario, seed, params } = this.#project;
    this.#panels.forEach((panel) => panel.reset?.(keep));
    this.#proof.golden = this.#goldens.get(scenario);
    const start = {
      files: Object.fromEntries(files),
      scenario,
      params: Object.fromEntries(params),
      ...(seed === undefined ? {} : { seed }),
    };
    const result = await this.world.call("start", start, keep);
    this.#hasRun = result.result !== "none";
    this.changedAt = undefined;
    this.#paramsAtStart = undefined;
    if (play) {
      this.world.tell("play");
    }
    this.#showInputs();
    this.#showResult(result, play ? "Running the newest files." : "The newest files are ready to play.");
  }

  #plays(): boolean {
    const { state } = this.world;
    return state !== undefined && (state.playing || state.tick >= state.ticks);
  }

  async #runScenario(path: string): Promise<void> {
    this.#project.scenario = path;
    this.#project.params.clear();
    delete this.#project.seed;
    this.#params.showSeed(undefined);
    this.#files.show(path);
    await this.#restart(undefined, false);
    this.#saveLinkSoon();
  }

  #reseed(seed: number | undefined): void {
    delete this.#project.seed;
    if (seed !== undefined) {
      this.#project.seed = seed;
    }
    void this.#restart();
    this.#saveLinkSoon();
  }

  #showScenarios(): void {
    const paths = [...this.#project.files.keys()].filter(isScenario).sort();
    this.#scenario.replaceChildren(...paths.map((path) => h("option", { value: path }, path.replace(/^scenarios\/|\.ron$/g, ""))));
    this.#scenario.value = this.#project.scenario;
  }

  // Edits

  #edited(changes: [string, string | null][]): void {
    this.#problems.typed();
    for (const [path, text] of changes) {
      this.#waiting.set(path, text);
      if (text === null) {
        this.#project.files.delete(path);
      } else {
        this.#project.files.set(path, text);
      }
    }
    if (!this.#project.files.has(this.#project.scenario)) {
      void this.#runScenario(firstScenario(this.#project.files) ?? "");
    }
    this.#showScenarios();
    clearTimeout(this.#editTimer);
    this.#editTimer = window.setTimeout(() => this.sendEdits(), EDIT_MS);
    this.#saveLinkSoon();
  }

  #renamed(from: string, to: string): void {
    const text = this.#project.files.get(from) ?? "";
    const scenario = this.#project.scenario === from;
    this.#edited([[to, text]]);
    if (scenario) {
      // The world knows its scenario by its path.
      this.#project.scenario = to;
    }
    this.#edited([[from, null]]);
    if (scenario) {
      void this.#restart();
    }
  }

  writeParams(): void {
    void this.#writeParams();
  }

  async #writeParams(): Promise<void> {
    this.sendEdits();
    try {
      const [path, text] = await this.world.call("writeParams");
      this.#project.files.set(path, text);
      this.#files.take(path, text);
      this.#saveLinkSoon();
      this.say(`The params are written into ${path}.`);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }

  #showInputs(): void {
    this.world
      .call("facts")
      .then((facts) => this.#inputs.update(facts))
      .catch(() => this.#inputs.update(undefined));
  }

  /** Lets edits that wait take effect now. */
  sendEdits(): void {
    clearTimeout(this.#editTimer);
    if (this.#waiting.size === 0) {
      return;
    }
    const changes = [...this.#waiting];
    this.#waiting.clear();
    this.world
      .call("edit", changes)
      .then((result) => {
        const first = !this.#hasRun && result.result !== "none";
        this.#hasRun ||= first;
        if (result.result === "adopted") {
          this.#showInputs();
          this.changedAt ??= this.world.state?.tick;
          this.#proof.clearResult();
        }
        if (first) {
          this.world.tell("play");
        }
        this.#showResult(result, editText(result, first || this.world.state?.playing === true));
      })
      .catch((error: Error) => this.say(error.message));
  }

  /** Shows what became of a start or an edit; `done` is said if there are no errors. */
  #showResult({ errors }: Reloaded, done: string): void {
    this.#problems.setErrors(errors);
    if (errors.length === 0) {
      this.say(done);
    }
  }

  /** Shows the first error for which the newest files do not run over the world, and counts them in the status line. */
  #showErrors(): void {
    this.#files.refresh();
    const { errors } = this.#problems;
    const [first] = errors;
    this.#notice.hidden = first === undefined;
    if (first === undefined) {
      return;
    }
    this.#showInstead();
    this.say(`${errors.length} error${errors.length === 1 ? "" : "s"}. ${this.#instead.textContent}`);
    const { path, line, column } = first;
    this.#notice.replaceChildren(
      h("strong", {}, ...withCode(first.message)),
      this.#instead,
      ...(path === undefined || line === undefined
        ? []
        : [
            h(
              "button",
              { type: "button", onclick: () => this.openFile(path, line, column ?? 1) },
              `Go to ${path.replace(/^.*\//, "")}:${line}`,
            ),
          ]),
    );
  }

  /** Says what the world shows while the newest files do not run. */
  #showInstead(): void {
    const playing = this.world.state?.playing === true;
    setText(this.#instead, !this.#hasRun ? "Nothing can run yet." : `The last version without errors ${playing ? "goes on" : "is shown"}.`);
  }

  // Links and downloads

  /** Writes the project into the address soon, so that reloading the page keeps it. */
  #saveLinkSoon(): void {
    clearTimeout(this.#linkTimer);
    this.#unsaved = true;
    this.#linkTimer = window.setTimeout(() => this.#saveLink(), LINK_MS);
  }

  #saveLink(): void {
    if (!this.#unsaved) {
      return;
    }
    clearTimeout(this.#linkTimer);
    const isKept = this.#keepEdit();
    try {
      // The address of a reloaded page is a link; its state says which example it was.
      history.replaceState({ example: this.#example?.name }, "", toLink(this.#project));
      this.#unsaved = false;
    } catch (error) {
      // Too long. The page asks before it is closed.
      if (!(error instanceof ProjectError)) {
        throw error;
      }
      this.#unsaved = !isKept;
    }
  }

  /** Keeps the edits of an example for the next time that it is opened. Returns whether nothing would be lost. */
  #keepEdit(): boolean {
    if (this.#example === undefined) {
      return false;
    }
    const { name, original } = this.#example;
    if (isSameProject(this.#project, original)) {
      forgetEdit(name);
      return true;
    }
    return keepEdit(name, this.#project);
  }

  async share(): Promise<void> {
    let hash: string;
    try {
      hash = toLink(this.#project);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
      return;
    }
    this.#saveLink();
    const url = new URL(hash, location.href.replace(/#.*$/, "")).href;
    const copied = await navigator.clipboard?.writeText(url).then(
      () => true,
      () => false,
    );
    const field = h("textarea", { readonly: true, rows: 4, "aria-label": "Link", class: "link-text" });
    field.value = url;
    field.addEventListener("focus", () => field.select());
    await showDialog(
      "Share",
      [
        h("p", {}, copied === true ? "The link is in the clipboard." : "Copy this link."),
        field,
        h(
          "p",
          { class: "hint" },
          `It contains all files (${hash.length} of at most ${MAX_LINK} characters), the seed and the params. `,
          "They are behind the # of the address, so no server gets them.",
        ),
      ],
      [["Close", ""]],
    );
  }

  download(): void {
    this.sendEdits();
    const zip = toZip(this.#project, this.#proof.golden);
    saveFile(`${projectName(this.#project)}.zip`, zip as Uint8Array<ArrayBuffer>, "application/zip");
    this.say(`${projectName(this.#project)}.zip is downloaded. Unpack it, and run flockwork test there.`);
  }

  // The world

  #listenToWorld(): void {
    this.world.on("state", (state) => this.#showState(state));
    this.world.on("errors", (errors) => this.#problems.setErrors(errors));
    this.world.on("picked", (id) => {
      if (id !== undefined) {
        this.showPanel("why", false);
      }
    });
    this.world.on("busy", (busy) => {
      if (busy) {
        this.#offerRestart("A tick takes long.", "Stop it");
      } else {
        this.#showErrors();
      }
    });
    this.world.on("fatal", (message) => this.#offerRestart(`The engine has stopped, which is a bug of Flockwork: ${message}`, "Start it again"));
  }

  /** After a restart the world is paused, so that what was slow or broken does not come back by itself. */
  #offerRestart(text: string, action: string): void {
    const again = async () => {
      this.#notice.hidden = true;
      await this.world.restart();
      this.#begin();
      await this.#restart(false, false);
    };
    this.#notice.hidden = false;
    this.#notice.replaceChildren(h("strong", {}, text), h("button", { type: "button", onclick: () => void again() }, action));
  }

  /** Tells a new worker what the page shows. */
  #begin(): void {
    this.world.tell("watch", this.#topics());
    this.showColors();
  }

  #topics(): Topic[] {
    const shown = this.#panels.find((panel) => panel.id === this.#panelTabs.selected);
    return [...new Set([...ALWAYS, ...(shown?.topics ?? [])])];
  }

  #showState(state: State): void {
    this.#showInstead();
    this.transport.update(state);
    this.#log.record(state);
    this.#expectations.record(state);
    this.#plots.record(state);
    if (state.params !== undefined) {
      this.#keepParams(state.params);
      const values = JSON.stringify(state.params.map(({ group, name, value }) => [group, name, value]));
      this.#paramsAtStart ??= values;
      if (values !== this.#paramsAtStart) {
        this.changedAt ??= state.tick;
      }
    }
    this.#headline.hidden = state.selected === undefined;
    if (state.explanation) {
      setText(this.#headline, state.explanation.headline.replaceAll("`", ""));
    }
    this.#panels.find((panel) => panel.id === this.#panelTabs.selected)?.update(state);
    const badges = JSON.stringify(this.#panels.map((panel) => panel.badge?.()));
    if (badges !== this.#panelBadges) {
      this.#panelBadges = badges;
      this.#updatePanelTabs(this.#panelTabs.selected);
    }
    const slow = state.playing && state.reached > 0 && state.reached < (0.9 * state.speed) / state.dt;
    const pace = slow ? ` · ${(state.reached * state.dt).toFixed(2)}x (set to ${state.speed}x)` : "";
    if (state.hash !== undefined) {
      const proof = this.changedAt === undefined ? "the same on every machine" : `after a change at tick ${this.changedAt}`;
      setText(byId("proof-line"), `${state.name} · hash ${state.hash} at tick ${state.tick}, ${proof}${pace}`);
    }
  }

  /** Params that differ from the files are part of the project: of its link, and of a new start. */
  #keepParams(params: NonNullable<State["params"]>): void {
    const now = new Map(params.filter(changed).map((param) => [nameOf(param), param.unwritten]));
    if (JSON.stringify([...now]) !== JSON.stringify([...this.#project.params])) {
      this.#project.params = now;
      this.#saveLinkSoon();
    }
  }

  #updatePanelTabs(selected: string): void {
    this.#panelTabs.update(
      this.#panels.map((panel) => {
        const badge = panel.badge?.();
        return { id: panel.id, label: panel.label, ...(badge === undefined ? {} : { badge }) };
      }),
      selected,
    );
  }
}

/** What an edit has done, in words. */
function editText({ result, changes }: Reloaded, playing: boolean): string {
  if (changes.length > 0) {
    return `Changed: ${changes.join("; ")}`;
  }
  return result === "unchanged" ? "" : playing ? "Running the newest files." : "The newest files take effect when the world goes on.";
}

/** An element of the page's own HTML. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`the page has no element ${id}`);
  }
  return element;
}
