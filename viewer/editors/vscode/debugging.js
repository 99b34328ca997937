// The debugger `flockwork debug`: what it debugs, why it cannot start, and what is wrong with breakpoints.

const path = require('node:path');
const vscode = require('vscode');
const { tellError } = require('./places');
const { flockwork, program, projects, scenariosOf, scenariosWith } = require('./program');
const { selectedTurn } = require('./world');

/**
 * Returns why the debugger refuses to launch a configuration: it is asked for that, and ends.
 *
 * @param {string | undefined} folder
 * @param {vscode.DebugConfiguration} configuration
 * @returns {Promise<string | undefined>}
 */
async function whyNotStarted(folder, configuration) {
    const requests = [{ command: 'initialize' }, { command: 'launch', arguments: configuration }, { command: 'disconnect' }];
    const framed = requests.map((request, index) => {
        const text = JSON.stringify({ seq: index + 1, type: 'request', ...request });
        return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    });
    // A missing program is told by the editor when it starts the debugger.
    const { stdout } = await flockwork(folder, ['debug'], { input: framed.join('') }).catch(() => ({ stdout: '' }));
    const answers = stdout.split(/Content-Length: \d+\r\n\r\n/).filter((text) => text !== '');
    const launched = answers.map((text) => JSON.parse(text)).find(({ type, command }) => type === 'response' && command === 'launch');
    return launched?.success === false ? launched.message : undefined;
}

/**
 * Returns the configuration that debugs a scenario, which has the name of the scenario unless it has one.
 *
 * @param {string} scenario
 * @param {Partial<vscode.DebugConfiguration>} configuration
 * @returns {vscode.DebugConfiguration}
 */
function launch(scenario, configuration = {}) {
    return { ...configuration, type: 'flockwork', request: 'launch', name: configuration.name ?? path.basename(scenario, '.ron'), scenario };
}

/** Offers each scenario where the user chooses what to debug. @type {vscode.DebugConfigurationProvider} */
const offers = {
    async provideDebugConfigurations() {
        const all = (await projects()).map(async (project) => (await scenariosOf(project)).map((scenario) => path.join(project, scenario)));
        return (await Promise.all(all)).flat().map((scenario) => launch(scenario));
    },
};

/** @type {vscode.DebugConfigurationProvider} */
const configurations = {
    // Without a configuration: the scenario that is shown.
    async resolveDebugConfiguration(_, configuration) {
        if (configuration.scenario) {
            return configuration;
        }
        const shown = vscode.window.activeTextEditor?.document.uri.fsPath ?? '';
        if (/\.ron$/.test(shown) && !/\.plan\.ron$/.test(shown)) {
            return launch(shown, configuration);
        }
        const found = await scenariosWith(shown);
        const scenario = found.length > 1 ? await vscode.window.showQuickPick(found, { title: 'Which scenario?' }) : found[0];
        if (scenario !== undefined) {
            return launch(scenario, configuration);
        }
        if (found.length > 1) {
            return undefined;
        }
        await vscode.window.showErrorMessage('Open the scenario to debug, or name it in `.vscode/launch.json`: "scenario": "${workspaceFolder}/scenarios/hello.ron".');
        return undefined;
    },

    // A debugger that cannot start would offer a button for `launch.json`, also if the mistake is in a script.
    async resolveDebugConfigurationWithSubstitutedVariables(folder, configuration) {
        const why = await whyNotStarted(folder?.uri.fsPath, configuration);
        if (why === undefined) {
            return configuration;
        }
        const [, file, line, column, message = why] = /^(.+?):(\d+):(\d+): (.*)$/s.exec(why) ?? [];
        tellError('The debugger cannot start', { message, file, line: Number(line), column: Number(column) }, folder?.uri.fsPath ?? '');
        return undefined;
    },
};

/** @type {vscode.DebugAdapterDescriptorFactory} */
const debuggers = {
    createDebugAdapterDescriptor: ({ workspaceFolder }) =>
        new vscode.DebugAdapterExecutable(program(), ['debug'], { cwd: workspaceFolder?.uri.fsPath }),
};

