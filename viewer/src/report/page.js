// The list of scenarios, and for the selected one the expected and the actual run, tick by tick.

const OUTCOMES = {
  failed: ["✕", "Failed", "failed"],
  broken: ["!", "Could not be run", "could not be run"],
  untested: ["?", "Untested: it has neither a golden nor expectations", "untested"],
  passed: ["✓", "Passed", "passed"],
};

// ---- The selected scenario ------------------------------------------------------------------------

const shown = { entry: null, pair: null, tick: 0, agent: null, playing: false, clock: 0, before: 0 };

function draw() {
  const { pair, tick, agent } = shown;
  if (!pair) return;
  const palette = colors();
  const [expected, actual] = [pair.expected.at(tick), pair.actual.at(tick)];
  const one = (agents) => agents.find(({ id }) => id === agent);
  const [expectedAgent, actualAgent] = [one(expected), one(actual)];
  const around = byId("near").checked ? actualAgent || expectedAgent : null;
  const trails = [pair.expected.trail(agent, tick), pair.actual.trail(agent, tick)];

  const left = new View(byId("expected"), pair, around);
  left.background(pair.expected, tick);
  left.trail(trails[0], palette.ghost);
  left.agents(expected);
  left.ring(expectedAgent, palette.ghost);

  const middle = new View(byId("actual"), pair, around);
  middle.background(pair.actual, tick);
  middle.trail(trails[1], palette.highlight);
  middle.agents(actual);
  middle.ring(actualAgent, palette.highlight);

  const both = new View(byId("both"), pair, around);
  both.background(pair.actual, tick);
  both.trail(trails[1], palette.highlight);
  both.trail(trails[0], palette.ghost, true);
  both.agents(expected, true);
  both.agents(actual);
  both.ring(expectedAgent, palette.ghost);
  both.ring(actualAgent, palette.highlight);
  both.scaleBar();

  plot.draw(pair, tick);
  showText(expectedAgent, actualAgent);
}

/** Shows in words what the canvases show. */
function showText(expectedAgent, actualAgent) {
  const { pair, tick, agent } = shown;
  const parts = [`tick ${tick}`, `${(tick * pair.dt).toFixed(2)} s`];
  const after = pair.deviation.findIndex(([at]) => at > tick);
  const last = pair.deviation[(after < 0 ? pair.deviation.length : after) - 1];
  if (last && last[1] !== null) parts.push(`runs differ by ${short(last[1])}`);
  const isInterpolated = pair.expected.isInterpolated(tick) || pair.actual.isInterpolated(tick);
  if (expectedAgent && actualAgent) {
    const way = pair.expected.way(expectedAgent.x, expectedAgent.y, actualAgent.x, actualAgent.y);
    const far = Math.hypot(...way) * pair.step;
    // Interpolated positions and distances below the grid are not exact enough to show.
    if (far > 2 * pair.step && !isInterpolated) parts.push(`agent ${agent} by ${short(far)}`);
  } else if (agent !== null) {
    parts.push(expectedAgent ? `agent ${agent} is missing` : actualAgent ? `agent ${agent} was not expected` : `there is no agent ${agent}`);
  }
  byId("now").textContent = parts.join("  ·  ");
  byId("slider").setAttribute("aria-valuetext", parts.join(", "));
  for (const which of ["expected", "actual"]) {
    const track = pair[which];
    const note = !track.frames.length ? "no data"
      : track.isInterpolated(tick) ? "interpolated"
      : tick > track.last ? `ends at tick ${track.last}` : "";
    byId(`${which}-note`).textContent = note;
  }
}

function goTo(tick) {
  const { pair } = shown;
  if (!pair) return;
  shown.tick = Math.min(Math.max(Math.round(tick), pair.from), pair.to);
  byId("slider").value = shown.tick;
  draw();
}

function play(on) {
  if (on && shown.tick >= shown.pair.to) goTo(shown.pair.from);
  shown.playing = on;
  shown.clock = shown.tick;
  shown.before = performance.now();
  byId("play").textContent = on ? "Pause" : "Play";
  if (on) requestAnimationFrame(advance);
}

function advance(now) {
  const { pair } = shown;
  if (!shown.playing || !pair) return;
  const passed = Math.max(now - shown.before, 0) / 1000;
  shown.before = now;
  // Some scenarios use one second per tick, as frames of an older program: these play at 60 ticks per second.
  const dt = pair.dt >= 0.5 ? 1 / 60 : pair.dt;
  shown.clock += (passed / dt) * Number(byId("speed").value);
  goTo(shown.clock);
  if (shown.tick >= pair.to) play(false); else requestAnimationFrame(advance);
}

