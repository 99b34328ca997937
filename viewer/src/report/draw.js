"use strict";
// The data of two runs, and drawing them. Positions are integer steps of the scene's grid, y points up, angles are in
// degrees, counter-clockwise.

const byId = (id) => document.getElementById(id);
const report = JSON.parse(byId("report").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");

// ---- Runs -----------------------------------------------------------------------------------------

/** Positions of all agents: frame by frame, and interpolated between frames. */
class Track {
  constructor({ exact, every, frames }, pair) {
    this.exact = exact;
    this.every = every;
    this.size = [pair.world[2] - pair.world[0], pair.world[3] - pair.world[1]];
    this.corner = pair.world;
    this.wraps = pair.edge === "wrap";
    let roster = { ids: [], groups: [], rows: new Map() };
    this.frames = frames.map((frame) => {
      if (frame.agents) {
        const ids = frame.agents.filter((_, i) => i % 2 === 0);
        const groups = frame.agents.filter((_, i) => i % 2 === 1);
        roster = { ids, groups, rows: new Map(ids.map((id, row) => [id, row])) };
      }
      const { tick, x, y, angle, absent = [], moved = [] } = frame;
      return { tick, roster, x, y, angle, absent, moved };
    });
  }

  get first() { return this.frames.length ? this.frames[0].tick : 0; }
  get last() { return this.frames.length ? this.frames[this.frames.length - 1].tick : 0; }

  /** Index of the last frame that is not after a tick; the first one if all are after it. */
  place(tick) {
    let [low, high] = [0, this.frames.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.frames[middle].tick <= tick) low = middle + 1; else high = middle;
    }
    return Math.max(low - 1, 0);
  }

  /** Whether a tick lies between two frames, so that its positions are interpolated. */
  isInterpolated(tick) {
    return tick > this.first && tick < this.last && this.frames[this.place(tick)].tick !== tick;
  }

  /** The obstacles that are there at a tick, where they are. */
  obstaclesAt(tick, obstacles) {
    if (!this.frames.length) return obstacles;
    const { absent, moved } = this.frames[this.place(tick)];
    const there = [...obstacles];
    for (const [index, dx, dy] of moved) {
      const by = (points) => points?.map((at, i) => at + (i % 2 === 0 ? dx : dy));
      const { at, points, min, max } = there[index];
      there[index] = { ...there[index], at: by(at), points: by(points), min: by(min), max: by(max) };
    }
    return there.filter((_, i) => !absent.includes(i));
  }

  /** All agents at a tick. */
  at(tick) {
    if (!this.frames.length) return [];
    const place = this.place(tick);
    const [from, to] = [this.frames[place], this.frames[place + 1]];
    const share = to && tick > from.tick ? (tick - from.tick) / (to.tick - from.tick) : 0;
    return from.roster.ids.map((id, row) => {
      const agent = { id, group: from.roster.groups[row], x: from.x[row], y: from.y[row], angle: from.angle[row] };
      const next = share > 0 ? to.roster.rows.get(id) : undefined;
      if (next !== undefined) {
        const [dx, dy] = this.way(agent.x, agent.y, to.x[next], to.y[next]);
        const turn = ((to.angle[next] - agent.angle + 540) % 360 + 360) % 360 - 180;
        agent.x = this.back(agent.x + dx * share, 0);
        agent.y = this.back(agent.y + dy * share, 1);
        agent.angle += turn * share;
      }
      return agent;
    });
  }

  /** The offset from one place to another; across the edge if that is shorter and the world wraps. */
  way(x, y, toX, toY) {
    const shortest = (d, size) => (this.wraps ? d - size * Math.round(d / size) : d);
    return [shortest(toX - x, this.size[0]), shortest(toY - y, this.size[1])];
  }

  back(at, axis) {
    if (!this.wraps) return at;
    const [start, size] = [this.corner[axis], this.size[axis]];
    return start + (((at - start) % size) + size) % size;
  }

  /** The track of one agent up to a tick, as lines: a new one after each jump across the edge. */
  trail(id, until) {
    const lines = [];
    let line = null;
    const go = (x, y) => {
      const last = line && line[line.length - 1];
      const jumps = last && this.wraps
        && (Math.abs(x - last[0]) > this.size[0] / 2 || Math.abs(y - last[1]) > this.size[1] / 2);
      if (!line || jumps) lines.push(line = []);
      line.push([x, y]);
    };
    for (const frame of this.frames) {
      if (frame.tick > until) break;
      const row = frame.roster.rows.get(id);
      if (row !== undefined) go(frame.x[row], frame.y[row]);
    }
    const now = this.isInterpolated(until) && this.at(until).find((agent) => agent.id === id);
    if (now) go(now.x, now.y);
    return lines;
  }
}

