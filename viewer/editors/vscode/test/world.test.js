// The world beside the code: the page of a scenario, and the files that are saved while it is open.

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { editor, uri, vscode } = require('./stand_in');
const { project } = require('./support');
const { addDebugger } = require('../debugging');
const { addWorlds, goTo, keepVersions, shownTurn } = require('../world');

const PAGE = '<!doctype html><!-- flockwork page --><script id="flockwork-project" type="application/json">{}</script>';

const folder = project({
    'scenarios/a.ron': '(ticks: 5, world: (size: (9, 9)), groups: { "a": (behavior: "go", spawn: Points([(1, 1)])) })',
    'scripts/go.rhai': 'fn steer(me) { me.wander() }',
    'page.html': PAGE,
});
editor.open(folder);
/** What was told of the selected agent. @type {any[][]} */
const told = [];
addWorlds(/** @type {any} */ ({ subscriptions: [] }), (...all) => told.push(all));
addDebugger(/** @type {any} */ ({ subscriptions: [] }));
const scenario = path.join(folder, 'scenarios/a.ron');
const other = path.join(folder, 'scenarios/b.ron');
const script = path.join(folder, 'scripts/go.rhai');

test('without the page, a message says what is missing', async () => {
    editor.page = path.join(folder, 'none.html');
    await editor.commands['flockwork.world'](uri(scenario));
    assert.match(editor.shown[0], /cannot be shown.*none\.html/s);
    assert.equal(editor.panels.length, 0);
});

/** Caught: it was cut off at the right, and its place had to be looked for. */
test('the message about a world that cannot be shown opens the place of the error', async () => {
    editor.page = path.join(folder, 'page.html');
    const right = fs.readFileSync(script, 'utf8');
    fs.writeFileSync(script, 'fn steer(me) {\n    me.wandr()\n}\n');
    editor.shown.length = editor.opened.length = 0;
    editor.answer = 'Open go.rhai:2';
    await editor.commands['flockwork.world'](uri(scenario));
    await new Promise((resolve) => setImmediate(resolve));
    editor.answer = undefined;
    assert.deepEqual(editor.shown, ['The world of a cannot be shown: go.rhai:2: there is no function `wandr`']);
    const [[file, { selection }]] = editor.opened;
    assert.deepEqual([file, { ...selection.line }], [script, { line: 1, column: 7 }]);
    assert.equal(editor.panels.length, 0);
    editor.opened.length = 0;
    fs.writeFileSync(script, right);
});

test('a panel has the files of the scenario, and saved ones follow', async () => {
    editor.page = path.join(folder, 'page.html');
    // A script leads to a scenario of its project.
    await editor.commands['flockwork.world'](uri(script));
    const [panel] = editor.panels;
    assert.equal(panel.title, 'a');
    assert.match(panel.webview.html, /me\.wander/);
    // No other file is opened over the world.
    assert.ok(editor.executed.some(([command]) => command === 'workbench.action.lockEditorGroup'));
    await editor.commands['flockwork.world'](uri(scenario));
    assert.equal(editor.panels.length, 1);

    const save = async (/** @type {string} */ text) => {
        fs.writeFileSync(script, text);
        await editor.changed(uri(script));
    };
    await save('fn steer(me) { me.seek(vec(1, 2)) }');
    assert.match(panel.posted.at(-1).flockworkProject.files['scripts/go.rhai'], /seek/);
    // One that cannot run changes nothing, which is said.
    await save('fn steer(me) { me.seek(');
    assert.equal(panel.posted.at(-1).flockworkNote, 'scripts/go.rhai:1:23: this `(` is not closed. The version before goes on.');
    // A script that was missing is taken, too.
    fs.writeFileSync(scenario, fs.readFileSync(scenario, 'utf8').replace('"go"', '"new"'));
    await editor.changed(uri(scenario));
    assert.ok(panel.posted.at(-1).flockworkNote);
    const made = path.join(folder, 'scripts/new.rhai');
    fs.writeFileSync(made, 'fn steer(me) { me.wander() }');
    await editor.changed(uri(made));
    assert.deepEqual(Object.keys(panel.posted.at(-1).flockworkProject.files).sort(), ['scenarios/a.ron', 'scripts/new.rhai']);
});