function follow(agent) {
  shown.agent = agent;
  byId("agent").value = agent ?? "";
  draw();
}

function choose(entry) {
  if (shown.playing) play(false);
  Object.assign(shown, { entry, pair: compare(entry), agent: null });
  const { pair } = shown;
  byId("name").textContent = entry.name;
  const [sign, word] = OUTCOMES[entry.outcome];
  const outcome = document.createElement("b");
  outcome.className = entry.outcome;
  outcome.textContent = `${sign} ${word}`;
  byId("outcome").replaceChildren(outcome, ` in ${seconds(entry.seconds)}`);
  byId("cause").textContent = entry.cause;
  byId("cause").hidden = !entry.cause;
  byId("diagnosis").textContent = entry.diagnosis;
  byId("diagnosis").hidden = !entry.diagnosis;
  byId("diagnosis").classList.toggle("alone", !pair);
  byId("compared").hidden = !pair;
  for (const link of byId("list").querySelectorAll("a")) {
    if (link.entry === entry) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
  }
  if (pair) begin(pair);
}

/** Sets up everything that does not change while a comparison is shown. */
function begin(pair) {
  const slider = byId("slider");
  [slider.min, slider.max] = [pair.from, pair.to];
  const mark = byId("first-mark");
  mark.hidden = byId("to-first").disabled = pair.firstTick === null;
  mark.hidden = pair.firstTick === null;
  const share = (pair.firstTick - pair.from) / (pair.to - pair.from);
  mark.style.left = `calc(${plot.inset}px + (100% - ${2 * plot.inset}px) * ${share})`;
  byId("legend").replaceChildren(...pair.groups.map((group, place) => {
    const item = document.createElement("li");
    item.append(shapeImage(group, place), group.name);
    return item;
  }));
  paintLegend();
  const notes = [];
  for (const [which, run] of [["expected", "the expected run"], ["actual", "the actual run"]]) {
    const track = pair[which];
    if (!track.exact && track.frames.length) {
      notes.push(`Only ${track.frames.length} ticks of ${run} are known (marked below the curve). Between them, agents are drawn on straight lines.`);
    }
    if (track.every > 1) {
      notes.push(`This page has only one of ${track.every} ticks of ${run}. Between them, agents are drawn on straight lines.`);
    }
  }
  byId("notes").textContent = notes.join(" ");
  shown.agent = pair.first;
  byId("agent").value = pair.first ?? "";
  goTo(pair.firstTick ?? pair.from);
}

/** Returns the shape of a group's agents as an image. */
function shapeImage(group, place) {
  const parsed = document.createElement("template");
  parsed.innerHTML = '<svg viewBox="-1100 -1100 2200 2200" aria-hidden="true"><path/></svg>';
  const image = parsed.content.firstChild;
  image.dataset.group = place;
  const loop = (corners) => `M${corners.map((number, i) => (i % 2 ? -number : number)).join(" ")}Z`;
  image.firstChild.setAttribute("d", group.outline.map(loop).join(""));
  return image;
}

function paintLegend() {
  const { pair } = shown;
  if (!pair) return;
  for (const image of byId("legend").querySelectorAll("svg")) image.style.fill = groupColor(pair, Number(image.dataset.group));
}

// ---- The list -------------------------------------------------------------------------------------

function seconds(number) {
  return number < 0.0995 ? `${Math.round(number * 1000)} ms` : `${number.toFixed(number < 9.95 ? 2 : 1)} s`;
}

const ORDERS = {
  outcome: (a, b) => rank(a) - rank(b) || ORDERS.name(a, b),
  name: (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  seconds: (a, b) => b.seconds - a.seconds || ORDERS.name(a, b),
};
const rank = (entry) => Object.keys(OUTCOMES).indexOf(entry.outcome);
const address = (entry) => `#${encodeURIComponent(entry.name)}`;

function list() {
  const part = byId("filter-name").value.trim().toLowerCase();
  const outcome = byId("filter-outcome").value;
  const least = Number(byId("filter-time").value);
  const entries = report.entries
    .filter((entry) => entry.name.toLowerCase().includes(part))
    .filter((entry) => !outcome || entry.outcome === outcome)
    .filter((entry) => !least || entry.seconds > least)
    .sort(ORDERS[byId("order").value]);
  byId("list").replaceChildren(...entries.map((entry) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = address(entry);
    link.entry = entry;
    if (entry === shown.entry) link.setAttribute("aria-current", "true");
    const [sign, word] = OUTCOMES[entry.outcome];
    for (const [name, text, label] of [[`sign ${entry.outcome}`, sign, word], ["name", entry.name], ["seconds", seconds(entry.seconds)]]) {
      const cell = document.createElement("span");
      cell.className = name;
      cell.textContent = text;
      // Allow line breaks in long names after these characters.
      if (name === "name") cell.replaceChildren(...text.split(/(?<=[/_-])/).flatMap((piece) => [piece, document.createElement("wbr")]));
      if (label) {
        cell.title = label;
        cell.setAttribute("role", "img");
        cell.setAttribute("aria-label", label);
      }
      link.append(cell);
    }
    item.append(link);
    return item;
  }));
  byId("none").hidden = entries.length > 0;
  return entries;
}