/** The comparison of an entry; made when it is first shown. */
function compare(entry) {
  if (!entry.compared || entry.pair) return entry.pair;
  const pair = { ...entry.compared };
  pair.expected = new Track(pair.expected, pair);
  pair.actual = new Track(pair.actual, pair);
  pair.from = Math.min(pair.expected.first, pair.actual.first);
  pair.to = Math.max(pair.expected.last, pair.actual.last, pair.from + 1);
  entry.pair = pair;
  return pair;
}

// ---- Drawing --------------------------------------------------------------------------------------

const colors = () => (dark.matches ? report.dark : report.light);
const groupColor = (pair, group) => pair.groups[group]?.color ?? colors().groups[group % colors().groups.length];

/** Clears a canvas for drawing in CSS pixels, independent of the pixels of the screen. */
function cleared(canvas, height) {
  const width = canvas.clientWidth;
  const ratio = window.devicePixelRatio || 1;
  canvas.style.height = `${height}px`;
  const [across, down] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width, height };
}

/** A canvas that shows the whole scene, or the surroundings of one place. */
class View {
  constructor(canvas, pair, around) {
    const [left, lower, right, upper] = pair.view;
    const shape = Math.min(Math.max((upper - lower) / (right - left || 1), 0.3), 1.1);
    Object.assign(this, cleared(canvas, Math.round(canvas.clientWidth * shape)));
    const margin = 12;
    const fit = Math.min((this.width - 2 * margin) / (right - left || 1), (this.height - 2 * margin) / (upper - lower || 1));
    this.scale = Math.max(fit, 1e-9) * (around ? 8 : 1);
    this.center = around ? [around.x, around.y] : [(left + right) / 2, (lower + upper) / 2];
    this.pair = pair;
    canvas.view = this;
  }

  x(x) { return this.width / 2 + (x - this.center[0]) * this.scale; }
  y(y) { return this.height / 2 - (y - this.center[1]) * this.scale; }

  line(points, closed) {
    this.pen.beginPath();
    for (let i = 0; i < points.length; i += 2) this.pen.lineTo(this.x(points[i]), this.y(points[i + 1]));
    if (closed) this.pen.closePath();
  }

  circle(x, y, radius) {
    this.pen.beginPath();
    this.pen.arc(this.x(x), this.y(y), radius, 0, 2 * Math.PI);
  }

  /** Fills everything outside a rectangle. */
  fillAround(left, lower, right, upper) {
    this.pen.beginPath();
    this.pen.rect(0, 0, this.width, this.height);
    this.pen.rect(this.x(left), this.y(upper), (right - left) * this.scale, (upper - lower) * this.scale);
    this.pen.fill("evenodd");
  }

  /** Draws everything except agents. Obstacles are those of a run at a tick. */
  background(track, tick) {
    const { pen, pair, scale } = this;
    const palette = colors();
    pen.lineCap = pen.lineJoin = "round";
    pen.fillStyle = palette.ground;
    pen.fillRect(0, 0, this.width, this.height);
    pen.fillStyle = palette.outside;
    if (pair.edge !== "open") this.fillAround(...pair.world);
    for (const path of pair.paths) {
      pen.strokeStyle = palette.band;
      pen.lineWidth = Math.max(2 * path.radius * scale, 1);
      this.line(path.points, path.closed);
      pen.stroke();
    }
    pen.setLineDash([5, 6]);
    for (const path of pair.paths) {
      pen.strokeStyle = palette.path;
      pen.lineWidth = 1;
      this.line(path.points, path.closed);
      pen.stroke();
    }
    pen.setLineDash([]);
    for (const obstacle of track.obstaclesAt(tick, pair.obstacles)) this.obstacle(obstacle, palette);
    const [left, lower, right, upper] = pair.world;
    pen.setLineDash(pair.edge === "open" ? [4, 5] : []);
    pen.strokeStyle = palette.edge;
    pen.lineWidth = 1;
    this.line([left, lower, right, lower, right, upper, left, upper], true);
    pen.stroke();
    pen.setLineDash([]);
  }

