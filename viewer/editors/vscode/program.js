// The program `flockwork`: where it is, and how it is run.

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

/** Returns the program that the user has set. */
function program() {
    return vscode.workspace.getConfiguration('flockwork').get('path', 'flockwork');
}

/**
 * Runs the program in a folder. `input` is its standard input; `onLine` gets each line of the standard output as it comes.
 *
 * @param {string | undefined} folder
 * @param {string[]} args
 * @param {{ token?: vscode.CancellationToken, input?: string, onLine?: (line: string) => void }} [options]
 * @returns {Promise<{ status: number | null, stdout: string, stderr: string }>} The status is null if it was stopped.
 */
function flockwork(folder, args, { token, input, onLine } = {}) {
    return new Promise((resolve, reject) => {
        const process = spawn(program(), args, { cwd: folder, stdio: 'pipe' });
        // A program that ends before it has read all says why by itself.
        process.stdin.on('error', () => undefined).end(input);
        const stopped = token?.onCancellationRequested(() => process.kill());
        let [stdout, stderr, rest] = ['', '', ''];
        process.stdout.setEncoding('utf8').on('data', (text) => {
            stdout += text;
            const lines = (rest + text).split('\n');
            rest = lines.pop() ?? '';
            lines.forEach((line) => onLine?.(line));
        });
        process.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
        process.on('error', reject);
        process.on('close', (status) => {
            stopped?.dispose();
            resolve({ status, stdout, stderr });
        });
    });
}

/** Returns the folder of the project that a file belongs to: the one with the folder `scenarios` or `scripts`. @param {string} file */
function projectOf(file) {
    for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
        if (['scenarios', 'scripts'].includes(path.basename(folder))) {
            return path.dirname(folder);
        }
        if (folder === path.dirname(folder)) {
            return undefined;
        }
    }
}

/** Returns the paths of all scenarios of a project, as seen from its folder. @param {string} folder */
async function scenariosOf(folder) {
    const { stdout } = await flockwork(folder, ['test', '--list']);
    return stdout.split('\n').filter((line) => line !== '');
}

/** Returns the paths of the scenarios that have a script as the behavior of a group. @param {string} script */
async function scenariosWith(script) {
    const name = /(?:^|[\\/])scripts[\\/](.+)\.rhai$/.exec(script)?.[1]?.replaceAll('\\', '/');
    if (name === undefined) {
        return [];
    }
    const files = await vscode.workspace.findFiles('**/*.ron', '**/{target,node_modules}/**');
    const paths = files.map((file) => file.fsPath).filter((file) => !file.endsWith('.plan.ron'));
    return paths.filter((file) => fs.readFileSync(file, 'utf8').includes(`behavior: "${name}"`)).sort();
}

/** Returns the folders of all projects in the open folders. */
async function projects() {
    const found = await vscode.workspace.findFiles('**/scenarios/**/*.ron', '**/{node_modules,target,.git}/**');
    const folders = found.map((uri) => projectOf(uri.fsPath)).filter((folder) => folder !== undefined);
    return [...new Set(folders)].filter((folder) => fs.existsSync(folder)).sort();
}

module.exports = { flockwork, program, projectOf, projects, scenariosOf, scenariosWith };
