// The test explorer: scenarios are found, run by the real program, debugged where they fail, and accepted.

const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { editor, uri, vscode } = require('./stand_in');
const { flockwork, json, project } = require('./support');
const { addTests } = require('../explorer');
const { addLenses, uncovered } = require('../lenses');

const SCENARIO = `// Walks.
(
    ticks: 20,
    world: (size: (100, 100)),
    groups: { "a": (behavior: "go", spawn: Points([(10, 10), (20, 50)]), velocity: (1, 0), body: (max_speed: 20, max_force: 40)) },
)
`;
const BROKEN = '(ticks: 5,';
const SCRIPT = 'fn steer(me) {\n    me.seek(vec(90, 90))\n}\n';

const folder = project({
    'scenarios/a.ron': SCENARIO,
    'scenarios/deep/b.ron': SCENARIO.replace('ticks: 20', 'ticks: 20, expect: [MaxSpeed(speed: 500)]'),
    'scenarios/broken.ron': BROKEN,
    'scenarios/sweep.plan.ron': '()',
    'scripts/go.rhai': SCRIPT,
});
flockwork(folder, 'test', '--update', '--reason', 'new', 'scenarios/a.ron');
// The line of a difference is known from the files that the golden was written with.
for (const args of [['init', '-q'], ['add', '-A'], ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'new']]) {
    execFileSync('git', args, { cwd: folder });
}
editor.open(folder);
/** What the language server knows of the scenarios that use a file; nothing if it does not run. @type {string[] | undefined} */
let using;
const tests = addTests(/** @type {any} */ ({ subscriptions: [] }), async () => using ?? Promise.reject(new Error('it does not run')));
addLenses(/** @type {any} */ ({ subscriptions: [] }), tests);

/** Returns the titles of the lenses in a file of the project, with their lines. @param {string} name */
function lenses(name) {
    const document = { uri: uri(path.join(folder, name)) };
    return editor.lenses[0].provider.provideCodeLenses(document).map((/** @type {any} */ { range, command }) => `${range.line}: ${command.title}`);
}

/** Runs tests and returns what was told. @param {any} request */
async function told(request) {
    editor.told.length = 0;
    editor.started.length = 0;
    await editor.controller.profiles.Run(request, undefined);
    return newlyTold();
}

/** Returns what was told of tests that ran: others that had failed before are told again. */
function newlyTold() {
    return editor.told.filter(([, label]) => editor.started.includes(label)).map(([how, label]) => `${how} ${label}`).sort();
}

test('scenarios are found, and each has its result', async () => {
    await tests.find();
    const items = [...editor.controller.items.values()];
    assert.deepEqual(items.map((item) => item.label), ['a', 'broken', 'deep']);
    // The tests of a folder can be run together.
    assert.deepEqual([...items[2].children].map(([, { label }]) => label), ['deep/b']);
    assert.deepEqual(await told({ include: [items[2]] }), ['passed deep/b']);
    // The mark is beside the scenario, not beside the comment above it.
    assert.equal(items[0].range.line, 1);
    assert.deepEqual(await told({}), ['errored broken', 'passed a', 'passed deep/b']);
    assert.deepEqual(await told({ exclude: [items[1], items[2]] }), ['passed a']);
    assert.deepEqual(editor.told.map(([how, label]) => `${how} ${label}`), ['passed a', 'errored broken']);
    // What passes, or is another run's, is not told again.
    fs.writeFileSync(items[1].id, SCENARIO.replace('ticks: 20', 'ticks: 20, expect: [MaxSpeed(speed: 500)]'));
    assert.deepEqual(await told({ include: [items[1]] }), ['passed broken']);
    fs.writeFileSync(items[1].id, BROKEN);
    assert.deepEqual(await told({ include: [items[0]] }), ['passed a']);
    assert.equal(editor.told.length, 1);
});

