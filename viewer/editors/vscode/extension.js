// Starts `flockwork lsp`, and offers the program's commands as tasks. Everything else is in package.json, or the server knows it.

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

/** @type {LanguageClient | undefined} */
let client;

/** Returns the program that the user has set. */
function program() {
    return vscode.workspace.getConfiguration('flockwork').get('path', 'flockwork');
}

/** Commands that are offered as tasks, with the group that the editor shows them in. */
const TASKS = [
    { command: 'check', group: vscode.TaskGroup.Build },
    { command: 'test', group: vscode.TaskGroup.Test },
];

/**
 * Returns the task that runs a command of the program.
 *
 * @param {{ type: string, command: string, args?: string[] }} definition
 * @param {vscode.WorkspaceFolder | vscode.TaskScope} scope
 */
function task(definition, scope) {
    const { command, args = [] } = definition;
    const run = new vscode.ShellExecution(program(), [command, ...args]);
    const name = [command, ...args].join(' ');
    // Without a problem matcher: its findings stay, at lines that have moved, until the task runs again. The server's do not.
    const made = new vscode.Task(definition, scope, name, 'flockwork', run, []);
    made.group = TASKS.find((known) => known.command === command)?.group;
    return made;
}

/** @type {vscode.TaskProvider} */
const tasks = {
    provideTasks: () =>
        (vscode.workspace.workspaceFolders ?? []).flatMap((folder) =>
            TASKS.map(({ command }) => task({ type: 'flockwork', command }, folder)),
        ),
    resolveTask: ({ definition, scope }) =>
        task(
            /** @type {{ type: string, command: string }} */ (definition),
            scope ?? vscode.TaskScope.Workspace,
        ),
};

async function start() {
    client = new LanguageClient(
        'flockwork',
        'Flockwork',
        { command: program(), args: ['lsp'] },
        { documentSelector: [{ scheme: 'file', language: 'ron' }, { scheme: 'file', language: 'rhai' }] },
    );
    try {
        await client.start();
    } catch (error) {
        vscode.window.showErrorMessage(
            `Cannot start \`${program()} lsp\`: ${error}. Install Flockwork, or set \`flockwork.path\`.`,
        );
    }
}

async function stop() {
    const old = client;
    client = undefined;
    if (old?.isRunning()) {
        await old.stop();
    }
}

async function restart() {
    await stop();
    await start();
}

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
    context.subscriptions.push(
        vscode.tasks.registerTaskProvider('flockwork', tasks),
        vscode.commands.registerCommand('flockwork.restart', restart),
        vscode.workspace.onDidChangeConfiguration((change) => {
            if (change.affectsConfiguration('flockwork.path')) {
                restart();
            }
        }),
    );
    await start();
}

module.exports = { activate, deactivate: stop };