test('a world goes where the debugger stands', () => {
    const [panel] = editor.panels;
    const before = panel.posted.length;
    goTo(scenario, { tick: 3, agent: 0 });
    // Another scenario is not shown.
    goTo(other, { tick: 4, agent: 0 });
    assert.deepEqual(panel.posted.slice(before), [{ flockworkTurn: { tick: 3, agent: 0, versions: [] } }]);
});

/** Caught: the world ran saved files from the first tick on, and the debugger from where it stood. */
test('a world runs what the debugger runs, with saved files from the tick of the debugger on', async () => {
    const [panel] = editor.panels;
    const before = panel.posted.length;
    const files = [{ 'scripts/go.rhai': 'fn steer(me) { me.wander() }' }, { 'scripts/go.rhai': 'fn steer(me) { me.vel }' }];
    await editor.changed(uri(script));
    // They come with the next turn.
    keepVersions(scenario, [{ tick: 0, project: { files: files[0] } }, { tick: 3, project: { files: files[1] } }]);
    goTo(scenario, { tick: 3, agent: 0 });
    const versions = [{ tick: 0, files: files[0] }, { tick: 3, files: files[1] }];
    assert.deepEqual(panel.posted.slice(before), [{ flockworkNote: '' }, { flockworkTurn: { tick: 3, agent: 0, versions } }]);
    // Caught: the world had another seed and other params than the debugger.
    keepVersions(scenario, [{ tick: 0, project: { files: files[0], seed: 7, params: { 'a.gain': '5' } } }]);
    goTo(scenario, { tick: 3, agent: 0 });
    assert.deepEqual(panel.posted.at(-1).flockworkTurn.versions, [{ tick: 0, files: files[0], seed: 7, params: { 'a.gain': '5' } }]);
    // After the debugger, it takes saved files by itself.
    goTo(scenario, undefined);
    await editor.changed(uri(script));
    assert.ok(panel.posted.at(-1).flockworkProject);
    goTo(scenario, { tick: 3, agent: 0 });
    assert.deepEqual(panel.posted.at(-1).flockworkTurn.versions, []);
});

test('a world that is shown while one debugs begins where the debugger stands', async () => {
    fs.writeFileSync(other, fs.readFileSync(scenario));
    // The debugger has stopped there in the test before.
    await editor.commands['flockwork.world'](uri(other));
    assert.deepEqual(editor.panels[1].posted.slice(1), [{ flockworkTurn: { tick: 4, agent: 0, versions: [] } }]);
    editor.panels[1].events.dispose();
    // The debugger has ended.
    goTo(other, undefined);
    await editor.commands['flockwork.world'](uri(other));
    assert.deepEqual(editor.panels[2].posted.slice(1), []);
    editor.panels[2].events.dispose();
    told.length = 0;
});

test('a place of the explanation opens in an editor of code', async () => {
    const [panel] = editor.panels;
    const place = { path: 'scripts/go.rhai', line: 2, column: 5 };
    const position = { line: 1, column: 4 };
    const other = { document: { uri: uri(scenario) }, viewColumn: 2 };
    const same = { document: { uri: uri(script) }, viewColumn: 3 };
    for (const [editors, viewColumn] of [[[], undefined], [[other], 2], [[other, same], 3]]) {
        /** @type {any} */ (vscode).window.visibleTextEditors = editors;
        await panel.events.message({ flockworkOpen: place });
        const [file, options] = editor.opened.pop() ?? [];
        assert.deepEqual([file, options.viewColumn], [script, viewColumn]);
        assert.deepEqual({ ...options.selection.line }, position);
    }
    /** @type {any} */ (vscode).window.visibleTextEditors = [];
});