test('a run that differs is told at its line, debugged at its tick, and accepted with a reason', async () => {
    const [item] = editor.controller.items.values();
    fs.writeFileSync(path.join(folder, 'scripts/go.rhai'), SCRIPT.replace('seek', 'flee'));
    assert.deepEqual(await told({ include: [item] }), ['failed a']);
    const [[, , messages]] = editor.told;
    const [{ message, location, contextValue }] = messages;
    // Caught: beside a world, the line at the cause had room for the name of that line only.
    // Caught: the test explorer, which shows the first line, cut a sentence inside a bracket.
    assert.match(message, /^`flee`: not called before; this is probably why the run differs from its golden from tick 1 on\nthe point \(90, 90\), [^\n]*\n.*If the new run is right.*first difference/s);
    // Caught: the panel began with a note and a table, and ended with commands of a terminal.
    const [output] = editor.output.slice(-1);
    assert.match(output, /^fail scenarios\/a\.ron\r\n\r\n`flee` at scripts\/go\.rhai:2:8: not called before; this is probably why the run differs from its golden from tick 1 on\r\n\r\n/);
    assert.doesNotMatch(output, /flockwork (test|explain)/);
    // Caught: long lines were cut off, and the cause was told twice.
    assert.equal(message.match(/not called before/g).length, 1);
    const long = message.split('\n').slice(1).filter((/** @type {string} */ line) => line.length > 52);
    assert.deepEqual(long, []);
    assert.equal(location.uri.fsPath, path.join(folder, 'scripts/go.rhai'));
    assert.equal(location.range.line, 1);
    assert.equal(contextValue, 'acceptable debuggable');
    assert.deepEqual(editor.executed.slice(-2), [['setContext', 'flockwork.acceptable', [item.id]], ['setContext', 'flockwork.can_accept', true]]);
    // It is offered, and the words name no commands of a terminal.
    assert.deepEqual(editor.notified, ['The run of a differs from its golden, the recorded run.']);
    assert.match(message, /"Accept\sthe\snew\srun"\srecords/);
    assert.match(message, /\n\nTo see why, look at agent 1 at tick 0/);
    // Caught: a command of a terminal was named, "flockwork explain".
    assert.doesNotMatch(message, /flockwork (test|explain)/);
    // Caught: when the message after the run was gone, only the test explorer could accept it.
    const [accept, show, debug] = ['$(check) Accept the new run …', '$(globe) Show it in the world', '$(debug-alt) Debug agent 1'];
    assert.deepEqual(lenses('scripts/go.rhai'), [`1: ${accept}`, `1: ${show}`, `1: ${debug}`]);
    assert.deepEqual(lenses('scenarios/a.ron'), [`1: ${accept}`, `1: ${show}`, `1: ${debug}`]);
    assert.deepEqual(lenses('scenarios/a.golden'), [`0: ${accept}`]);
    assert.deepEqual(lenses('scenarios/deep/b.ron'), []);
    // Caught: the message covered the value behind its line, which is above it now.
    const values = [{ line: 1, text: 'flee = (1, 2)' }, { line: 2, text: 'near = 1 neighbor' }];
    const shown = (/** @type {any[]} */ all) => uncovered(tests, path.join(folder, 'scripts/go.rhai'), all, ({ line, text }) => [line, text]);
    assert.deepEqual(shown(values), [values[1]]);
    assert.deepEqual(lenses('scripts/go.rhai'), ['1: flee = (1, 2)', `1: ${accept}`, `1: ${show}`, `1: ${debug}`]);
    assert.deepEqual(lenses('scenarios/a.golden'), [`0: ${accept}`]);
    // Lines of an edited file move. Caught: messages moved with them.
    const edit = (/** @type {any[]} */ contentChanges) => editor.edits.forEach((listener) => listener({ document: { uri: uri(path.join(folder, 'scripts/go.rhai')) }, contentChanges }));
    editor.told.length = 0;
    edit([]);
    assert.deepEqual([editor.told, editor.outdated], [[], []]);
    edit([{}]);
    assert.deepEqual(editor.told.map(([how, label, [old]]) => [how, label, old.location, old.contextValue]), [['failed', 'a', undefined, contextValue]]);
    assert.equal(editor.told[0][2][0].message, `before the edit: ${message}`);
    assert.deepEqual(editor.outdated.splice(0), ['a']);
    assert.deepEqual(lenses('scripts/go.rhai'), []);
    // Caught: after an edit, buttons led to the agent and the tick of the failure before.
    assert.deepEqual(lenses('scenarios/a.ron'), []);
    editor.told.length = 0;
    edit([{}]);
    await Promise.all(editor.saves.map((listener) => listener({ uri: uri(path.join(folder, 'scripts/go.rhai')) })));
    assert.deepEqual(editor.told, []);
    // The next run tells it anew.
    assert.deepEqual(await told({ include: [item] }), ['failed a']);
    assert.equal(editor.told[0][2][0].message, message);
    item.range = undefined;
    editor.saves.forEach((listener) => listener({ uri: item.uri }));
    assert.equal(item.range.line, 1);

    await editor.controller.profiles.Debug({ include: [item] });
    const { type, scenario, firstAgent, tick, stopOnEntry } = editor.debugged[0];
    assert.deepEqual(editor.executed.at(-1), ['workbench.view.debug']);
    assert.deepEqual([type, scenario, stopOnEntry], ['flockwork', item.id, true]);
    assert.ok(Number.isInteger(firstAgent));
    // The decision at tick 0 leads to the difference at tick 1.
    assert.equal(tick, 0);
    // A button of the message and a lens do the same.
    await editor.commands['flockwork.debug']({ test: item });
    await editor.commands['flockwork.debug'](item);
    assert.deepEqual(editor.debugged.slice(1), [editor.debugged[0], editor.debugged[0]]);

    // The world beside the code shows what the failure is about.
    editor.page = path.join(folder, 'page.html');
    fs.writeFileSync(editor.page, '<!doctype html><!-- flockwork page --><script id="flockwork-project" type="application/json">{}</script>');
    await editor.commands['flockwork.show']({ test: item });
    assert.deepEqual(editor.panels.map(({ title, posted }) => [title, posted.at(-1)]), [['a', { flockworkTurn: { tick: 0, agent: 1 } }]]);

    // Nothing is accepted without a reason.
    const golden = path.join(folder, 'scenarios/a.golden');
    const before = fs.readFileSync(golden, 'utf8');
    editor.answer = undefined;
    await editor.commands['flockwork.accept'](item);
    assert.equal(fs.readFileSync(golden, 'utf8'), before);
    editor.answer = 'they flee';
    editor.notified.length = 0;
    editor.output.length = 0;
    await editor.commands['flockwork.accept']();
    assert.match(fs.readFileSync(golden, 'utf8'), /they flee/);
    // Caught: the message that had offered it stayed.
    assert.ok(editor.executed.some(([command]) => command === 'notifications.hideToasts'));
    // Caught: it read like a failure, "the script has changed".
    assert.deepEqual(editor.notified, ['Accepted a: "they flee" (in a.golden)']);
    assert.deepEqual(editor.output, ['accepted scenarios/a.ron: scenarios/a.golden has the new run\r\n']);
    assert.deepEqual(await told({ include: [item] }), ['passed a']);
    assert.deepEqual(lenses('scenarios/a.ron'), []);
    assert.deepEqual(editor.executed.slice(-2), [['setContext', 'flockwork.acceptable', []], ['setContext', 'flockwork.can_accept', false]]);
});