/** What the debugger writes of a breakpoint that does nothing or is missing, or of a condition that is wrong at its line. Its first part is the same each time. */
const WRONG_BREAKPOINT = /^(no breakpoint is set|the breakpoint in line \d+ does nothing: .*|the condition `.*?` (?:cannot be computed|is )).*/s;

/** Shows what is wrong with breakpoints, once each: the console, where it is told, may be closed. @type {vscode.DebugAdapterTrackerFactory} */
const trackers = {
    createDebugAdapterTracker() {
        /** @type {Set<string>} */
        const shown = new Set();
        return {
            onDidSendMessage({ event, body }) {
                const written = event === 'output' && body.category === 'console' ? body.output.trim() : '';
                const subject = WRONG_BREAKPOINT.exec(written)?.[1];
                if (subject !== undefined && !shown.has(subject)) {
                    shown.add(subject);
                    // The editor shows only the beginning.
                    const [, what, why = written] = /^(.*?): (.*)$/s.exec(written) ?? [];
                    const words = `${why.charAt(0).toUpperCase()}${why.slice(1)}${what === undefined ? '' : ` (${what})`}`;
                    // To have no breakpoint is no mistake.
                    void (subject.startsWith('no breakpoint') ? vscode.window.showInformationMessage(words) : vscode.window.showErrorMessage(words));
                }
            },
        };
    },
};

/** Debugs the agent that is selected in the world that the user looked at last, at the tick that it shows. */
async function debugSelected() {
    const turn = selectedTurn();
    if (turn === undefined) {
        await vscode.window.showInformationMessage('Show the world of a scenario (the globe), and click an agent in it.');
        return;
    }
    const { scenario, tick, agent } = turn;
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(scenario));
    await vscode.debug.startDebugging(folder, launch(scenario, { firstAgent: agent, tick, stopOnEntry: true }));
}

/** Where the cursor was when a file was saved while the debugger stood. @type {{ editor: vscode.TextEditor, selections: readonly vscode.Selection[], until: number } | undefined} */
let saved;

/** How long after that the editor may move it, in milliseconds. */
const AFTER_SAVE_MS = 3000;

/** Notes where the cursor is when a file is saved. @param {vscode.TextDocument} document */
function noteCursor(document) {
    const editor = vscode.window.activeTextEditor;
    const stands = vscode.debug.activeDebugSession?.type === 'flockwork' && editor?.document === document;
    saved = stands ? { editor, selections: editor.selections, until: Date.now() + AFTER_SAVE_MS } : undefined;
}

/** Puts the cursor back that the editor has moved to the line at which the debugger stands with the saved file. @param {vscode.TextEditorSelectionChangeEvent} moved */
function keepCursor({ textEditor, kind }) {
    if (saved?.editor !== textEditor) {
        return;
    }
    const { selections, until } = saved;
    saved = undefined;
    const byUser = kind === vscode.TextEditorSelectionChangeKind.Keyboard || kind === vscode.TextEditorSelectionChangeKind.Mouse;
    if (!byUser && Date.now() < until) {
        textEditor.selections = selections;
    }
}

/** Adds the debugger. @param {vscode.ExtensionContext} context */
function addDebugger(context) {
    context.subscriptions.push(
        vscode.debug.registerDebugConfigurationProvider('flockwork', configurations),
        vscode.debug.registerDebugConfigurationProvider('flockwork', offers, vscode.DebugConfigurationProviderTriggerKind.Dynamic),
        vscode.debug.registerDebugAdapterDescriptorFactory('flockwork', debuggers),
        vscode.debug.registerDebugAdapterTrackerFactory('flockwork', trackers),
        vscode.commands.registerCommand('flockwork.debugAgent', debugSelected),
        vscode.workspace.onDidSaveTextDocument(noteCursor),
        vscode.window.onDidChangeTextEditorSelection(keepCursor),
    );
}

module.exports = { addDebugger };
