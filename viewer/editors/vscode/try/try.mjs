// Tries the extension in VS Code: `CODE_SERVER=FOLDER npm run try [-- OUT] [--book]` opens a project in code-server, which `try/code-server`
// builds, works there as a person does, and writes pictures into OUT; with `--book`, those of the book into `viewer/pictures`, too. Needs Chromium. `FLOCKWORK` is the program, and
// `FLOCKWORK_PAGE` the page whose engine runs worlds (`target/web/page.html`), if the program was built without one.

import assert from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

const HERE = path.resolve(import.meta.dirname, '..');
const CODE_SERVER = process.env.CODE_SERVER;
const PROGRAM = path.resolve(process.env.FLOCKWORK ?? path.join(HERE, '../../../target/debug/flockwork'));
const PAGE = path.resolve(process.env.FLOCKWORK_PAGE ?? path.join(HERE, '../../../target/web/page.html'));
const [OUT_FOLDER] = process.argv.slice(2).filter((argument) => argument !== '--book');
const OUT = path.resolve(OUT_FOLDER ?? path.join(HERE, 'try/out'));
const BOOK = process.argv.includes('--book') ? path.resolve(HERE, '../../pictures') : undefined;
/** The size of the window, and that of the pictures of the book, in which text stays readable. */
const [WINDOW, BOOK_WINDOW] = [{ width: 1500, height: 950 }, { width: 1200, height: 640 }];
/**
 * The parts of the pictures of the book that the first walk shows, one below the other: x, y, width and height. VS Code gives them a column of about 470
 * pixels, in which a whole window cannot be read.
 */
const WALK_WIDTH = 574;
const WALK = {
    finding: [[348, 36, WALK_WIDTH, 262]],
    failure: [[348, 36, WALK_WIDTH, 266]],
    world: [[48, 70, WALK_WIDTH, 215], [717, 74, 483, 416]],
    debugger: [[348, 36, WALK_WIDTH, 256], [48, 70, 300, 220]],
};
// Another one for each try: a server that ends may keep its port for a while.
const PORT = 20_000 + (process.pid % 10_000);

if (CODE_SERVER === undefined) {
    console.error('set CODE_SERVER to the folder of code-server: `try/code-server FOLDER` builds it');
    process.exit(2);
}

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'flockwork-try-'));
fs.rmSync(OUT, { recursive: true, force: true });
fs.mkdirSync(OUT, { recursive: true });

const project = makeProject();
const server = startServer();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: WINDOW });
page.setDefaultTimeout(60_000);

let pictures = 0;
try {
    for (const step of [opens, walk, findings, completion, names, formatting, newScript, symbols, tests, world, debugging]) {
        console.log(step.name);
        await step();
    }
    console.log(`${pictures} pictures in ${OUT}`);
} catch (error) {
    await picture('failure');
    throw error;
} finally {
    await browser.close();
    // With what it has started.
    process.kill(-server.pid);
    fs.rmSync(home, { recursive: true, force: true });
}

/** Makes a project with a golden, in a Git repository. */
function makeProject() {
    const folder = path.join(home, 'birds');
    execFileSync(PROGRAM, ['new', folder]);
    const run = (program, ...args) => execFileSync(program, args, { cwd: folder, stdio: 'ignore' });
    run(PROGRAM, 'test', '--update', '--reason', 'first');
    run('git', 'init', '-q');
    run('git', 'add', '-A');
    run('git', '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
    return folder;
}

/** Starts code-server with the extension. */
function startServer() {
    const data = path.join(home, 'data');
    // A setting of the machine is ignored in those of the user.
    write(path.join(data, 'Machine/settings.json'), {
        'flockwork.path': PROGRAM,
        'flockwork.page': fs.existsSync(PAGE) ? PAGE : '',
    });
    write(path.join(data, 'User/settings.json'), {
        'security.workspace.trust.enabled': false,
        'workbench.startupEditor': 'none',
        'workbench.colorTheme': 'Default Dark Modern',
        // Browsers save by themselves otherwise.
        'files.autoSave': 'off',
        'window.menuBarVisibility': 'compact',
        // Values behind lines need room.
        'editor.minimap.enabled': false,
        'editor.fontSize': 12,
    });
    const folders = ['--user-data-dir', data, '--extensions-dir', path.join(home, 'extensions')];
    execFileSync('npm', ['run', '--silent', 'package'], { cwd: HERE, stdio: 'inherit' });
    execFileSync('node', [CODE_SERVER, ...folders, '--install-extension', path.join(HERE, 'flockwork.vsix')], { stdio: 'inherit' });
    const options = ['--auth', 'none', '--bind-addr', `127.0.0.1:${PORT}`, '--disable-telemetry', '--disable-update-check'];
    return spawn('node', [CODE_SERVER, ...folders, ...options], { stdio: 'ignore', detached: true });
}

/** Writes settings. @param {string} file @param {object} settings */
function write(file, settings) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(settings));
}