/** Caught: ten runs that differed for one reason were accepted one by one. */
test('several new runs are accepted together', async () => {
    const [script, made, golden] = ['scripts/go.rhai', 'scenarios/deep/b.golden', 'scenarios/a.golden'].map((name) => path.join(folder, name));
    const before = [script, golden].map((file) => fs.readFileSync(file, 'utf8'));
    flockwork(folder, 'test', '--update', '--reason', 'first', 'scenarios/deep/b.ron');
    fs.writeFileSync(script, SCRIPT.replace('90, 90', '90, 10'));
    assert.deepEqual((await told({})).sort(), ['errored broken', 'failed a', 'failed deep/b']);
    editor.notified.length = editor.asked.length = 0;
    editor.answer = 'they turn';
    const { showQuickPick } = vscode.window;
    /** @type {any} */ (vscode.window).showQuickPick = async (/** @type {string[]} */ all) => (editor.asked.push(all), all.at(-1));
    await editor.commands['flockwork.accept']();
    vscode.window.showQuickPick = showQuickPick;
    assert.deepEqual(editor.asked[0], ['a', 'deep/b', 'All 2 of them, with one reason']);
    assert.deepEqual(editor.notified, [`Accepted a, deep/b: "${editor.answer}" (in 2 goldens)`]);
    assert.deepEqual([made, golden].map((file) => fs.readFileSync(file, 'utf8').includes(editor.answer)), [true, true]);
    fs.rmSync(made);
    [script, golden].forEach((file, index) => fs.writeFileSync(file, before[index] ?? ''));
    await told({});
});

