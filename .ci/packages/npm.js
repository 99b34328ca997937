#!/usr/bin/env node
// Starts the program for this system, which is in one of the optional packages.
"use strict";
const { spawnSync } = require("node:child_process");

const isGlibc = () => Boolean(process.report?.getReport().header.glibcVersionRuntime);
const libc = process.platform === "linux" && process.arch === "x64" ? (isGlibc() ? "-gnu" : "-musl") : "";
const name = `@flockwork/${process.platform}-${process.arch}${libc}`;
const file = process.platform === "win32" ? "flockwork.exe" : "flockwork";

let program;
try {
  program = require.resolve(`${name}/${file}`);
} catch {
  console.error(`error: the package ${name} with the program is not installed`);
  console.error("help: install flockwork without --omit=optional; if there is no such package, build the program from source");
  process.exit(2);
}
const { error, signal, status } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) throw error;
if (signal) process.kill(process.pid, signal);
else process.exit(status);