/** Writes a picture of the window. @param {string} name */
async function picture(name) {
    pictures += 1;
    await page.screenshot({ path: path.join(OUT, `${String(pictures).padStart(2, '0')}_${name}.png`) });
}

/**
 * Writes a picture of the book, if these are asked for, and the same one in a light theme, for the first walk. `prepare` opens what a change of
 * the size closes, and `reopen` what a change of the theme closes.
 *
 * @param {string} name
 */
async function bookPicture(name, prepare = async () => {}, reopen = async () => {}) {
    if (BOOK !== undefined) {
        await page.setViewportSize(BOOK_WINDOW);
        // A change of the size is drawn a moment later.
        await page.waitForTimeout(1500);
        await command('Notifications: Clear All Notifications');
        await prepare();
        await screenshot(name, '');
        const toggle = 'Preferences: Toggle between Light/Dark Themes';
        await command(toggle);
        await page.waitForTimeout(1500);
        await reopen();
        await screenshot(name, '_light');
        await page.keyboard.press('Escape');
        await command(toggle);
        await page.setViewportSize(WINDOW);
    }
}

/** Writes the window into a file of the book, and its parts into one of the walk. @param {string} name @param {string} theme */
async function screenshot(name, theme) {
    await page.locator('.notification-toast').first().waitFor({ state: 'detached' });
    // Where no tooltip opens.
    await page.mouse.move(BOOK_WINDOW.width * 0.4, BOOK_WINDOW.height * 0.9);
    await page.waitForTimeout(500);
    const whole = await page.screenshot({ path: path.join(BOOK, `vscode_${name}${theme}.png`), caret: 'hide' });
    const url = `data:image/png;base64,${whole.toString('base64')}`;
    const parts = WALK[name].map(([x, y, width, height]) => `<div style="background: url(${url}) -${x}px -${y}px; width: ${width}px; height: ${height}px"></div>`);
    const height = WALK[name].reduce((sum, part) => sum + part[3], 0);
    const sheet = await browser.newPage({ viewport: { width: WALK_WIDTH, height } });
    await sheet.setContent(`<body style="margin: 0; background: ${theme === '' ? '#181818' : '#f8f8f8'}">${parts.join('')}</body>`);
    await sheet.screenshot({ path: path.join(BOOK, `vscode_walk_${name}${theme}.png`) });
    await sheet.close();
}

/** Opens the field above the editor with a key, which a window that has just opened does not know yet. @param {string} key */
async function quickInput(key) {
    const input = page.locator('.quick-input-widget input');
    // That of the command before may be closing.
    await input.waitFor({ state: 'hidden' });
    for (let tries = 0; ; tries += 1) {
        await page.keyboard.press(key);
        try {
            await input.waitFor({ timeout: 5000 });
            break;
        } catch (error) {
            if (tries === 10) {
                throw error;
            }
        }
    }
    return input;
}

/** Starts a command by its title. @param {string} title */
async function command(title) {
    const input = await quickInput('F1');
    await input.fill(`>${title}`);
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).first().waitFor();
    await page.keyboard.press('Enter');
}

/** Opens a file of the project. @param {string} name */
async function openFile(name) {
    const input = await quickInput('Control+p');
    await input.fill(name);
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: name }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', { hasText: name }).waitFor();
    await page.locator('.editor-instance .view-lines').first().waitFor();
}

/** Goes to a line of the file that is shown. @param {number} line */
async function goToLine(line) {
    await command('Go to Line/Column...');
    await page.keyboard.type(String(line));
    await page.keyboard.press('Enter');
}

async function opens() {
    for (let tries = 0; ; tries += 1) {
        try {
            await page.goto(`http://127.0.0.1:${PORT}/?folder=${project}`);
            break;
        } catch (error) {
            if (tries === 100) {
                throw error;
            }
            await new Promise((resolve) => setTimeout(resolve, 200));
        }
    }
    await page.locator('.monaco-workbench .explorer-folders-view').waitFor();
    await openFile('hello.rhai');
    await page.locator('.codelens-decoration', { hasText: 'explain' }).waitFor();
    await picture('opened');
}