/** Caught: when the golden was written elsewhere, the test went on failing. */
test('a test that has failed is run again when its golden changes', async () => {
    const [item] = editor.controller.items.values();
    const [script, golden] = ['scripts/go.rhai', 'scenarios/a.golden'].map((name) => path.join(folder, name));
    const before = [script, golden].map((file) => fs.readFileSync(file, 'utf8'));
    fs.writeFileSync(script, SCRIPT);
    assert.deepEqual(await told({ include: [item] }), ['failed a']);
    flockwork(folder, 'test', '--update', '--reason', 'back', 'scenarios/a.ron');
    for (const expected of [['passed a'], []]) {
        editor.told.length = 0;
        editor.started.length = 0;
        await tests.compareAgain(/** @type {any} */ (uri(golden)));
        assert.deepEqual(newlyTold(), expected);
    }
    assert.deepEqual(lenses('scenarios/a.ron'), []);
    [script, golden].forEach((file, index) => fs.writeFileSync(file, before[index] ?? ''));
});

test('a test can be accepted by its icon, in its menu and at its mark beside the text', () => {
    const { menus } = json('package.json').contributes;
    const of = (/** @type {string} */ menu) => menus[menu].filter((/** @type {any} */ one) => one.command === 'flockwork.accept');
    const when = 'controllerId == flockwork && testId in flockwork.acceptable';
    // Caught: only the icon did it. What is inline is in no menu.
    assert.deepEqual(of('testing/item/context').map((/** @type {any} */ one) => [one.group, one.when]), [['inline', when], ['flockwork', when]]);
    assert.deepEqual(of('testing/item/gutter').map((/** @type {any} */ one) => one.when), [when]);
    // Messages have words for what can be done.
    for (const menu of ['testing/message/context', 'testing/message/content']) {
        const words = menus[menu].map((/** @type {any} */ { command, when }) => [command, /testMessage =~ \/(\w+)\/$/.exec(when)?.[1]]);
        assert.deepEqual(words, [['flockwork.accept', 'acceptable'], ['flockwork.show', 'debuggable'], ['flockwork.debug', 'debuggable']], menu);
    }
});

test('only the scenarios that use a saved file are outdated', async () => {
    const outdated = async (/** @type {string} */ name) => {
        editor.outdated.length = 0;
        await Promise.all(editor.saves.map((listener) => listener({ uri: uri(path.join(folder, name)) })));
        return editor.outdated;
    };
    using = [path.join(folder, 'scenarios/a.ron'), path.join(folder, 'scenarios/elsewhere.ron')];
    // Caught: all results were.
    assert.deepEqual(await outdated('scripts/go.rhai'), ['a']);
    using = [];
    assert.deepEqual(await outdated('scripts/unused.rhai'), []);
    assert.deepEqual(await outdated('notes.md'), []);
    // Without a server, nobody knows.
    using = undefined;
    assert.deepEqual(await outdated('scripts/go.rhai'), ['a', 'broken', 'deep/b']);
});

