// What several tests need: the program, the files of the repository, and temporary projects.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const TOP = path.resolve(__dirname, '../../../..');
const EXTENSION = path.resolve(__dirname, '..');

/** The program that is tested. */
const PROGRAM = path.resolve(process.env.FLOCKWORK ?? path.join(TOP, 'target/debug/flockwork'));

/** Reads a JSON file of the extension. @param {string} name */
function json(name) {
    return JSON.parse(fs.readFileSync(path.join(EXTENSION, name), 'utf8'));
}

/** Returns all scenarios or scripts that ship. @param {string} extension */
function shipped(extension) {
    return ['scenarios', 'scripts'].flatMap((folder) =>
        fs
            .readdirSync(path.join(TOP, folder), { recursive: true, encoding: 'utf8' })
            .filter((name) => name.endsWith(extension))
            .map((name) => path.join(TOP, folder, name)),
    );
}

/** Folders to delete at the end. @type {string[]} */
const made = [];
process.on('exit', () => made.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

/** Makes a temporary folder with files. @param {Record<string, string>} files */
function project(files) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'flockwork-'));
    made.push(folder);
    for (const [name, text] of Object.entries(files)) {
        fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        fs.writeFileSync(path.join(folder, name), text);
    }
    return folder;
}

/** Runs the program in a folder, and returns what it writes. @param {string} folder @param {string[]} args */
function flockwork(folder, ...args) {
    const { error, status, stdout, stderr } = spawnSync(PROGRAM, args, { cwd: folder, encoding: 'utf8' });
    if (error) {
        throw error;
    }
    return { status, output: stdout + stderr };
}

module.exports = { EXTENSION, PROGRAM, TOP, flockwork, json, project, shipped };