async function walk() {
    // A project that is opened for the first time invites to the walk, and nothing else is asked or told.
    await page.locator('.notification-toast', { hasText: 'A walk of six steps' }).waitFor();
    const told = await page.locator('.notification-toast').allInnerTexts();
    assert.equal(told.filter((text) => /flockwork/i.test(text)).length, 1);
    await page.locator('.notification-toast .monaco-button', { hasText: 'Take the walk' }).click();
    await page.locator('.gettingStartedContainer .step-title', { hasText: 'Stop one agent' }).waitFor();
    // The step that is open has a picture.
    const image = page.locator('.gettingStartedContainer img[alt^="The world beside a script"]');
    await image.waitFor();
    assert.ok(await image.evaluate((shown) => shown.decode().then(() => shown.naturalWidth > 0)));
    await picture('walk');
    await page.locator('.tab.active', { hasText: 'Walkthrough' }).locator('.codicon-close').click();
    await page.reload();
    await page.locator('.monaco-workbench .explorer-folders-view').waitFor();
    await openFile('hello.rhai');
    await page.locator('.codelens-decoration', { hasText: 'explain' }).waitFor();
    assert.equal(await page.locator('.notification-toast', { hasText: 'A walk of six steps' }).count(), 0);
}

async function findings() {
    const script = fs.readFileSync(path.join(project, 'scripts/hello.rhai'), 'utf8');
    const line = script.split('\n').findIndex((text) => text.includes('me.')) + 1;
    await goToLine(line);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('let far = me.params.nothing;');
    await page.locator('.squiggly-error, .squiggly-warning').first().waitFor();
    await command('Problems: Focus on Problems View');
    await page.locator('.markers-panel .monaco-list-row', { hasText: 'nothing' }).first().waitFor();
    await picture('finding');
    await page.locator('.editor-instance .view-lines').first().click();
    await command('File: Revert File');
    // The panel is closed.
    await page.keyboard.press('Control+j');
    await goToLine(line);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('let far = me.sepration(20);');
    await page.keyboard.press('Escape');
    await page.locator('.squiggly-error').first().waitFor();
    const openFixes = async () => {
        await page.keyboard.press('Home');
        for (let step = 0; step < 'let far = me.sep'.length; step += 1) {
            await page.keyboard.press('ArrowRight');
        }
        await page.keyboard.press('Control+.');
        await page.locator('.action-widget .monaco-list-row', { hasText: 'Write `separation`' }).waitFor();
    };
    await bookPicture('finding', openFixes, openFixes);
    await page.keyboard.press('Escape');
    await command('File: Revert File');
}

async function completion() {
    await goToLine(1);
    await command('Go to Line/Column...');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    const script = fs.readFileSync(path.join(project, 'scripts/hello.rhai'), 'utf8');
    const line = script.split('\n').findIndex((text) => text.includes('fn steer')) + 1;
    await goToLine(line);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('me.se', { delay: 60 });
    await page.locator('.suggest-widget .monaco-list-row', { hasText: 'seek' }).first().waitFor();
    await picture('completion');
    await page.keyboard.press('Escape');
    await command('File: Revert File');
}

/** The uses of a param: in a script and in scenarios. */
async function names() {
    const script = fs.readFileSync(path.join(project, 'scripts/hello.rhai'), 'utf8').split('\n');
    const line = script.findIndex((text) => text.includes('me.params.'));
    await command('Go to Line/Column...');
    await page.keyboard.type(`${line + 1}:${script[line].indexOf('me.params.') + 'me.params.'.length + 2}`);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Alt+F12');
    await page.locator('.sidebar .monaco-list-row', { hasText: 'hello.ron' }).first().waitFor();
    await picture('names');
    await page.locator('.editor-instance .view-lines').first().click();
}

async function formatting() {
    const script = fs.readFileSync(path.join(project, 'scripts/hello.rhai'), 'utf8');
    const line = script.split('\n').findIndex((text) => text.includes('fn steer')) + 1;
    await goToLine(line);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('let far = (1;');
    await command('Format Document');
    await page.locator('.statusbar-item', { hasText: `hello.rhai is not formatted: line ${line + 1} has a mistake` }).waitFor();
    await picture('not_formatted');
    await command('File: Revert File');
}