test('a code lens runs the tests of its scenarios', async () => {
    const [item] = editor.controller.items.values();
    editor.told.length = 0;
    await tests.runFiles([`file://${item.id}`, `file://${folder}/scripts/go.rhai`]);
    // Caught: when another run was accepted, the messages of this test were gone.
    assert.deepEqual(editor.told.map(([how, label]) => `${how} ${label}`), ['passed a', 'errored broken']);
});

test('a program that cannot be run is an error of each test', async () => {
    const [item] = editor.controller.items.values();
    const right = editor.path;
    editor.path = '/no/flockwork';
    assert.deepEqual(await told({ include: [item] }), ['errored a']);
    assert.match(editor.told[0][2].message, /ENOENT/);
    editor.path = right;
});

/** Caught: above each expectation stood the agent of the first one. */
test('an agent is offered where the failure is about it', async () => {
    fs.writeFileSync(path.join(folder, 'scripts/slow.rhai'), '// All stay slow.\nfn expect(now) {\n    now.agents > 0\n        && now.max_speed < 2\n}\n');
    const file = path.join(folder, 'scenarios/deep/b.ron');
    const before = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, before.replace('MaxSpeed(speed: 500)', '\n    MaxSpeed(speed: 2),\n    Script(name: "slow", every: 10),\n    '));
    const [[, item]] = [...editor.controller.items.values()].find(({ label }) => label === 'deep').children;
    assert.deepEqual(await told({ include: [item] }), ['failed deep/b']);
    const debug = lenses('scenarios/deep/b.ron').filter((/** @type {string} */ lens) => lens.includes('Debug'));
    assert.equal(debug.length, 2);
    assert.match(debug.join('\n'), /^3: .* Debug agent 0\n1: /m);
    const messages = editor.told[0][2].map((/** @type {any} */ { message, location, contextValue }) => [message.split('\n')[0], path.basename(location.uri.fsPath), location.range.line, contextValue]);
    assert.match(messages[0][0], /^agent 0 \(a\) has speed \S+ at tick 9; expected at most 2$/);
    assert.deepEqual(messages[0].slice(1), ['b.ron', 3, 'debuggable']);
    assert.deepEqual(messages[1], ['slow does not hold: "All stay slow." (it returned false at tick 10)', 'b.ron', 4, undefined]);
    // The condition that is false has a message of its own, with all that is known.
    const condition = editor.told[0][2].find((/** @type {any} */ { location }) => location.uri.fsPath.endsWith('slow.rhai'));
    assert.equal(condition.location.range.line, 3);
    assert.match(condition.message, /^this does not hold at tick 10\nslow does not hold/);
    assert.match(condition.message, /it fails in 2 ticks/);
    // An edit of the script ends its message, and makes the others old.
    const paths = () => editor.told.find(([, label]) => label === 'deep/b')?.[2].map((/** @type {any} */ { message, location }) => [/^before the edit: /.test(message), path.basename(location.uri.fsPath)]);
    const scripts = new Set(paths().map((/** @type {any[]} */ [, name]) => name)).size;
    editor.told.length = 0;
    editor.edits.forEach((listener) => listener({ document: { uri: uri(path.join(folder, 'scripts/slow.rhai')) }, contentChanges: [{}] }));
    assert.ok(scripts >= 2 && paths().length >= 2);
    assert.ok(paths().every((/** @type {any[]} */ [isOld, name]) => isOld && name !== 'slow.rhai'), JSON.stringify(paths()));
    fs.writeFileSync(file, before);
});
