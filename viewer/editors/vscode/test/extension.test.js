// The extension starts the real server, with a stand-in for the editor.

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { EventEmitter, once } = require('node:events');
const Module = require('node:module');
const test = require('node:test');
const { PROGRAM, json, project } = require('./support');

/** @type {any[]} */
const shown = [];
/** @type {any} */
let provider;
/** What the extension has registered for debugging. @type {any} */
const debuggers = {};
let path = PROGRAM;
const findings = new EventEmitter();

const disposable = { dispose() {} };
const event = () => disposable;

/** What the stand-in has where nothing better is given. */
class Anything {
    dispose() {}
}

/** Returns a value that has everything: any member of it is a class, and a call of one gives nothing. @param {object} known */
function anything(known) {
    return new Proxy(known, {
        get(target, name) {
            if (name in target || typeof name === 'symbol' || name === 'then') {
                return Reflect.get(target, name);
            }
            return /^on[A-Z]|^register|^create/.test(name) ? () => anything({ dispose() {}, append() {}, appendLine() {} }) : Anything;
        },
    });
}

const folder = project({ 'scenarios/a.ron': '()', 'scripts/a.rhai': 'fn steer(me) { me.wander() }' });

class Task {
    /** @param {any[]} args */
    constructor(...args) {
        this.execution = args[4];
        this.problemMatchers = args[5];
    }
}

class ShellExecution {
    /** @param {string} command @param {string[]} args */
    constructor(command, args) {
        this.command = command;
        this.args = args;
    }
}

/** A kind of code actions, and all kinds of that kind. */
const kind = { append: () => kind };

const vscode = anything({
    version: '1.82.0',
    env: { language: 'en', appName: 'test' },
    CodeActionKind: { Empty: kind, QuickFix: kind },
    Uri: { file: String, parse: String },
    TaskGroup: { Build: 'build', Test: 'test' },
    TaskScope: { Workspace: 2 },
    Task,
    ShellExecution,
    CancellationTokenSource: class {
        token = { isCancellationRequested: false, onCancellationRequested: event };
        dispose() {}
    },
    Diagnostic: class {
        /** @param {any} _ @param {string} message */
        constructor(_, message) {
            this.message = message;
        }
    },
    EventEmitter: class {
        event = event;
        fire() {}
        dispose() {}
    },
    tasks: { registerTaskProvider: (/** @type {string} */ _, /** @type {any} */ given) => ((provider = given), disposable) },
    DebugAdapterExecutable: class {
        /** @param {any[]} args */
        constructor(...args) {
            this.args = args;
        }
    },
    debug: {
        registerDebugConfigurationProvider: (/** @type {string} */ type, /** @type {any} */ given) => ((debuggers.type = type), (debuggers.configurations = given), disposable),
        registerDebugAdapterDescriptorFactory: (/** @type {string} */ _, /** @type {any} */ given) => ((debuggers.factory = given), disposable),
    },
    commands: anything({ getCommands: async () => [], executeCommand: async () => {} }),
    languages: anything({
        match: () => 0,
        createDiagnosticCollection: () =>
            anything({
                dispose() {},
                clear() {},
                delete() {},
                set: (/** @type {any} */ _, /** @type {any[]} */ all) => all.forEach(({ message }) => findings.emit('finding', message)),
            }),
    }),
    window: anything({
        showErrorMessage: async (/** @type {string} */ message) => void shown.push(message),
        visibleTextEditors: [],
        tabGroups: anything({ all: [] }),
        activeTextEditor: undefined,
    }),
    workspace: anything({
        workspaceFolders: [{ uri: { scheme: 'file', fsPath: folder, toString: () => `file://${folder}` }, name: 'a', index: 0 }],
        textDocuments: [],
        notebookDocuments: [],
        getConfiguration: () => ({ get: (/** @type {string} */ name, /** @type {any} */ otherwise) => (name === 'path' ? path : otherwise) }),
    }),
});