  obstacle(obstacle, palette) {
    const { pen } = this;
    pen.fillStyle = palette.solid;
    pen.strokeStyle = palette.wall;
    pen.lineWidth = obstacle.shape === "wall" ? 2.5 : 1;
    if (obstacle.shape === "disc") {
      this.circle(...obstacle.at, Math.max(obstacle.radius * this.scale, 1.5));
      pen.fill();
    } else if (obstacle.shape === "room") {
      const [min, max] = [obstacle.min, obstacle.max];
      this.fillAround(...min, ...max);
      this.line([min[0], min[1], max[0], min[1], max[0], max[1], min[0], max[1]], true);
    } else {
      this.line(obstacle.points, obstacle.shape === "polygon");
      if (obstacle.shape === "polygon") pen.fill();
    }
    pen.stroke();
  }

  /** Draws agents in the shapes of their groups along their headings; those of the expected run as outlines. */
  agents(agents, outlined) {
    const { pen, pair, scale } = this;
    const palette = colors();
    const smallest = agents.length > 2000 ? 2.5 : 5;
    const order = (agent) => pair.groups[agent.group]?.order ?? 0;
    for (const agent of agents.toSorted((a, b) => order(a) - order(b))) {
      const group = pair.groups[agent.group] ?? pair.groups[0];
      const body = (group?.radius ?? 0) * scale;
      const size = Math.max((group?.size ?? 0) * scale, smallest);
      const [x, y] = [this.x(agent.x), this.y(agent.y)];
      if (x < -size || y < -size || x > this.width + size || y > this.height + size) continue;
      const color = outlined ? palette.ghost : groupColor(pair, agent.group);
      pen.strokeStyle = pen.fillStyle = color;
      pen.lineWidth = 1;
      if (body >= 8) {
        pen.globalAlpha = outlined ? 0.5 : 0.7;
        this.circle(agent.x, agent.y, body);
        pen.stroke();
        pen.globalAlpha = 1;
      }
      const angle = (agent.angle * Math.PI) / 180;
      const [dx, dy] = [Math.cos(angle) * size, -Math.sin(angle) * size];
      pen.beginPath();
      for (const corners of group?.outline ?? []) {
        for (let i = 0; i < corners.length; i += 2) {
          const [along, side] = [corners[i] / 1000, corners[i + 1] / 1000];
          pen[i > 0 ? "lineTo" : "moveTo"](x + dx * along + dy * side, y + dy * along - dx * side);
        }
        pen.closePath();
      }
      if (outlined) pen.stroke(); else pen.fill();
    }
  }

  trail(lines, color, dashed) {
    const { pen } = this;
    pen.strokeStyle = color;
    pen.lineWidth = dashed ? 1.5 : 2;
    pen.setLineDash(dashed ? [5, 5] : []);
    for (const line of lines) {
      this.line(line.flat(), false);
      pen.stroke();
    }
    pen.setLineDash([]);
  }

  ring(agent, color) {
    if (!agent) return;
    const body = (this.pair.groups[agent.group]?.radius ?? 0) * this.scale;
    this.pen.strokeStyle = color;
    this.pen.lineWidth = 2;
    this.circle(agent.x, agent.y, Math.max(body + 5, 11));
    this.pen.stroke();
  }

