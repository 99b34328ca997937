// Starts `flockwork lsp`, and offers the program's commands as tasks. Tests, worlds, the debugger and the first walk are in files of their own;
// everything else is in package.json, or the server knows it.

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { addDebugger } = require('./debugging');
const { addExplanations, explain } = require('./explain');
const { flockwork, program } = require('./program');
const { addTests } = require('./explorer');
const { addLenses, uncovered, withTooltips } = require('./lenses');
const { done } = require('./steps');
const { addWalk } = require('./walk');
const { addWorlds, columnsOfEditor, goTo, keepVersions, scenarioFor } = require('./world');

/** @type {LanguageClient | undefined} */
let client;

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

/** Shows what a call takes. */
const ARGUMENTS = { command: 'editor.action.triggerParameterHints', title: 'Show the arguments' };

/** Shows what can be written. */
const COMPLETIONS = { command: 'editor.action.triggerSuggest', title: 'Show what can be written' };

/**
 * Returns what is shown where a completion leaves the cursor: between the parentheses of a call, or where the server knows what can be written.
 *
 * @param {vscode.CompletionItem} item
 */
function shownNext({ insertText, command }) {
    const text = typeof insertText === 'object' ? insertText.value : '';
    if (/^[^$]*\$1/.test(text)) {
        return COMPLETIONS;
    }
    return /\(\$/.test(text) ? ARGUMENTS : command;
}

/** What the status bar says of a file that is not formatted. @type {{ document: vscode.TextDocument, message: vscode.Disposable } | undefined} */
let unformatted;

/** Time for which the status bar says why a file is not formatted, in milliseconds. */
const UNFORMATTED_MS = 8000;

/**
 * Says in the status bar why formatting does not change a file: files may be formatted whenever they are saved, so nothing has to be closed.
 *
 * @template T
 * @param {vscode.TextDocument} document
 * @param {T} edits Nothing, if the file cannot be formatted.
 */
async function sayUnformatted(document, edits) {
    forgetUnformatted();
    if (edits === null || edits === undefined) {
        const why = await ask('flockwork/whyUnformatted', document.uri).catch(() => null);
        const shown = vscode.window.activeTextEditor?.document ?? document;
        // All files may be saved at once.
        if (why !== null && shown === document) {
            unformatted = { document, message: vscode.window.setStatusBarMessage(`$(warning) ${why}`, UNFORMATTED_MS) };
        }
    }
    return edits;
}

/** Removes what the status bar says of a file that is not formatted. */
function forgetUnformatted() {
    unformatted?.message.dispose();
    unformatted = undefined;
}

/**
 * Shows what the lines that ran have computed, as the debugger knows it. The line at which it stands has the values of its variables; the server
 * knows which these are.
 *
 * @param {vscode.TextDocument} document
 * @param {vscode.InlineValueContext} context
 * @param {vscode.InlineValue[] | null | undefined} variables
 */
async function behindLines(document, { frameId, stoppedLocation }, variables) {
    const asked = { path: document.uri.fsPath, frameId, columns: columnsOfEditor() };
    /** @type {{ line: number, code?: string, text: string }[]} */
    const known = (await vscode.debug.activeDebugSession?.customRequest('flockworkLineValues', asked))?.lines ?? [];
    // A line that was edited has not run.
    const lines = known.filter(({ line, code }) => code === undefined || (line <= document.lineCount && document.lineAt(line - 1).text === code));
    const texts = lines.map(({ line, text }) => new vscode.InlineValueText(document.lineAt(line - 1).range, text));
    const stands = stoppedLocation.start.line;
    const isTold = lines.some(({ line }) => line - 1 === stands);
    const here = (variables ?? []).filter(({ range }) => range.start.line === stands && !isTold);
    const lineOf = (/** @type {vscode.InlineValueText} */ { range, text }) => /** @type {[number, string]} */ ([range.start.line, text]);
    const shown = tests === undefined ? texts : uncovered(tests, document.uri.fsPath, texts, lineOf);
    return [...shown, ...here];
}

/** Asks the server something about a file. @param {string} method @param {vscode.Uri} uri @param {object} [more] @returns {Promise<any>} */
async function ask(method, uri, more) {
    if (client === undefined || !client.isRunning()) {
        throw new Error('the language server does not run');
    }
    return client.sendRequest(method, { textDocument: { uri: client.code2ProtocolConverter.asUri(uri) }, ...more });
}

/**
 * Explains an agent of the first of the files, which is a scenario, whose behavior is the second one.
 *
 * @param {string[]} files The URIs of both.
 */
async function explainAgent([scenario, script]) {
    const agentsOf = () => ask('flockwork/agents', vscode.Uri.parse(scenario), script === undefined ? {} : { script: { uri: script } });
    await explain(vscode.Uri.parse(scenario).fsPath, agentsOf);
}

/** Explains an agent of the shown file, or of a scenario that the user chooses. */
async function explainShown() {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const scenario = await scenarioFor(uri);
    if (scenario !== undefined) {
        await explainAgent([String(vscode.Uri.file(scenario)), ...(uri?.fsPath.endsWith('.rhai') ? [String(uri)] : [])]);
    }
}

/** Returns the paths of the scenarios that use a file. @param {vscode.Uri} uri @returns {Promise<string[]>} */
async function scenariosUsing(uri) {
    const uris = await ask('flockwork/scenariosWith', uri);
    return uris.map((/** @type {string} */ one) => vscode.Uri.parse(one).fsPath);
}

/** What the selected agents of worlds compute, by the folders of their projects. @type {Map<string, object[]>} */
const worldValues = new Map();

/** Tells the server what the selected agents of worlds compute. @param {string} project @param {object[]} values */
function tellValues(project, values) {
    worldValues.set(project, values);
    // The debugger shows values of its own.
    const isDebugging = vscode.debug.activeDebugSession?.type === 'flockwork';
    void client?.sendNotification('flockwork/values', { project, values: isDebugging ? [] : values });
}

function tellAllValues() {
    worldValues.forEach((values, project) => tellValues(project, values));
}

/** The tests of all projects. @type {ReturnType<typeof addTests> | undefined} */
let tests;

/** Starts the server and finds the tests. If that fails, one message says why and leads to the setting. */
async function start() {
    try {
        const { status, stderr } = await flockwork(undefined, ['--version']);
        if (status !== 0) {
            throw new Error(stderr.trim() || `it ended with exit code ${status}`);
        }
        client = new LanguageClient(
            'flockwork',
            'Flockwork',
            { command: program(), args: ['lsp'] },
            {
                documentSelector: [{ scheme: 'file', language: 'ron' }, { scheme: 'file', language: 'rhai' }],
                middleware: {
                    provideCompletionItem: async (document, position, context, token, next) => {
                        const list = await next(document, position, context, token);
                        const items = Array.isArray(list) ? list : (list?.items ?? []);
                        items.forEach((item) => (item.command = shownNext(item)));
                        return list;
                    },
                    // Only the parameters, so that it has room above the first lines: below, the list of completions would cover it.
                    provideSignatureHelp: async (document, position, context, token, next) => {
                        const help = await next(document, position, context, token);
                        help?.signatures.forEach((signature) => (signature.documentation = undefined));
                        return help;
                    },
                    provideDocumentFormattingEdits: async (document, options, token, next) => sayUnformatted(document, await next(document, options, token)),
                    provideDocumentRangeFormattingEdits: async (document, range, options, token, next) =>
                        sayUnformatted(document, await next(document, range, options, token)),
                    provideInlayHints: async (document, viewPort, token, next) => {
                        const hints = (await next(document, viewPort, token)) ?? [];
                        const lineOf = (/** @type {vscode.InlayHint} */ { position, label }) => /** @type {[number, string]} */ ([position.line, String(label).trim()]);
                        // The debugger shows values of its own.
                        const isDebugging = vscode.debug.activeDebugSession?.type === 'flockwork';
                        return tests === undefined || isDebugging ? hints : uncovered(tests, document.uri.fsPath, hints, lineOf);
                    },
                    provideInlineValues: async (document, viewPort, context, token, next) => {
                        const variables = await next(document, viewPort, context, token);
                        return behindLines(document, context, variables).catch(() => variables);
                    },
                    // With one use, the editor asks for the uses without the definition, and goes there: that looks as if nothing happened.
                    provideReferences: (document, position, options, token, next) => next(document, position, { ...options, includeDeclaration: true }, token),
                    provideCodeLenses: async (document, token, next) => withTooltips(await next(document, token)),
                    executeCommand: (command, args, next) => {
                        // So that the lens and the test explorer say the same.
                        if (command === 'flockwork.test' && tests !== undefined) {
                            return tests.runFiles(args);
                        }
                        return command === 'flockwork.explain' ? explainAgent(args) : next(command, args);
                    },
                },
            },
        );
        await Promise.all([client.start(), tests?.find()]);
    } catch (error) {
        const why = error instanceof Error ? error.message : error;
        const settings = 'Open the settings';
        // Not awaited: the message stays until it is answered.
        vscode.window
            .showErrorMessage(`Cannot start \`${program()}\`: ${why}. Install Flockwork, or set \`flockwork.path\`.`, settings)
            .then((answer) => answer === settings && vscode.commands.executeCommand('workbench.action.openSettings', 'flockwork.path'));
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
    tests = addTests(context, scenariosUsing);
    addLenses(context, tests);
    addWorlds(context, tellValues);
    addDebugger(context);
    addExplanations(context);
    const offerWalk = addWalk(context, () => client?.isRunning() === true);
    context.subscriptions.push(
        vscode.tasks.registerTaskProvider('flockwork', tasks),
        vscode.window.onDidChangeActiveTextEditor((shown) => {
            // Without an editor, a panel has the focus.
            if (shown !== undefined && shown.document !== unformatted?.document) {
                forgetUnformatted();
            }
        }),
        // The mistake may be corrected.
        vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
            if (document === unformatted?.document && contentChanges.length > 0) {
                forgetUnformatted();
            }
        }),
        vscode.debug.onDidStartDebugSession(tellAllValues),
        vscode.debug.onDidTerminateDebugSession(({ type, configuration }) => {
            tellAllValues();
            if (type === 'flockwork') {
                goTo(configuration.scenario, undefined);
            }
        }),
        vscode.debug.onDidReceiveDebugSessionCustomEvent(({ event, session, body }) => {
            if (event === 'flockworkTurn') {
                done('debugged');
                goTo(session.configuration.scenario, body);
            } else if (event === 'flockworkVersions') {
                keepVersions(session.configuration.scenario, body.versions);
            }
        }),
        vscode.debug.onDidChangeBreakpoints(({ added, changed }) => {
            if ([...added, ...changed].some(({ condition }) => condition !== undefined)) {
                done('condition');
            }
        }),
        vscode.commands.registerCommand('flockwork.restart', restart),
        vscode.commands.registerCommand('flockwork.explainAgent', explainShown),
        vscode.workspace.onDidChangeConfiguration((change) => {
            if (change.affectsConfiguration('flockwork.path')) {
                restart();
            }
        }),
    );
    await start();
    // Not awaited: the message stays until it is answered.
    void offerWalk();
}

module.exports = { activate, deactivate: stop };
