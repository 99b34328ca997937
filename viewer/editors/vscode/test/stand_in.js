// A stand-in for the editor: the module `vscode`, and what was done with it.

const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { PROGRAM } = require('./support');

/** What the editor has and what it was asked for. */
const editor = {
    /** The setting `flockwork.path`. */
    path: PROGRAM,
    /** The setting `flockwork.page`. */
    page: '',
    /** Errors that were shown, and what the user answers to messages and questions. @type {string[]} */
    shown: [],
    /** @type {any} */
    answer: undefined,
    /** Commands that were executed, with their arguments. @type {any[][]} */
    executed: [],
    /** Commands of the extension. @type {Record<string, any>} */
    commands: {},
    /** The provider of tasks. @type {any} */
    tasks: undefined,
    /** What was registered for debugging. @type {any} */
    debuggers: {},
    /** Sessions of the debugger that were started. @type {any[]} */
    debugged: [],
    /** The controller of tests. @type {any} */
    controller: undefined,
    /** The tests that were run. @type {string[]} */
    started: [],
    /** What runs of tests have told. @type {any[][]} */
    told: [],
    /** What runs of tests have written. @type {string[]} */
    output: [],
    /** Panels that were opened. @type {any[]} */
    panels: [],
    /** What fills panels when the window is loaded again. @type {any} */
    serializer: undefined,
    /** The listeners of documents that are saved. @type {any[]} */
    saves: [],
    /** The listener of files that change on the disk. @type {any} */
    changed: undefined,
    /** The tests whose results became outdated. @type {string[]} */
    outdated: [],
    /** Messages that are no errors. @type {string[]} */
    notified: [],
    /** The button of a message that the user presses. @type {string | undefined} */
    pressed: undefined,
    /** Messages that are in the status bar. @type {string[]} */
    status: [],
    /** What the status bar shows longer, by its name. @type {Record<string, any>} */
    statusItems: {},
    /** Providers of code lenses, with their files. @type {any[]} */
    lenses: [],
    /** The listener of selections. @type {any} */
    selected: undefined,
    /** The listeners of the editor that is shown. @type {any[]} */
    switches: [],
    /** The listeners of documents that are changed. @type {any[]} */
    edits: [],
    /** Providers of documents and of their links, by the scheme. @type {Record<string, any>} */
    virtual: {},
    /** What the user was asked: the titles of lists with their items, and of boxes. @type {any[][]} */
    asked: [],
    /** Files that were shown, with where. @type {any[][]} */
    opened: [],
    /** Documents that were opened, by their paths. @type {Record<string, any>} */
    documents: {},
    /** Opens a folder. @param {string} folder */
    open(folder) {
        vscode.workspace.workspaceFolders = [{ uri: uri(folder), name: 'a', index: 0 }];
    },
};

/** Returns the context of an extension, which keeps what it is told. @returns {any} */
function context() {
    /** @type {Map<string, unknown>} */
    const kept = new Map();
    return { subscriptions: [], globalState: { get: (/** @type {string} */ key) => kept.get(key), update: async (/** @type {string} */ key, /** @type {unknown} */ value) => void kept.set(key, value) } };
}

/** Emits `finding` with the message of each finding that is shown. */
const findings = new EventEmitter();

const disposable = { dispose() {} };
const event = () => disposable;

/** @param {string} file */
function uri(file) {
    const made = { scheme: 'file', fsPath: file, toString: () => `file://${file}` };
    return { ...made, with: (/** @type {any} */ parts) => ({ ...made, ...parts }) };
}

/** What the stand-in has where nothing better is given. */
class Anything {
    dispose() {}
}

