// The world beside the code: the page of a scenario, and the files that are saved while it is open.

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { editor, uri } = require('./stand_in');
const { project } = require('./support');
const { addWorlds } = require('../world');

const PAGE = '<!doctype html><!-- flockwork page --><script id="flockwork-project" type="application/json">{}</script>';

const folder = project({
    'scenarios/a.ron': '(ticks: 5, world: (size: (9, 9)), groups: { "a": (behavior: "go", spawn: Points([(1, 1)])) })',
    'scripts/go.rhai': 'fn steer(me) { me.wander() }',
    'page.html': PAGE,
});
editor.open(folder);
addWorlds(/** @type {any} */ ({ subscriptions: [] }));
const scenario = path.join(folder, 'scenarios/a.ron');
const script = path.join(folder, 'scripts/go.rhai');

test('without the page, a message says what is missing', async () => {
    editor.page = path.join(folder, 'none.html');
    await editor.commands['flockwork.world'](uri(scenario));
    assert.match(editor.shown[0], /cannot be shown.*none\.html/s);
    assert.equal(editor.panels.length, 0);
});

test('a panel has the files of the scenario, and saved ones follow', async () => {
    editor.page = path.join(folder, 'page.html');
    // A script leads to a scenario of its project.
    await editor.commands['flockwork.world'](uri(script));
    const [panel] = editor.panels;
    assert.equal(panel.title, 'a');
    assert.match(panel.webview.html, /me\.wander/);
    await editor.commands['flockwork.world'](uri(scenario));
    assert.equal(editor.panels.length, 1);

    const save = async (/** @type {string} */ text) => {
        fs.writeFileSync(script, text);
        await editor.saved({ uri: uri(script) });
    };
    await save('fn steer(me) { me.seek(vec(1, 2)) }');
    assert.match(panel.posted[0].flockworkProject.files['scripts/go.rhai'], /seek/);
    // One that cannot run changes nothing.
    await save('fn steer(me) { me.seek(');
    assert.equal(panel.posted.length, 1);
});
