// Draws the agents of a world with WebGL, without any library: the positions and headings go to the graphics card as they are.

import "../flockwork.js";

const VERTEX = `#version 300 es
in vec2 corner;
in vec2 position;
in vec2 heading;
in float group;
uniform vec4 space; // the rectangle of the world: its lower corner, and its size
uniform float aspect;
out vec3 color;
void main() {
  vec2 turned = vec2(corner.x * heading.x - corner.y * heading.y, corner.x * heading.y + corner.y * heading.x);
  vec2 at = (position + turned * (group > 0.5 ? 2.0 : 1.0) - space.xy) / space.zw * 2.0 - 1.0;
  gl_Position = vec4(at.x, at.y * aspect, 0, 1);
  color = group > 0.5 ? vec3(1.0, 0.62, 0.2) : vec3(0.45, 0.75, 1.0);
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
in vec3 color;
out vec4 pixel;
void main() { pixel = vec4(color, 1); }`;

/** Half of the length of an agent, in world units. */
const LENGTH = 6;

const world = document.querySelector("flockwork-world");
const canvas = document.querySelector("#own");
const said = document.querySelector("#said");
const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
const program = linked();

function linked() {
  const whole = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
      throw new Error(gl.getShaderInfoLog(shader));
    }
    gl.attachShader(whole, shader);
  }
  gl.linkProgram(whole);
  gl.useProgram(whole);
  return whole;
}

/** A column of numbers on the graphics card: `size` of them for each agent, or for each corner of the triangle. */
function column(name, size, perAgent) {
  const buffer = gl.createBuffer();
  const place = gl.getAttribLocation(program, name);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.enableVertexAttribArray(place);
  gl.vertexAttribPointer(place, size, gl.FLOAT, false, 0, 0);
  gl.vertexAttribDivisor(place, perAgent ? 1 : 0);
  return (values) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
  };
}

column("corner", 2, false)(new Float32Array([LENGTH, 0, -LENGTH, LENGTH / 2, -LENGTH, -LENGTH / 2]));
const setPositions = column("position", 2, true);
const setHeadings = column("heading", 2, true);
const setGroups = column("group", 1, true);

function draw({ tick, agents }) {
  setPositions(agents.positions);
  setHeadings(agents.headings);
  setGroups(Float32Array.from(agents.groupOf));
  gl.clearColor(0.06, 0.08, 0.11, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.drawArraysInstanced(gl.TRIANGLES, 0, 3, agents.ids.length);
  said.textContent = `${agents.ids.length} agents at tick ${tick}`;
}

world.addEventListener("ready", async () => {
  const { min, max } = (await world.facts()).space;
  const [width, height] = [max[0] - min[0], max[1] - min[1]];
  gl.uniform4f(gl.getUniformLocation(program, "space"), min[0], min[1], width, height);
  gl.uniform1f(gl.getUniformLocation(program, "aspect"), (height / width) * (canvas.width / canvas.height));
  await world.watch("agents");
});
world.addEventListener("tick", ({ detail: state }) => state.agents && draw(state));
document.querySelector("#play").addEventListener("click", () => (world.state?.playing ? world.pause() : world.play()));
document.querySelector("#fear").addEventListener("input", (event) => world.set("bird.fear_radius", event.target.value));