test('params are written into the scenario by an edit that is saved, but not over other changes', async () => {
    const [panel] = editor.panels;
    goTo(scenario, undefined);
    const before = fs.readFileSync(scenario, 'utf8');
    const text = before.replace('ticks: 5', 'ticks: 55');
    const change = { path: 'scenarios/a.ron', before, text };
    /** @type {any[]} */
    const edits = [];
    const { applyEdit } = vscode.workspace;
    vscode.workspace.applyEdit = (/** @type {any} */ edit) => (edits.push(edit), applyEdit(edit));
    await panel.events.message({ flockworkWrite: change });
    assert.equal(fs.readFileSync(scenario, 'utf8'), text);
    // Undo shows what has changed, and not all of the file.
    assert.deepEqual(edits.map(({ text }) => text), ['5']);
    // The world has a text that is no longer the newest.
    await panel.events.message({ flockworkWrite: change });
    assert.match(editor.shown.pop() ?? '', /not written: a\.ron has changes that the world does not run/);
    editor.documents[scenario].isDirty = true;
    await panel.events.message({ flockworkWrite: { ...change, before: text, text: before } });
    assert.match(editor.shown.pop() ?? '', /not written/);
    assert.equal(fs.readFileSync(scenario, 'utf8'), text);
    // The world takes back what it has written in its own copy.
    assert.match(panel.posted.at(-1).flockworkProject.files['scenarios/a.ron'], /ticks: 55/);
    assert.equal(edits.length, 1);
    vscode.workspace.applyEdit = applyEdit;
});

test('the agent and the tick that a world shows are known, and debugged', async () => {
    const [panel] = editor.panels;
    assert.equal(shownTurn(scenario), undefined);
    panel.events.message({ flockworkTick: 7 });
    assert.deepEqual(shownTurn(scenario), { tick: 7, agent: undefined, why: undefined });
    panel.events.message({ flockworkTick: 8, flockworkValues: { tick: 8, agent: 3 }, flockworkWhy: 'it seeks' });
    assert.deepEqual(shownTurn(scenario), { tick: 8, agent: 3, why: 'it seeks' });
    await editor.commands['flockwork.debugAgent']();
    assert.deepEqual(editor.debugged, [{ type: 'flockwork', request: 'launch', name: 'a', scenario, firstAgent: 3, tick: 8, stopOnEntry: true }]);
    panel.events.message({ flockworkTick: 9, flockworkValues: null });
    assert.deepEqual(shownTurn(scenario), { tick: 9, agent: undefined, why: undefined });
    await editor.commands['flockwork.debugAgent']();
    assert.equal(editor.debugged.length, 1);
    assert.match(editor.notified.at(-1) ?? '', /click an agent/);
    assert.equal(shownTurn(other), undefined);
    told.length = 0;
});

test('what the selected agent computes is told, until the panel is closed', () => {
    const [panel] = editor.panels;
    const values = { tick: 3, agent: 0, group: 'a', files: [] };
    panel.events.message({ flockworkValues: values });
    panel.events.message({ flockworkValues: null });
    panel.events.message({ something: 'else' });
    assert.deepEqual(told, [[folder, [values]], [folder, []]]);
    // An editor beside the panel is as wide as it. Caught: values behind lines were cut at its edge.
    panel.events.message({ flockworkValues: values, flockworkWidth: 600 });
    panel.events.message({ flockworkValues: values, flockworkWidth: 60 });
    panel.events.dispose();
    assert.deepEqual(told.slice(2), [[folder, [{ ...values, columns: 53 }]], [folder, [{ ...values, columns: 0 }]], [folder, []]]);
    assert.equal(shownTurn(scenario), undefined);
});

/** Caught: the world was gone, and its empty column stayed. */
test('when the window is loaded again, a panel has its world again', async () => {
    await editor.commands['flockwork.world'](uri(scenario));
    const panel = editor.panels.at(-1);
    const { flockworkState: state } = panel.posted.find((/** @type {any} */ one) => one.flockworkState !== undefined);
    panel.events.dispose();
    panel.webview.html = '';
    await editor.serializer.deserializeWebviewPanel(panel, state);
    assert.match(panel.webview.html, /fn steer/);
    panel.events.message({ flockworkTick: 4 });
    assert.equal(shownTurn(scenario)?.tick, 4);
    panel.events.dispose();
    // The scenario may be gone since.
    let isClosed = false;
    panel.dispose = () => (isClosed = true);
    for (const state of [undefined, { scenario: path.join(folder, 'scenarios/gone.ron') }]) {
        isClosed = false;
        await editor.serializer.deserializeWebviewPanel(panel, state);
        assert.ok(isClosed);
    }
    told.length = 0;
});