async function newScript() {
    await openFile('hello.ron');
    const scenario = fs.readFileSync(path.join(project, 'scenarios/hello.ron'), 'utf8');
    const before = scenario.slice(0, scenario.indexOf('behavior: "hello') + 'behavior: "hello'.length).split('\n');
    await command('Go to Line/Column...');
    await page.keyboard.type(`${before.length}:${before.at(-1).length + 1}`);
    await page.keyboard.press('Enter');
    await page.keyboard.type('_again');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowLeft');
    await page.locator('.squiggly-error').first().waitFor();
    await page.keyboard.press('Control+.');
    const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'Create the script `hello_again`' });
    await fix.waitFor();
    while ((await page.locator('.action-widget .monaco-list-row.focused', { hasText: 'Create the script' }).count()) === 0) {
        await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    // The new script is shown, and undo takes it away again.
    await page.locator('.tab.active', { hasText: 'hello_again.rhai' }).waitFor();
    await page.locator('.view-line', { hasText: 'me.wander()' }).first().waitFor();
    await picture('new_script');
    await page.keyboard.press('Control+z');
    await page.locator('.tab', { hasText: 'hello_again.rhai' }).waitFor({ state: 'detached' });
    assert.ok(!fs.existsSync(path.join(project, 'scripts/hello_again.rhai')));
    await openFile('hello.ron');
    await command('File: Revert File');
}

async function symbols() {
    const input = await quickInput('Control+p');
    await input.fill('#steer');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'hello.rhai' }).first().waitFor();
    await picture('symbols');
    await page.keyboard.press('Escape');
}

async function tests() {
    await command('Testing: Focus on Test Explorer View');
    const test = page.locator('.test-explorer .monaco-list-row', { hasText: 'hello' });
    await test.waitFor();
    await command('Test: Run All Tests');
    await page.locator('.test-explorer .codicon-testing-passed-icon').first().waitFor();
    await picture('test_passes');
    const script = path.join(project, 'scripts/hello.rhai');
    const before = fs.readFileSync(script, 'utf8');
    fs.writeFileSync(script, before.replace('0.3 * me.cohesion', '0.9 * me.cohesion'));
    await command('Test: Run All Tests');
    await page.locator('.test-explorer .codicon-testing-failed-icon').first().waitFor();
    await openFile('hello.rhai');
    await page.locator('.monaco-list-row', { hasText: 'differs from its golden' }).first().waitFor();
    await picture('test_fails');
    await bookPicture('failure', () => page.waitForTimeout(1000));
    await test.click();
    await command('Test: Peek Output');
    await picture('test_message');
    await page.keyboard.press('Escape');
    // The debugger starts at the failure.
    await test.hover();
    await test.getByRole('button', { name: 'Debug Test' }).click();
    await page.locator('.debug-call-stack .monaco-list-row', { hasText: /steer, agent \d+/ }).first().waitFor();
    await picture('test_debugged');
    await page.keyboard.press('Shift+F5');
    await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
    await command('Testing: Focus on Test Explorer View');
    // The new run is accepted.
    await test.hover();
    await test.getByRole('button', { name: 'Accept the new run' }).click();
    const reason = page.locator('.quick-input-widget input');
    await reason.waitFor();
    await reason.fill('they turn less');
    await picture('accept');
    await page.keyboard.press('Enter');
    await page.locator('.test-explorer .codicon-testing-passed-icon').first().waitFor();
    assert.match(fs.readFileSync(path.join(project, 'scenarios/hello.golden'), 'utf8'), /they turn less/);
}