  /** Draws the scale bar, which is as long as a round number of world units. */
  scaleBar() {
    const { pen } = this;
    const longest = ((this.width * 0.25) / this.scale) * this.pair.step;
    const power = 10 ** Math.floor(Math.log10(longest));
    const units = [5, 2, 1].map((n) => n * power).find((n) => n <= longest * 1.0001) ?? power;
    const length = (units / this.pair.step) * this.scale;
    const [x, y] = [10, this.height - 10];
    pen.font = "11px system-ui, sans-serif";
    const label = `${Number(units.toPrecision(3))} units`;
    pen.globalAlpha = 0.85;
    pen.fillStyle = colors().ground;
    pen.fillRect(x - 5, y - 19, Math.max(length, pen.measureText(label).width + 4) + 10, 24);
    pen.globalAlpha = 1;
    pen.strokeStyle = pen.fillStyle = colors().ink;
    pen.lineWidth = 1.2;
    pen.beginPath();
    pen.moveTo(x, y - 4);
    pen.lineTo(x, y);
    pen.lineTo(x + length, y);
    pen.lineTo(x + length, y - 4);
    pen.stroke();
    pen.fillText(label, x + 4, y - 5);
  }
}

/** The curve of the distance between the runs over time, with the shown tick. */
const plot = {
  inset: 8, // half of the slider's thumb

  x(tick, pair, width) {
    return this.inset + ((tick - pair.from) / (pair.to - pair.from)) * (width - 2 * this.inset);
  },

  tick(x, pair, width) {
    const share = (x - this.inset) / (width - 2 * this.inset);
    return Math.round(pair.from + Math.min(Math.max(share, 0), 1) * (pair.to - pair.from));
  },

  draw(pair, tick) {
    const { pen, width, height } = cleared(byId("plot"), 88);
    const palette = colors();
    const known = pair.deviation.filter(([, far]) => far !== null);
    const positive = known.map(([, far]) => far).filter((far) => far > 0);
    const most = positive.reduce((a, b) => Math.max(a, b), 0);
    const least = positive.reduce((a, b) => Math.min(a, b), most);
    // Distances that grow exponentially are only visible on a logarithmic scale.
    const byPowers = most > 1000 * least;
    const [top, base] = [18, height - 10];
    const share = (far) => {
      if (!(far > 0)) return 0;
      return byPowers ? 0.04 + 0.96 * Math.log(far / least) / Math.log(most / least) : far / most;
    };
    const y = (far) => base - share(far) * (base - top);
    pen.strokeStyle = palette.edge;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(this.inset, base + 0.5);
    pen.lineTo(width - this.inset, base + 0.5);
    pen.stroke();
    for (const track of [pair.expected, pair.actual]) if (!track.exact) this.keyframes(pen, track, pair, width, base);
    if (pair.firstTick !== null) this.upright(pen, this.x(pair.firstTick, pair, width), palette.highlight, height);
    pen.strokeStyle = colors().groups[0];
    pen.lineWidth = 1.8;
    pen.lineJoin = "round";
    pen.beginPath();
    let drawing = false;
    for (const [at, far] of pair.deviation) {
      if (far === null) { drawing = false; continue; }
      const place = [this.x(at, pair, width), y(far)];
      if (drawing) pen.lineTo(...place); else pen.moveTo(...place);
      drawing = true;
    }
    pen.stroke();
    this.upright(pen, this.x(tick, pair, width), palette.ink, height);
    pen.font = "11px system-ui, sans-serif";
    const scale = byPowers ? ` (log scale, from ${short(least)})` : "";
    const label = most > 0 ? `runs differ by up to ${short(most)} units${scale}` : "no difference";
    const start = this.inset + 6;
    pen.globalAlpha = 0.85;
    pen.fillStyle = palette.ground;
    pen.fillRect(start - 3, 1, pen.measureText(label).width + 6, 15);
    pen.globalAlpha = 1;
    pen.fillStyle = palette.ink;
    pen.fillText(label, start, 12);
  },

  upright(pen, x, color, height) {
    pen.strokeStyle = color;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(x, 0);
    pen.lineTo(x, height);
    pen.stroke();
  },

  keyframes(pen, track, pair, width, base) {
    pen.fillStyle = colors().ghost;
    for (const frame of track.frames) pen.fillRect(this.x(frame.tick, pair, width) - 0.5, base, 1, 6);
  },
};

const short = (number) => String(Number(number.toPrecision(3)));
