// The lens `explain`: which agent it takes, the document that it opens, and what it says of files with errors.

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { context, editor, uri } = require('./stand_in');
const { project } = require('./support');
const { addExplanations, explain } = require('../explain');
const { addWorlds } = require('../world');
const { withTooltips } = require('../lenses');

const folder = project({
    'scenarios/a.ron': '(ticks: 90, world: (size: (90, 90)), groups: { "a": (behavior: "go", spawn: Points([(10, 10), (20, 20)]), body: (radius: 1, max_speed: 9, max_force: 9), params: { "gain": 1.0 }) })',
    'scripts/go.rhai': 'fn steer(me) {\n    me.seek(vec(50, 50))\n}\n',
    'page.html': '<!doctype html><!-- flockwork page --><script id="flockwork-project" type="application/json">{}</script>',
});
editor.open(folder);
editor.page = path.join(folder, 'page.html');
const scenario = path.join(folder, 'scenarios/a.ron');
const script = path.join(folder, 'scripts/go.rhai');
addExplanations(context());
addWorlds(context(), () => undefined);

const agents = async () => [0, 1].map((agent) => ({ agent, group: 'a' }));

/** Returns the document that was shown last. */
function shown() {
    const [file] = editor.opened.at(-1) ?? [];
    return editor.documents[file ?? ''];
}

/** Caught: it took agent 0 at tick 60 without asking, and opened a file in the folder for temporary ones. */
test('without a world, it asks for the agent and the tick, and its places are links', async () => {
    editor.answer = '30';
    await explain(scenario, agents);
    assert.deepEqual(editor.asked.map(([title]) => title), ['Which agent of a shall be explained?', 'Explain agent 0 at which tick?']);
    assert.deepEqual(editor.asked[0][1].map((/** @type {any} */ { label }) => label), ['agent 0', 'agent 1']);
    const document = shown();
    assert.equal(document.uri.path, '/a: agent 0 at tick 30');
    assert.equal(document.languageId, 'flockwork-explanation');
    assert.match(document.getText(), /^agent 0 \(a\) mostly follows `seek`/);
    const [link] = editor.virtual['flockwork-explanation'].links.provideDocumentLinks(document);
    assert.deepEqual([link.target.fsPath, link.target.fragment], [script, 'L2,8']);
    // An answer that is none ends it.
    for (const answer of [undefined, 'soon']) {
        editor.answer = answer;
        editor.opened.length = 0;
        await explain(scenario, agents);
        assert.deepEqual(editor.opened, []);
    }
});

/** Caught: it explained a run of the files from the first tick on, without the sliders and the edits on the way. */
test('the world beside the code explains the agent that is selected, in what it has run', async () => {
    await editor.commands['flockwork.world'](uri(scenario));
    const [panel] = editor.panels;
    editor.asked.length = 0;
    await panel.events.message({ flockworkTick: 12, flockworkValues: { tick: 12, agent: 1, group: 'a', files: [] }, flockworkWhy: 'agent 1 follows' });
    await explain(scenario, agents);
    assert.deepEqual(editor.asked, []);
    assert.deepEqual([shown().uri.path, shown().getText()], ['/a: agent 1 at tick 12', 'agent 1 follows']);
    // Without a selected agent, the one that is chosen is selected.
    await panel.events.message({ flockworkTick: 13, flockworkValues: null });
    const explained = explain(scenario, agents);
    for (let waited = 0; waited < 2000 && panel.posted.at(-1)?.flockworkSelect !== 0; waited += 5) {
        await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(panel.posted.at(-1)?.flockworkSelect, 0);
    await panel.events.message({ flockworkTick: 14, flockworkValues: { tick: 14, agent: 0, group: 'a', files: [] }, flockworkWhy: 'agent 0 too' });
    await explained;
    assert.deepEqual(editor.asked.map(([title]) => title), ['Which agent of a shall be explained?']);
    assert.deepEqual([shown().uri.path, shown().getText()], ['/a: agent 0 at tick 14', 'agent 0 too']);
    // Another version of the program tells no explanation.
    await panel.events.message({ flockworkTick: 15, flockworkValues: { tick: 15, agent: 0, group: 'a', files: [] } });
    await explain(scenario, agents);
    assert.match(shown().getText(), /^The world was shown by another version /);
    // It may be gone.
    await panel.events.message({ flockworkTick: 15, flockworkValues: null });
    editor.shown.length = 0;
    await explain(scenario, agents);
    assert.deepEqual(editor.shown, ['There is no agent 0 in the world of a at tick 15.']);
    panel.events.dispose();
});

test('of a file with an error, one sentence says which and why, and the problems are shown', async () => {
    fs.writeFileSync(script, 'fn steer(me) {\n    me.sek(vec(50, 50))\n}\n');
    editor.shown.length = editor.opened.length = editor.asked.length = 0;
    await explain(scenario, agents);
    assert.deepEqual(editor.shown, ['Nothing of a can be explained: go.rhai:2: there is no function `sek`']);
    assert.deepEqual(editor.executed.at(-1), ['workbench.actions.view.problems']);
    assert.deepEqual([editor.opened, editor.asked], [[], []]);
    fs.writeFileSync(script, 'fn steer(me) {\n    me.seek(vec(50, 50))\n}\n');
    await explain(scenario, async () => []);
    assert.match(editor.shown[1], /^No agent of a uses this script at the start/);
});

test('lenses say what they do', () => {
    const commands = ['run', 'view', 'explain', 'test'].map((name) => ({ command: { title: name, command: `flockwork.${name}` } }));
    const told = withTooltips(/** @type {any} */ (commands)).map((/** @type {any} */ { command }) => command.tooltip);
    assert.equal(new Set(told).size, 4);
    assert(told.every((/** @type {string} */ tooltip) => tooltip.length > 20));
    assert.equal(withTooltips(null), null);
});