/** Caught: behind most lines there was no room for a vector. */
test('the first world leaves the editor beside it more room, and the values know it', async () => {
    editor.panels.length = editor.executed.length = told.length = 0;
    vscode.window.tabGroups = { all: [{ tabs: [] }] };
    await editor.commands['flockwork.world'](uri(scenario));
    vscode.window.tabGroups = { all: [] };
    const layouts = editor.executed.filter(([command]) => command === 'vscode.setEditorLayout');
    assert.deepEqual(layouts.map(([, { groups }]) => groups), [[{ size: 0.58 }, { size: 1 - 0.58 }]]);
    const [panel] = editor.panels;
    panel.events.message({ flockworkValues: { tick: 3, agent: 0, group: 'a', files: [] }, flockworkWidth: 420 });
    assert.equal(told[0][1][0].columns, 51);
    panel.events.dispose();
});

/** Caught: a second world took the values away and stood in a third column, the values did not come back when it was closed, and
 * a script of the other scenario had none. */
test('of several worlds, all have their values, first the one in which an agent was selected or that was looked at last', async () => {
    fs.writeFileSync(other, fs.readFileSync(scenario));
    editor.panels.length = told.length = 0;
    await editor.commands['flockwork.world'](uri(scenario));
    await editor.commands['flockwork.world'](uri(other));
    const [first, second] = editor.panels;
    assert.deepEqual([first.viewColumn, second.viewColumn], [2, 2]);
    const values = (/** @type {number} */ tick, /** @type {number} */ agent) => ({ tick, agent, group: 'a', files: [] });
    const tells = (/** @type {any} */ panel, /** @type {any} */ all) => {
        told.length = 0;
        panel.events.message({ flockworkValues: all });
        return told.map(([, values]) => values);
    };
    assert.deepEqual(tells(first, values(1, 3)), [[values(1, 3)]]);
    assert.deepEqual(tells(second, null), [], 'a world without an agent takes nothing away');
    assert.deepEqual(tells(second, values(1, 5)), [[values(1, 5), values(1, 3)]]);
    assert.deepEqual(tells(first, values(2, 3)), [[values(1, 5), values(2, 3)]], 'time goes on in the other one');
    told.length = 0;
    first.active = true;
    first.events.view();
    assert.deepEqual(told, [[folder, [values(2, 3), values(1, 5)]]]);
    assert.deepEqual(tells(second, values(2, 5)), [[values(2, 3), values(2, 5)]]);
    told.length = 0;
    first.events.dispose();
    assert.deepEqual(told, [[folder, [values(2, 5)]]]);
    second.events.dispose();
});

/** Caught: the first walk asked which one, and the globe of a script asked although one of its scenarios was open. */
test('the world is that of the scenario that was shown last, or is open', async () => {
    fs.writeFileSync(script, 'fn steer(me) { me.wander() }');
    const text = fs.readFileSync(scenario, 'utf8').replace('"new"', '"go"');
    [scenario, other].forEach((file) => fs.writeFileSync(file, text));
    const shows = async (/** @type {string | undefined} */ file) => {
        editor.panels.forEach((panel) => panel.events.dispose());
        editor.panels.length = editor.asked.length = 0;
        await editor.commands['flockwork.world'](file === undefined ? undefined : uri(file));
        assert.deepEqual(editor.asked, []);
        return editor.panels[0].title;
    };
    const show = (/** @type {string} */ file) => editor.switches.forEach((told) => told({ document: { uri: uri(file) } }));
    vscode.window.tabGroups = { all: [{ tabs: [{ input: new vscode.TabInputText(uri(other)) }, { input: undefined }] }] };
    editor.executed.length = 0;
    assert.equal(await shows(undefined), 'b');
    // The first walk knows it.
    assert.ok(editor.executed.some(([, context]) => context === 'flockwork.has_shown'));
    show(scenario);
    show(script);
    assert.equal(await shows(undefined), 'a');
    assert.equal(await shows(script), 'a');
    show(other);
    assert.equal(await shows(script), 'b');
});
