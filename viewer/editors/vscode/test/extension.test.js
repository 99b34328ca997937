// The extension starts the real server, with a stand-in for the editor.

const assert = require('node:assert');
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { context, editor, findings, uri, vscode } = require('./stand_in');
const { PROGRAM, json, project } = require('./support');

const folder = project({ 'scenarios/a.ron': '()', 'scenarios/b.ron': '(dt: 1, ticks: 1, world: (size: (9, 9)), groups: { "a": (behavior: "a", spawn: Points([(1, 1)]), body: (radius: 1, max_speed: 1, max_force: 1)) })', 'scripts/a.rhai': 'fn steer(me) { me.wander() }' });
editor.open(folder);

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
    await extension.activate(context());
    assert.deepEqual(editor.shown, []);
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

    // Caught: nothing was said when a file with a mistake was formatted.
    const { provideDocumentFormattingEdits } = client.clientOptions.middleware;
    const document = { uri: { fsPath: `${folder}/scripts/a.rhai`, toString: () => uri } };
    const formatted = () => provideDocumentFormattingEdits(document, {}, undefined, () => client.sendRequest('textDocument/formatting', { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } }));
    await formatted();
    assert.deepEqual(editor.status, []);
    await client.sendNotification('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ text: 'fn steer(me) {\n  me.wander(\n}\n' }] });
    assert.equal(await formatted(), null);
    assert.deepEqual(editor.status, ['$(warning) a.rhai is not formatted: line 2 has a mistake']);
    // Caught: the message stayed when another file was opened.
    const show = (/** @type {any} */ shown) => editor.switches.forEach((tell) => tell(shown));
    show(undefined);
    show({ document });
    assert.equal(editor.status.length, 1);
    const another = { document: { uri: { fsPath: `${folder}/scenarios/a.ron` } } };
    show(another);
    assert.deepEqual(editor.status, []);
    // A file that is not shown says nothing.
    vscode.window.activeTextEditor = another;
    await formatted();
    assert.deepEqual(editor.status, []);
    vscode.window.activeTextEditor = undefined;
    await formatted();
    assert.equal(editor.status.length, 1);
    // Caught: the message stayed until the file was saved again.
    // The listeners of the extension are there before those of its client: that of the tests, and this one.
    const edit = (/** @type {any} */ of, /** @type {any[]} */ contentChanges) => editor.edits[1]({ document: of, contentChanges });
    edit(another.document, [{}]);
    edit(document, []);
    assert.equal(editor.status.length, 1);
    edit(document, [{}]);
    assert.deepEqual(editor.status, []);
    await formatted();
    assert.equal(editor.status.length, 1);
    // Caught: the message stayed for some seconds after the mistake was corrected.
    await client.sendNotification('textDocument/didChange', { textDocument: { uri, version: 3 }, contentChanges: [{ text: 'fn steer(me) {\n  me.wander()\n}\n' }] });
    await formatted();
    assert.deepEqual(editor.status, []);

    // Caught: the list of completions covered what a call takes, which had no room above the first lines.
    const help = { signatures: [{ label: 'f(a)', documentation: 'Does it.', parameters: [] }] };
    const short = await client.clientOptions.middleware.provideSignatureHelp(document, {}, {}, {}, async () => help);
    assert.deepEqual(short.signatures, [{ label: 'f(a)', documentation: undefined, parameters: [] }]);

    // Behind the lines that ran stands what the debugger knows. Behind the line at which it stands are its variables.
    const { provideInlineValues } = client.clientOptions.middleware;
    const lookup = (/** @type {number} */ line) => ({ range: { start: { line } } });
    const asked = { frameId: 0, stoppedLocation: { start: { line: 2 } } };
    const script = { ...document, lineAt: (/** @type {number} */ line) => lookup(line) };
    const behind = () => provideInlineValues(script, undefined, asked, undefined, async () => [lookup(1), lookup(2)]);
    const lines = [{ line: 2, text: 'near.count = 1: false' }];
    vscode.debug.activeDebugSession = { customRequest: async (/** @type {string} */ name, /** @type {any} */ { path }) => (assert.deepEqual([name, path], ['flockworkLineValues', document.uri.fsPath]), { lines }) };
    const told = (/** @type {any} */ { range, text }) => ({ ...range, text });
    assert.deepEqual((await behind()).map(told), [{ ...lookup(1).range, text: lines[0].text }, { ...lookup(2).range, text: undefined }]);
    lines[0].line = 3;
    assert.deepEqual((await behind()).map(told), [{ ...lookup(2).range, text: lines[0].text }]);
    // Caught: an edited line had the values of the line before.
    Object.assign(lines[0], { code: 'if near.count > 1 {' });
    Object.assign(script, { lineCount: 9 });
    assert.deepEqual((await behind()).map(told), [{ ...lookup(2).range, text: undefined }]);
    // An older program does not know the request.
    vscode.debug.activeDebugSession.customRequest = async () => { throw new Error('unknown'); };
    assert.equal((await behind()).length, 2);
    vscode.debug.activeDebugSession = undefined;

    // Caught: a name with one use seemed to have no list of uses, since the definition was left out.
    const { provideReferences } = client.clientOptions.middleware;
    const options = provideReferences(script, undefined, { includeDeclaration: false }, undefined, (/** @type {any[]} */ ...all) => all[2]);
    assert.deepEqual(options, { includeDeclaration: true });

    const tasks = editor.tasks.provideTasks();
    assert.deepEqual(tasks.map((/** @type {any} */ task) => [task.execution.command, ...task.execution.args].join(' ')), [
        `${PROGRAM} check`,
        `${PROGRAM} test`,
    ]);
    // Caught: findings of tasks stayed beside those of the server, at lines that had moved since.
    assert(tasks.every((/** @type {any} */ task) => task.problemMatchers.length === 0));
    const own = editor.tasks.resolveTask({ definition: { type: 'flockwork', command: 'test', args: ['a.ron'] } });
    assert.deepEqual(own.execution.args, ['test', 'a.ron']);
    await extension.deactivate();
    assert.equal(client.state, State.Stopped);
});