/** Returns the document of an address whose scheme an extension provides. @param {any} of @returns {any} */
function virtualDocument(of) {
    const text = editor.virtual[of.scheme].contents.provideTextDocumentContent(of);
    return { uri: of, languageId: 'plaintext', getText: () => text, positionAt: (/** @type {number} */ count) => count };
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

/** Returns a class whose objects have the arguments of the constructor under these names. @param {string[]} names */
function record(...names) {
    return class {
        /** @param {any[]} args */
        constructor(...args) {
            names.forEach((name, i) => Reflect.set(this, name, args[i]));
        }
    };
}

/** A collection of tests. */
class Items extends Map {
    /** @param {any[]} items */
    replace(items) {
        this.clear();
        items.forEach((item) => this.add(item));
    }

    /** @param {any} item */
    add(item) {
        this.set(item.id, item);
    }
}

/** Returns the document of a file, whose positions are counts of characters. @param {string} file @returns {any} */
function textDocument(file) {
    let text = fs.readFileSync(file, 'utf8');
    const document = {
        uri: uri(file),
        isDirty: false,
        getText: () => text,
        positionAt: (/** @type {number} */ count) => count,
        replace(/** @type {any} */ { line: start, column: end }, /** @type {string} */ inserted) {
            text = text.slice(0, start) + inserted + text.slice(end);
            document.isDirty = true;
        },
        save: async () => (fs.writeFileSync(file, text), (document.isDirty = false), true),
    };
    return document;
}

/** A run of tests: it notes what it is told. */
function testRun() {
    const tell = (/** @type {string} */ how) => (/** @type {any} */ item, /** @type {any} */ messages) => void editor.told.push([how, item.label, messages]);
    return { started: (/** @type {any} */ { label }) => void editor.started.push(label), appendOutput: (/** @type {string} */ text) => void editor.output.push(text), passed: tell('passed'), failed: tell('failed'), errored: tell('errored'), skipped: tell('skipped'), end() {} };
}

/** A kind of code actions, and all kinds of that kind. */
const kind = { append: () => kind };

/** @type {any} */
const vscode = anything({
    version: '1.88.0',
    env: { language: 'en', appName: 'test' },
    CodeActionKind: { Empty: kind, QuickFix: kind },
    Uri: {
        file: uri,
        from: (/** @type {any} */ parts) => ({ ...parts, fsPath: parts.path, toString: () => `${parts.scheme}:${parts.path}?${parts.query}` }),
        parse: (/** @type {string} */ text) => uri(text.replace(/^file:\/\//, '')),
    },
    Range: class extends record('line', 'column', 'endLine', 'endColumn') {
        get start() {
            return { line: Reflect.get(this, 'line'), character: Reflect.get(this, 'column') };
        }
    },
    Position: record('line', 'column'),
    WorkspaceEdit: class {
        /** @param {any} document @param {any} range @param {string} text */
        replace(document, range, text) {
            Object.assign(this, { document, range, text });
        }
    },
    InlineValueText: record('range', 'text'),
    Location: record('uri', 'range'),
    DocumentLink: record('range', 'target'),
    CodeLens: record('range', 'command'),
    ViewColumn: { Active: -1, Beside: -2 },
    TextEditorSelectionChangeKind: { Keyboard: 1, Mouse: 2, Command: 3 },
    DebugConfigurationProviderTriggerKind: { Initial: 1, Dynamic: 2 },
    TaskGroup: { Build: 'build', Test: 'test' },
    TaskScope: { Workspace: 2 },
    Task: record('definition', 'scope', 'name', 'source', 'execution', 'problemMatchers'),
    ShellExecution: record('command', 'args'),
    TabInputText: record('uri'),
    TestMessage: record('message'),
    TestRunRequest: record('include', 'exclude'),
    TestRunProfileKind: { Run: 1, Debug: 2 },
    DebugAdapterExecutable: class {
        /** @param {any[]} args */
        constructor(...args) {
            this.args = args;
        }
    },
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
    tasks: { registerTaskProvider: (/** @type {string} */ _, /** @type {any} */ given) => ((editor.tasks = given), disposable) },
    debug: {
        registerDebugConfigurationProvider: (/** @type {string} */ type, /** @type {any} */ configurations, /** @type {any} */ kind) => (Object.assign(editor.debuggers, kind === undefined ? { type, configurations } : { offers: configurations }), disposable),
        registerDebugAdapterTrackerFactory: (/** @type {string} */ _, /** @type {any} */ trackers) => ((editor.debuggers.trackers = trackers), disposable),
        registerDebugAdapterDescriptorFactory: (/** @type {string} */ _, /** @type {any} */ factory) => ((editor.debuggers.factory = factory), disposable),
        activeDebugSession: undefined,
        onDidStartDebugSession: () => disposable,
        onDidTerminateDebugSession: () => disposable,
        onDidChangeBreakpoints: (/** @type {any} */ listener) => ((editor.debuggers.breakpointsChanged = listener), disposable),
        onDidReceiveDebugSessionCustomEvent: (/** @type {any} */ listener) => ((editor.debuggers.told = listener), disposable),
        startDebugging: async (/** @type {any} */ _, /** @type {any} */ configuration) => void editor.debugged.push(configuration),
    },
    tests: {
        createTestController: () => {
            editor.controller = {
                items: new Items(),
                profiles: {},
                createTestItem: (/** @type {string} */ id, /** @type {string} */ label, /** @type {any} */ of) => ({ id, label, uri: of, children: new Items() }),
                createRunProfile: (/** @type {string} */ name, /** @type {number} */ _, /** @type {any} */ run) => (editor.controller.profiles[name] = run),
                createTestRun: testRun,
                invalidateTestResults: (/** @type {any[]} */ items) => void editor.outdated.push(...items.map(({ label }) => label)),
                dispose() {},
            };
            return editor.controller;
        },
    },
    commands: anything({
        getCommands: async () => [],
        registerCommand: (/** @type {string} */ name, /** @type {any} */ run) => ((editor.commands[name] = run), disposable),
        executeCommand: async (/** @type {any[]} */ ...all) => void editor.executed.push(all),
    }),
    languages: anything({
        match: () => 0,
        setTextDocumentLanguage: async (/** @type {any} */ document, /** @type {string} */ id) => Object.assign(document, { languageId: id }),
        registerDocumentLinkProvider: (/** @type {any} */ { scheme }, /** @type {any} */ links) => ((editor.virtual[scheme] = { ...editor.virtual[scheme], links }), disposable),
        registerCodeLensProvider: (/** @type {any} */ files, /** @type {any} */ provider) => (editor.lenses.push({ files, provider }), disposable),
        createDiagnosticCollection: () =>
            anything({
                dispose() {},
                clear() {},
                delete() {},
                set: (/** @type {any} */ _, /** @type {any[]} */ all) => all.forEach(({ message }) => findings.emit('finding', message)),
            }),
    }),
    window: anything({
        showErrorMessage: async (/** @type {string} */ message) => (editor.shown.push(message), editor.answer),
        showInformationMessage: async (/** @type {string} */ message, /** @type {string | undefined} */ button) => {
            editor.notified.push(message);
            return editor.pressed === button ? button : undefined;
        },
        setStatusBarMessage: (/** @type {string} */ message) => {
            editor.status.push(message);
            return { dispose: () => (editor.status = editor.status.filter((one) => one !== message)) };
        },
        createStatusBarItem: (/** @type {string} */ id) => {
            const item = { isShown: false, show: () => (item.isShown = true), hide: () => (item.isShown = false), dispose() {} };
            return (editor.statusItems[id] = item);
        },
        showTextDocument: async (/** @type {any} */ shown, /** @type {any} */ options) => void editor.opened.push([shown.fsPath ?? shown.uri.fsPath, options]),
        showInputBox: async (/** @type {any} */ { title }) => (editor.asked.push([title]), editor.answer),
        showQuickPick: async (/** @type {any[]} */ all, /** @type {any} */ { title }) => (editor.asked.push([title, all]), all[0]),
        showWarningMessage: async (/** @type {string} */ message) => void editor.notified.push(message),
        registerWebviewPanelSerializer: (/** @type {string} */ _, /** @type {any} */ serializer) => ((editor.serializer = serializer), disposable),
        createWebviewPanel: (/** @type {string} */ _, /** @type {string} */ title, /** @type {any} */ { viewColumn }) => {
            const panel = {
                title,
                // Each column beside the last one is a new one.
                viewColumn: viewColumn === vscode.ViewColumn.Beside ? editor.panels.length + 2 : viewColumn,
                active: false,
                posted: /** @type {any[]} */ ([]),
                /** What the page posts, and the end of the panel. @type {Record<string, any>} */
                events: {},
                webview: {
                    html: '',
                    postMessage: async (/** @type {any} */ message) => void panel.posted.push(message),
                    onDidReceiveMessage: (/** @type {any} */ listener) => void (panel.events.message = listener),
                },
                onDidDispose: (/** @type {any} */ listener) => void (panel.events.dispose = listener),
                onDidChangeViewState: (/** @type {any} */ listener) => void (panel.events.view = listener),
                reveal() {},
            };
            editor.panels.push(panel);
            return panel;
        },
        visibleTextEditors: [],
        tabGroups: anything({ all: [] }),
        activeTextEditor: undefined,
        onDidChangeTextEditorSelection: (/** @type {any} */ listener) => ((editor.selected = listener), disposable),
        onDidChangeActiveTextEditor: (/** @type {any} */ listener) => (editor.switches.push(listener), disposable),
    }),
    workspace: anything({
        workspaceFolders: [],
        textDocuments: [],
        notebookDocuments: [],
        asRelativePath: (/** @type {string} */ file) => path.relative(vscode.workspace.workspaceFolders[0].uri.fsPath, file).replaceAll('\\', '/'),
        getWorkspaceFolder: () => vscode.workspace.workspaceFolders[0],
        onDidSaveTextDocument: (/** @type {any} */ listener) => {
            editor.saves.push(listener);
            return disposable;
        },
        onDidChangeTextDocument: (/** @type {any} */ listener) => {
            editor.edits.push(listener);
            return disposable;
        },
        createFileSystemWatcher: () =>
            anything({
                onDidChange: (/** @type {any} */ listener) => ((editor.changed = listener), disposable),
                dispose() {},
            }),
        registerTextDocumentContentProvider: (/** @type {string} */ scheme, /** @type {any} */ contents) => ((editor.virtual[scheme] = { ...editor.virtual[scheme], contents }), disposable),
        openTextDocument: async (/** @type {any} */ of) => (editor.documents[of.fsPath] = of.scheme === 'file' ? (editor.documents[of.fsPath] ?? textDocument(of.fsPath)) : virtualDocument(of)),
        applyEdit: async (/** @type {any} */ { document, range, text }) => editor.documents[document.fsPath].replace(range, text),
        findFiles: async (/** @type {string} */ pattern) => {
            const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
            const all = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
            return all.filter((name) => name.endsWith(path.extname(pattern))).map((name) => uri(path.join(folder, name)));
        },
        getConfiguration: () => ({
            get: (/** @type {string} */ name, /** @type {any} */ otherwise) => (name === 'path' ? editor.path : name === 'page' ? editor.page : otherwise),
        }),
    }),
});

// The editor gives extensions this module; there is no package of it.
const load = /** @type {any} */ (Module)._load;
/** @type {any} */ (Module)._load = (/** @type {string} */ name, /** @type {any[]} */ ...rest) =>
    name === 'vscode' ? vscode : load(name, ...rest);

module.exports = { context, editor, findings, uri, vscode };