function summarize() {
  const parts = [];
  for (const [outcome, [, , word]] of Object.entries(OUTCOMES)) {
    const count = report.entries.filter((entry) => entry.outcome === outcome).length;
    if (!count) continue;
    const number = document.createElement("b");
    number.textContent = count;
    parts.push(parts.length ? ", " : "", number, ` ${word}`);
    byId("filter-outcome").append(new Option(word, outcome));
  }
  const total = report.entries.reduce((sum, entry) => sum + entry.seconds, 0);
  byId("summary").append(...parts, `${parts.length ? ", in " : "no scenarios, "}${seconds(total)}`);
}

// ---- Input ----------------------------------------------------------------------------------------

for (const id of ["filter-name", "filter-outcome", "filter-time", "order"]) byId(id).addEventListener("input", list);
byId("filter").addEventListener("submit", (event) => event.preventDefault());
byId("slider").addEventListener("input", () => {
  if (shown.playing) play(false);
  goTo(Number(byId("slider").value));
});
byId("play").addEventListener("click", () => play(!shown.playing));
byId("to-first").addEventListener("click", toFirst);
byId("near").addEventListener("change", draw);
byId("agent").addEventListener("input", () => {
  const number = byId("agent").value;
  shown.agent = number === "" ? null : Number(number);
  draw();
});

function toFirst() {
  const { pair } = shown;
  if (pair.firstTick === null) return;
  play(false);
  shown.agent = pair.first;
  byId("agent").value = pair.first ?? "";
  goTo(pair.firstTick);
}

const curve = byId("plot");
const goToPointer = (event) => {
  if (shown.playing) play(false);
  goTo(plot.tick(event.clientX - curve.getBoundingClientRect().left, shown.pair, curve.clientWidth));
};
curve.addEventListener("pointerdown", goToPointer);
curve.addEventListener("pointermove", (event) => { if (event.buttons & 1) goToPointer(event); });

for (const id of ["expected", "actual", "both"]) {
  const canvas = byId(id);
  canvas.addEventListener("click", (event) => {
    const { view } = canvas;
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const agents = shown.pair[id === "expected" ? "expected" : "actual"].at(shown.tick);
    const far = (agent) => Math.hypot(view.x(agent.x) - x, view.y(agent.y) - y);
    const nearest = agents.reduce((best, agent) => (!best || far(agent) < far(best) ? agent : best), null);
    if (nearest && far(nearest) < 20) follow(nearest.id);
  });
}

document.addEventListener("keydown", (event) => {
  const { pair, tick } = shown;
  if (!pair || event.ctrlKey || event.metaKey || event.altKey) return;
  const on = event.target;
  const writes = on.matches("select, textarea, input:not([type=range], [type=checkbox])");
  if (writes || on.matches("pre")) return;
  const far = event.shiftKey ? 10 : 1;
  const keys = {
    ArrowLeft: () => goTo(tick - far),
    ArrowRight: () => goTo(tick + far),
    Home: () => goTo(pair.from),
    End: () => goTo(pair.to),
    d: toFirst,
    z: () => byId("near").click(),
  };
  // Buttons and links use the space bar themselves.
  if (!on.matches("button, a, input[type=checkbox]")) keys[" "] = () => play(!shown.playing);
  const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  if (event.key.startsWith("Arrow") && shown.playing) play(false);
  action();
});

function followAddress() {
  const wanted = report.entries.find((entry) => address(entry) === location.hash);
  if (wanted && wanted !== shown.entry) choose(wanted);
}

dark.addEventListener("change", () => { paintLegend(); draw(); });
window.addEventListener("hashchange", followAddress);
let width = 0;
new ResizeObserver(() => requestAnimationFrame(() => {
  // Drawing changes the height, so only a new width needs drawing.
  if (byId("entry").clientWidth === width) return;
  width = byId("entry").clientWidth;
  draw();
})).observe(byId("entry"));

summarize();
const entries = list();
followAddress();
if (!shown.entry && entries.length) choose(entries[0]);