async function world() {
    await openFile('hello.ron');
    await page.getByRole('button', { name: 'Show the world beside the code' }).first().click();
    const frame = page.frameLocator('iframe.webview').frameLocator('#active-frame');
    await frame.locator('flockwork-world').waitFor();
    await frame.locator('canvas').first().waitFor();
    // It plays by itself.
    await frame.locator('body').filter({ hasText: /[1-9]\.\d s/ }).waitFor();
    await picture('world');
    // The first click reaches the button.
    await frame.getByRole('button', { name: 'Pause' }).click();
    await frame.getByRole('button', { name: 'Play' }).waitFor();
    // The values of an agent stand behind the lines of its script.
    await page.locator('.tab', { hasText: 'hello.ron' }).first().click();
    await openFile('hello.rhai');
    const sliders = () => frame.locator('flockwork-world').evaluate((world) => world.shadowRoot.querySelector('.param').getBoundingClientRect().y);
    const before = await sliders();
    await frame.locator('flockwork-world').evaluate((world) => world.select(3));
    await page.locator('.view-line', { hasText: /wander\s=\s\(/ }).first().waitFor();
    await picture('world_values');
    // The sliders stay where they are.
    assert.equal(await sliders(), before);
    await bookPicture('world', async () => {
        // More room without the side bar and the panel.
        await page.keyboard.press('Control+b');
        await page.keyboard.press('Control+j');
        await page.waitForTimeout(1000);
    });
    await openFile('hello.ron');
    await frame.getByRole('button', { name: 'Play' }).click();
    // A saved scenario changes it while it runs.
    await page.locator('.tab', { hasText: 'hello.ron' }).first().click();
    await command('Replace');
    await page.locator('.find-widget .find-part textarea').fill('radius: 60');
    await page.locator('.find-widget .replace-part textarea').fill('radius: 150');
    await page.keyboard.press('Control+Alt+Enter');
    await page.locator('.find-widget.visible .codicon-widget-close').click();
    await page.keyboard.press('Control+s');
    await frame.locator('pre', { hasText: 'radius: 150' }).first().waitFor({ state: 'attached' });
    await picture('world_after_saving');
    await command('View: Close All Editors');
}

async function debugging() {
    await openFile('hello.rhai');
    const script = fs.readFileSync(path.join(project, 'scripts/hello.rhai'), 'utf8');
    const line = script.split('\n').findIndex((text) => text.includes('fn steer')) + 2;
    await goToLine(line);
    await page.keyboard.press('F9');
    await page.locator('.codicon-debug-breakpoint').first().waitFor();
    await openFile('hello.ron');
    await page.keyboard.press('F5');
    const call = page.locator('.debug-call-stack .monaco-list-row', { hasText: 'steer' });
    await call.first().waitFor();
    await page.locator('.debug-variables .monaco-list-row', { hasText: 'Variables' }).first().waitFor();
    await picture('breakpoint');
    const near = page.locator('.debug-variables .monaco-list-row', { hasText: 'near' });
    await page.keyboard.press('F10');
    await near.first().waitFor();
    await picture('step');
    await bookPicture('debugger', async () => {
        await near.first().click();
        await page.locator('.debug-variables .monaco-list-row', { hasText: 'count' }).first().waitFor();
    });
    await page.keyboard.press('Alt+F10');
    await near.first().waitFor({ state: 'hidden' });
    await picture('step_back');
    const agent = page.locator('.debug-variables .monaco-list-row', { hasText: /^Agent/ });
    await agent.first().click();
    await page.locator('.debug-variables .monaco-list-row', { hasText: 'me.pos' }).first().waitFor();
    await picture('variables');
    // A world that is shown now stands where the debugger stands.
    await page.locator('.tab', { hasText: 'hello.ron' }).first().click();
    await page.getByRole('button', { name: 'Show the world beside the code' }).first().click();
    const frame = page.frameLocator('iframe.webview').frameLocator('#active-frame');
    await frame.getByRole('button', { name: 'Play' }).waitFor();
    await frame.locator('.why', { hasText: 'agent 0' }).waitFor();
    await frame.locator('.time', { hasText: /^tick 0 · 0\.0 s$/ }).waitFor();
    await picture('world_while_debugging');
    const stepTo = async (/** @type {number} */ tick) => {
        const there = page.locator('.debug-call-stack .monaco-list-row', { hasText: `tick ${tick}` });
        while ((await there.count()) === 0) {
            await page.keyboard.press('F10');
            await page.waitForTimeout(300);
        }
    };
    await page.locator('.tab', { hasText: 'hello.rhai' }).first().click();
    await stepTo(3);
    // A saved script goes on from here. The console is opened before, since a stop takes the focus.
    await command('Debug Console: Focus on Debug Console View');
    await page.locator('.tab', { hasText: 'hello.rhai' }).first().click();
    await command('Replace');
    await page.locator('.find-widget .find-part textarea').fill('me.wander()');
    await page.locator('.find-widget .replace-part textarea').fill('vec(0, -900)');
    await page.keyboard.press('Control+Alt+Enter');
    await page.locator('.find-widget.visible .codicon-widget-close').click();
    await page.keyboard.press('Control+s');
    await page.locator('.repl .monaco-list-row', { hasText: 'run from tick 3 on' }).first().waitFor();
    await picture('changed');
    // The lines that ran have their values, and the world goes on with the run of the debugger.
    await stepTo(6);
    await page.keyboard.press('F10');
    await page.locator('.view-lines', { hasText: /near\s=\s\d+\sneighbor/ }).first().waitFor();
    const row = page.locator('.debug-variables .monaco-list-row', { hasText: /me\.vel/ }).first();
    // The variables are shown a moment after the values behind the lines.
    for (let tries = 0; ; tries += 1) {
        const [velocity] = /\(.*\)/.exec((await row.textContent()) ?? '') ?? ['(none)'];
        if ((await frame.locator('.why', { hasText: `velocity       ${velocity}` }).count()) > 0) {
            break;
        }
        assert.ok(tries < 100, `the world does not show the velocity ${velocity}`);
        await page.waitForTimeout(300);
    }
    await picture('stepped_after_change');
    await page.keyboard.press('Shift+F5');
}