test('the first file of a project that is opened invites to the first walk, and never again', async () => {
    const of = context();
    editor.notified.length = 0;
    editor.pressed = 'Take the walk';
    const walks = () => editor.executed.filter(([command]) => command === 'workbench.action.openWalkthrough');
    const show = async (/** @type {string | undefined} */ file) => {
        /** @type {any} */ (vscode).window.activeTextEditor = file && { document: { uri: { fsPath: file } } };
        editor.switches.forEach((listener) => listener(vscode.window.activeTextEditor));
        await new Promise(setImmediate);
    };
    editor.switches.length = 0;
    await extension.activate(of);
    // Caught: what the editor shows first of a folder covered the message.
    for (const file of [undefined, `${folder}/notes.md`, '/elsewhere/a.ron']) {
        await show(file);
        assert.deepEqual([editor.notified.length, editor.statusItems['flockwork.walk'].isShown], [0, false], file);
    }
    // A message that is not answered leaves the entry in the status bar, also later.
    const { showInformationMessage } = vscode.window;
    /** @type {(answer?: string) => void} */
    let answer = () => {};
    /** @type {any} */ (vscode.window).showInformationMessage = (/** @type {string} */ message) => (editor.notified.push(message), new Promise((resolve) => (answer = resolve)));
    await show(`${folder}/scenarios/b.ron`);
    assert.deepEqual([editor.notified.length, editor.statusItems['flockwork.walk'].isShown], [1, true]);
    assert.equal(editor.statusItems['flockwork.walk'].command, 'flockwork.walk');
    // Caught: it had gone to the bell before it was read. The next file brings it back, once, and that closes the one before.
    const { now } = Date;
    for (const [later, count] of [[10_000, 1], [30_000, 2], [90_000, 1]]) {
        const before = answer;
        Date.now = () => now() + Number(later);
        await show(`${folder}/scenarios/a.ron`);
        if (answer !== before) {
            before(undefined);
            await new Promise(setImmediate);
        }
        assert.deepEqual([editor.notified.splice(1).length + 1, editor.statusItems['flockwork.walk'].isShown], [count, true]);
    }
    Date.now = now;
    await extension.deactivate();
    await extension.activate(of);
    await new Promise(setImmediate);
    assert.deepEqual([editor.notified.length, editor.statusItems['flockwork.walk'].isShown], [1, true]);
    answer('Take the walk');
    await new Promise(setImmediate);
    /** @type {any} */ (vscode.window).showInformationMessage = showInformationMessage;
    assert.match(editor.notified[0], /walk of six steps/);
    const { walkthroughs, commands } = json('package.json').contributes;
    assert.equal(walkthroughs[0].steps.length, 6);
    // Caught: steps were ticked when they were opened, and a narrow page cut their titles.
    for (const { title, description, completionEvents } of walkthroughs[0].steps) {
        assert.ok(completionEvents.length > 0 && title.length < 24, title);
        // Caught: these signs are shown as they are.
        assert.doesNotMatch(description, /[`*]/);
    }
    const marked = () => editor.executed.filter(([command]) => command === 'setContext').map(([, context]) => context);
    editor.debuggers.breakpointsChanged({ added: [{}], changed: [] });
    assert.ok(!marked().includes('flockwork.has_condition'));
    editor.debuggers.breakpointsChanged({ added: [], changed: [{ condition: 'near.count > 2' }] });
    assert.ok(marked().includes('flockwork.has_condition'));
    // Caught: a walk that was open did not tick it.
    const ticked = editor.executed.filter(([command]) => command === 'welcome.markStepComplete').map(([, step]) => step);
    assert.deepEqual(ticked, ['flockwork.flockwork#first#condition']);
    for (const step of ['debugger', 'condition', 'goldens']) {
        assert.ok(walkthroughs[0].steps.some((/** @type {any} */ { id }) => id === step), step);
    }
    const contexts = walkthroughs[0].steps.flatMap((/** @type {any} */ one) => one.completionEvents).filter((/** @type {string} */ event) => event.startsWith('onContext:'));
    assert.deepEqual(contexts, ['has_shown', 'has_debugged', 'has_condition', 'has_tested'].map((name) => `onContext:flockwork.${name}`));
    assert.deepEqual(walks(), [['workbench.action.openWalkthrough', `flockwork.flockwork#${walkthroughs[0].id}`]]);
    // Caught: the walk replaced the file that was opened with one click.
    const names = editor.executed.map(([command]) => command);
    assert.equal(names.indexOf('workbench.action.keepEditor') + 1, names.indexOf('workbench.action.openWalkthrough'));
    // Caught: what a step opened took the place of the walk.
    assert.ok(names.lastIndexOf('workbench.action.keepEditor') > names.indexOf('workbench.action.openWalkthrough'));
    // Each command of a step is one of the extension or of the editor.
    const buttons = walkthroughs[0].steps.flatMap((/** @type {any} */ { description }) => /command:(flockwork\.\w+)/.exec(description)?.slice(1) ?? []);
    assert.deepEqual(buttons, ['flockwork.world', 'flockwork.script']);
    await editor.commands['flockwork.script']();
    assert.deepEqual(editor.opened.splice(0), [[`${folder}/scripts/a.rhai`, { viewColumn: -2 }]]);
    // Of several, those that scenarios use come first.
    fs.writeFileSync(`${folder}/scripts/0.rhai`, '');
    editor.asked.length = 0;
    await editor.commands['flockwork.script']();
    fs.rmSync(`${folder}/scripts/0.rhai`);
    const offered = editor.asked[0][1].map((/** @type {any} */ { uri, description }) => [path.basename(uri.fsPath), description]);
    assert.deepEqual(offered, [['a.rhai', 'used by b'], ['0.rhai', '']]);
    assert.equal(editor.opened.pop()?.[0], `${folder}/scripts/a.rhai`);
    // One that is shown is taken, where it is.
    const editors = [{ document: { uri: { fsPath: `${folder}/scenarios/b.ron` } } }, { document: { uri: { fsPath: `${folder}/scripts/c.rhai` } }, viewColumn: 2 }];
    /** @type {any} */ (vscode).window.visibleTextEditors = editors;
    await editor.commands['flockwork.script']();
    assert.deepEqual(editor.opened.pop(), [`${folder}/scripts/c.rhai`, 2]);
    /** @type {any} */ (vscode).window.visibleTextEditors = [];
    // The list of commands explains an agent of the shown file.
    /** @type {any} */ (vscode).window.activeTextEditor = { document: { uri: uri(`${folder}/scripts/a.rhai`) } };
    [editor.asked.length, editor.answer] = [0, undefined];
    await editor.commands['flockwork.explainAgent']();
    assert.equal(editor.asked[0][0], 'Which agent of b shall be explained?');
    await extension.deactivate();
    await extension.activate(of);
    await show(`${folder}/scenarios/a.ron`);
    assert.deepEqual([editor.notified.length, editor.statusItems['flockwork.walk'].isShown], [1, false]);
    // The list of commands has it.
    assert.ok(commands.some((/** @type {any} */ one) => one.command === 'flockwork.walk'));
    await editor.commands['flockwork.walk']();
    assert.equal(walks().length, 2);
    await extension.deactivate();
    /** @type {any} */ (vscode).window.activeTextEditor = undefined;
});

test('a scenario that is shown is debugged, and the debugger answers', async () => {
    const { type, configurations, factory } = editor.debuggers;
    assert.equal(type, json('package.json').contributes.debuggers[0].type);
    const written = { type, request: 'launch', name: 'mine', scenario: 'a.ron' };
    assert.deepEqual(await configurations.resolveDebugConfiguration(undefined, written), written);
    assert.equal(await configurations.resolveDebugConfiguration(undefined, {}), undefined);
    assert.match(editor.shown.pop() ?? '', /Open the scenario to debug/);
    /** @type {any} */ (vscode).window.activeTextEditor = { document: { uri: { fsPath: `${folder}/scenarios/a.ron` } } };
    const made = await configurations.resolveDebugConfiguration(undefined, {});
    assert.deepEqual(made, { type, request: 'launch', name: 'a', scenario: `${folder}/scenarios/a.ron` });
    // Each scenario can be chosen.
    const offered = await editor.debuggers.offers.provideDebugConfigurations();
    assert.deepEqual(offered.find((/** @type {any} */ { name }) => name === 'a'), made);
    // For a script, it is a scenario that has it as a behavior.
    /** @type {any} */ (vscode).window.activeTextEditor.document.uri.fsPath = `${folder}/scripts/a.rhai`;
    const found = await configurations.resolveDebugConfiguration(undefined, {});
    assert.deepEqual(found, { ...made, name: 'b', scenario: `${folder}/scenarios/b.ron` });
    /** @type {any} */ (vscode).window.activeTextEditor.document.uri.fsPath = `${folder}/scripts/other.rhai`;
    assert.equal(await configurations.resolveDebugConfiguration(undefined, {}), undefined);
    assert.match(editor.shown.pop() ?? '', /Open the scenario to debug/);
    const [command, args, options] = factory.createDebugAdapterDescriptor({ workspaceFolder: { uri: { fsPath: folder } } }).args;
    const text = JSON.stringify({ seq: 1, type: 'request', command: 'initialize' });
    const input = `Content-Length: ${text.length}\r\n\r\n${text}`;
    const { stdout, status } = spawnSync(command, args, { ...options, input, encoding: 'utf8' });
    assert.equal(status, 0);
    assert.match(stdout, /"supportsStepBack":true/);
});

/** Returns the messages of the debugger until it stops. @param {{ command: string, arguments?: object }[]} requests @returns {Promise<any[]>} */
function debug(requests) {
    const debuggee = spawn(PROGRAM, ['debug'], { cwd: folder });
    requests.forEach((request, index) => {
        const text = JSON.stringify({ seq: index + 1, type: 'request', ...request });
        debuggee.stdin.write(`Content-Length: ${text.length}\r\n\r\n${text}`);
    });
    let told = '';
    debuggee.stdout.setEncoding('utf8').on('data', (text) => {
        told += text;
        if (told.includes('"event":"stopped"')) {
            debuggee.kill();
        }
    });
    const parsed = () => told.split(/Content-Length: \d+\r\n\r\n/).filter((text) => text !== '').map((text) => JSON.parse(text));
    return new Promise((resolve) => debuggee.on('close', () => resolve(parsed())));
}

/** Caught: the error of a script had a button for `launch.json`, and a second message said that nothing was launched. */
test('a debugger that cannot start is not started, and its message opens the place', async () => {
    const { resolveDebugConfigurationWithSubstitutedVariables: check } = editor.debuggers.configurations;
    const of = { uri: { fsPath: folder } };
    const configuration = { type: 'flockwork', request: 'launch', name: 'Debug', scenario: `${folder}/scenarios/b.ron` };
    editor.shown.length = 0;
    assert.equal(await check(of, configuration), configuration);
    assert.deepEqual(editor.shown, []);
    const script = `${folder}/scripts/a.rhai`;
    fs.writeFileSync(script, 'fn steer(me) {\n    me.wandr()\n}\n');
    editor.answer = 'Open a.rhai:2';
    assert.equal(await check(of, configuration), undefined);
    assert.match(editor.shown[0], /^The debugger cannot start: a\.rhai:2: .*wandr/);
    await new Promise(setImmediate);
    const [[file, { selection }]] = editor.opened.splice(0);
    assert.deepEqual([file, { ...selection.line }], [script, { line: 1, column: 7 }]);
    fs.writeFileSync(script, 'fn steer(me) {\n    let near = me.neighbors(5);\n    me.wander()\n}\n');
    editor.answer = undefined;
    // An error without a place has no button.
    assert.equal(await check(of, { ...configuration, scenario: `${folder}/scenarios/none.ron` }), undefined);
    assert.equal(editor.shown.length, 2);
});

/** Caught: it was told only in the console, which was closed. */
test('what is wrong with a breakpoint is shown, once for each condition', async () => {
    const wrong = async (/** @type {any} */ breakpoint = undefined) => {
        editor.shown.length = 0;
        const { onDidSendMessage } = editor.debuggers.trackers.createDebugAdapterTracker();
        const told = await debug([
            { command: 'initialize', arguments: {} },
            { command: 'launch', arguments: { scenario: 'scenarios/b.ron' } },
            { command: 'setBreakpoints', arguments: { source: { path: `${folder}/scripts/a.rhai` }, breakpoints: breakpoint === undefined ? [] : [breakpoint] } },
            { command: 'configurationDone' },
        ]);
        // Each may come again in a later turn.
        [...told, ...told].forEach(onDidSendMessage);
        return editor.shown;
    };
    assert.deepEqual(await wrong({ line: 3 }), []);
    assert.deepEqual(await wrong({ line: 3, condition: 'nea.count > 2' }), ['There is no variable `nea` in this script; did you mean `near`? (the breakpoint in line 3 does nothing)']);
    assert.match((await wrong({ line: 3, condition: 'near.count' }))[0], /^The condition `near\.count` is 0, and neither true nor false$/);
    assert.match((await wrong({ line: 3, condition: 'near.nearest.id > 2' }))[0], /^`near\.nearest` is .* \(the condition `near\.nearest\.id > 2` cannot be computed\)$/);
    assert.equal(editor.shown.length, 1);
    // Caught: that no breakpoint is set was shown as an error.
    editor.notified.length = 0;
    assert.deepEqual(await wrong(), []);
    assert.deepEqual(editor.notified, ['Click left of the number of a line in a script to stop there (no breakpoint is set, so the run stops at its first line)']);
    // What a logpoint says is no mistake.
    assert.deepEqual(await wrong({ line: 3, logMessage: 'the point is fine' }), []);
});

/** Caught: after an edit, the editor moved the cursor to the line at which the debugger stood, where the next key would have written. */
test('saving while the debugger stands leaves the cursor where it is', async () => {
    const document = { uri: uri(`${folder}/scripts/a.rhai`) };
    const textEditor = { document, selections: [5] };
    const move = (/** @type {number} */ line, /** @type {number} */ kind) => {
        textEditor.selections = [line];
        editor.selected({ textEditor, kind });
        return textEditor.selections[0];
    };
    const save = () => Promise.all(editor.saves.map((listener) => listener(document)));
    /** @type {any} */ (vscode).window.activeTextEditor = textEditor;
    await save();
    assert.equal(move(3, 3), 3);
    /** @type {any} */ (vscode).debug.activeDebugSession = { type: 'flockwork' };
    textEditor.selections = [5];
    await save();
    assert.deepEqual([move(3, 3), move(4, 3)], [5, 4]);
    await save();
    // What the user does counts.
    assert.deepEqual([move(2, 1), move(3, 3)], [2, 3]);
    /** @type {any} */ (vscode).debug.activeDebugSession = undefined;
    /** @type {any} */ (vscode).window.activeTextEditor = undefined;
});

test('a missing program is told once, with what to do and a button to the setting', async () => {
    editor.path = '/no/flockwork';
    editor.answer = 'Open the settings';
    // Caught: the client of the server told about it, too.
    await extension.activate(context());
    await new Promise(setImmediate);
    assert.equal(editor.shown.length, 1, editor.shown.join('\n'));
    assert.match(editor.shown[0], /Cannot start `\/no\/flockwork`.*set `flockwork\.path`/s);
    assert.deepEqual(editor.executed.at(-1), ['workbench.action.openSettings', 'flockwork.path']);
});