// The editor gives extensions this module; there is no package of it.
const load = /** @type {any} */ (Module)._load;
/** @type {any} */ (Module)._load = (/** @type {string} */ name, /** @type {any[]} */ ...rest) =>
    name === 'vscode' ? vscode : load(name, ...rest);

const { LanguageClient, State } = require('vscode-languageclient/node');
const extension = require('../extension');

test('the server starts and stops, and tasks run the program', async () => {
    /** @type {any[]} */
    const clients = [];
    const start = LanguageClient.prototype.start;
    LanguageClient.prototype.start = function () {
        clients.push(this);
        return start.call(this);
    };
    await extension.activate(/** @type {any} */ ({ subscriptions: [] }));
    assert.deepEqual(shown, []);
    const [client] = clients;
    assert.equal(client.state, State.Running);
    assert.equal(client.initializeResult.serverInfo.name, 'flockwork');
    assert(client.initializeResult.capabilities.documentFormattingProvider);
    const uri = `file://${folder}/scripts/a.rhai`;
    const text = 'fn steer(me) {\n  me.wandr()\n}\n';
    const finding = once(findings, 'finding');
    await client.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'rhai', version: 1, text } });
    const edits = await client.sendRequest('textDocument/formatting', { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } });
    const place = { line: 1, character: 2 };
    assert.deepEqual(edits, [{ range: { start: place, end: place }, newText: '  ' }]);
    assert.match((await finding)[0], /wandr/);
    const tasks = provider.provideTasks();
    assert.deepEqual(tasks.map((/** @type {any} */ task) => [task.execution.command, ...task.execution.args].join(' ')), [
        `${PROGRAM} check`,
        `${PROGRAM} test`,
    ]);
    // Caught: findings of tasks stayed beside those of the server, at lines that had moved since.
    assert(tasks.every((/** @type {any} */ task) => task.problemMatchers.length === 0));
    const own = provider.resolveTask({ definition: { type: 'flockwork', command: 'test', args: ['a.ron'] } });
    assert.deepEqual(own.execution.args, ['test', 'a.ron']);
    await extension.deactivate();
    assert.equal(client.state, State.Stopped);
});

test('a scenario that is shown is debugged, and the debugger answers', async () => {
    const { type, configurations, factory } = debuggers;
    assert.equal(type, json('package.json').contributes.debuggers[0].type);
    const written = { type, request: 'launch', name: 'mine', scenario: 'a.ron' };
    assert.deepEqual(await configurations.resolveDebugConfiguration(undefined, written), written);
    assert.equal(await configurations.resolveDebugConfiguration(undefined, {}), undefined);
    assert.match(shown.pop(), /Open the scenario to debug/);
    /** @type {any} */ (vscode).window.activeTextEditor = { document: { uri: { fsPath: `${folder}/scenarios/a.ron` } } };
    const made = await configurations.resolveDebugConfiguration(undefined, {});
    assert.deepEqual(made, { type, request: 'launch', name: 'Debug', scenario: `${folder}/scenarios/a.ron` });
    const [command, args, options] = factory.createDebugAdapterDescriptor({ workspaceFolder: { uri: { fsPath: folder } } }).args;
    const text = JSON.stringify({ seq: 1, type: 'request', command: 'initialize' });
    const input = `Content-Length: ${text.length}\r\n\r\n${text}`;
    const { stdout, status } = spawnSync(command, args, { ...options, input, encoding: 'utf8' });
    assert.equal(status, 0);
    assert.match(stdout, /"supportsStepBack":true/);
});

test('a missing program is named, with what to do', async () => {
    path = '/no/flockwork';
    await extension.activate(/** @type {any} */ ({ subscriptions: [] }));
    assert.match(shown.at(-1), /Cannot start `\/no\/flockwork lsp`.*set `flockwork\.path`/s);
});
