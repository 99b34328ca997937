// The world of a scenario in a panel beside the code: the page that `flockwork export page` writes. Saved files take effect while it runs.

const path = require('node:path');
const vscode = require('vscode');
const { flockwork, projectOf, scenariosOf, scenariosWith } = require('./program');
const { firstError, openPlace, tellError } = require('./places');
const { done } = require('./steps');

/** Where a page has its project. */
const PROJECT = /<script id="flockwork-project" type="application\/json">(.*?)<\/script>/s;

/** The open panels by their scenarios. @type {Map<string, vscode.WebviewPanel>} */
const panels = new Map();

/** What open panels show, by their scenarios. @type {Map<string, ShownTurn>} */
const shownTurns = new Map();

/** What the selected agents of open panels compute, with the folders of their projects; by their scenarios. The one that the user looked at last is the last. @type {Map<string, { project: string, values: AgentValues }>} */
const shownValues = new Map();

/** The turns at which debuggers stand, by the scenarios that they run. @type {Map<string, Turn>} */
const turns = new Map();

/** @typedef {{ tick: number, agent: number }} Turn */

/** @typedef {{ tick: number, agent?: number, why?: string }} ShownTurn If an agent is selected, which one, and why it moves as it does. */

/** Which files the runs of debuggers have from which tick on, by their scenarios. @type {Map<string, Version[]>} */
const versions = new Map();

/** @typedef {{ agent: number, files: { name: string }[] }} AgentValues What the selected agent of a world computes, with the files that it runs. */

/** @typedef {{ files: Record<string, string>, seed?: number, params?: Record<string, string> }} Run Files, and what they are run with. */

/** @typedef {{ tick: number } & Run} Version */

/** The scenario whose editor was shown last. @type {string | undefined} */
let visited;

/** @type {(project: string, values: object[]) => void} */
let tellValues = () => undefined;

/**
 * Adds the command that shows a world. `tell` gets the folder of a project, and what the selected agents of its worlds compute: first of the world
 * that the user looked at last.
 *
 * @param {vscode.ExtensionContext} context
 * @param {(project: string, values: object[]) => void} tell
 */
function addWorlds(context, tell) {
    tellValues = tell;
    // Also what other programs write, and new files.
    const files = vscode.workspace.createFileSystemWatcher('**/*.{ron,rhai}');
    const visit = (/** @type {vscode.TextEditor | undefined} */ shown) => {
        const file = shown?.document.uri.fsPath ?? '';
        visited = isScenario(file) ? file : visited;
    };
    visit(vscode.window.activeTextEditor);
    context.subscriptions.push(
        vscode.window.onDidChangeActiveTextEditor(visit),
        vscode.commands.registerCommand('flockwork.world', async (uri) => {
            const scenario = await scenarioFor(uri ?? vscode.window.activeTextEditor?.document.uri);
            if (scenario !== undefined) {
                await show(scenario);
            }
        }),
        // When the window is loaded again, so are its worlds.
        vscode.window.registerWebviewPanelSerializer(WORLD, { deserializeWebviewPanel: restore }),
        files,
        files.onDidChange((uri) => reload(uri.fsPath)),
        files.onDidCreate((uri) => reload(uri.fsPath)),
        files.onDidDelete((uri) => reload(uri.fsPath)),
    );
}

/** @param {string} file */
function isScenario(file) {
    return file.endsWith('.ron') && !file.endsWith('.plan.ron') && projectOf(file) !== undefined;
}

/** Returns the scenarios that the user is likely to mean: the one that was shown last, then those that are open. */
function openScenarios() {
    const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
    const open = inputs.map((input) => (input instanceof vscode.TabInputText ? input.uri.fsPath : ''));
    return [visited ?? '', ...open].filter(isScenario);
}

/**
 * Returns the scenario of a file: itself, or of those that use it the one that was shown last or is open, or else the one that the user chooses.
 *
 * @param {vscode.Uri | undefined} uri
 */
async function scenarioFor(uri) {
    const file = uri?.fsPath ?? '';
    if (file.endsWith('.ron') && !file.endsWith('.plan.ron')) {
        return file;
    }
    const folder = projectOf(file) ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const using = await scenariosWith(file);
    // Without a file of a project, as in the first walk, any scenario may be meant.
    const meant = openScenarios().find((scenario) => using.includes(scenario) || projectOf(file) === undefined);
    if (meant !== undefined) {
        return meant;
    }
    const users = using.map((scenario) => path.relative(folder ?? '', scenario));
    if (users.length === 1 && folder !== undefined) {
        return path.join(folder, users[0]);
    }
    const scenarios = folder === undefined || users.length > 0 ? users : await scenariosOf(folder);
    const chosen = await vscode.window.showQuickPick(scenarios, { title: 'The world of which scenario?' });
    return chosen === undefined || folder === undefined ? undefined : path.join(folder, chosen);
}

/** Shows the world of a scenario. @param {string} scenario */
async function show(scenario) {
    done('shown');
    const known = panels.get(scenario);
    if (known !== undefined) {
        known.reveal(undefined, true);
        return;
    }
    const page = await pageOrError(scenario);
    if (page === undefined) {
        return;
    }
    // Worlds share a column: with a third one, there is no room to read a script.
    const column = [...panels.values()].at(-1)?.viewColumn ?? vscode.ViewColumn.Beside;
    const hadOneColumn = vscode.window.tabGroups.all.length === 1;
    const panel = vscode.window.createWebviewPanel(
        WORLD,
        path.basename(scenario, '.ron'),
        { viewColumn: column, preserveFocus: true },
        { ...PAGE, retainContextWhenHidden: true },
    );
    fill(panel, scenario, page);
    if (panels.size === 1) {
        shareOfEditor = hadOneColumn ? BESIDE_WORLD : 0.5;
    }
    if (hadOneColumn) {
        // Most lines of code are long, and their values stand behind them.
        const groups = [{ size: BESIDE_WORLD }, { size: 1 - BESIDE_WORLD }];
        await vscode.commands.executeCommand('vscode.setEditorLayout', { orientation: 0, groups });
    }
    await lock(panel);
}

/** The type of the panels, and what their pages may do. */
const [WORLD, PAGE] = ['flockwork.world', { enableScripts: true, localResourceRoots: [] }];

/** Shows the world of a panel that was open when the window was closed. @param {vscode.WebviewPanel} panel @param {any} state */
async function restore(panel, state) {
    const scenario = state?.scenario;
    const page = typeof scenario === 'string' ? await pageOrError(scenario) : undefined;
    if (page === undefined || panels.has(scenario)) {
        panel.dispose();
        return;
    }
    panel.webview.options = PAGE;
    fill(panel, scenario, page);
}

/** Returns the page of a scenario. If there is none, it says why. @param {string} scenario */
async function pageOrError(scenario) {
    try {
        return await pageOf(scenario);
    } catch (error) {
        const written = error instanceof Error ? error.message : String(error);
        const why = firstError(written);
        const title = path.basename(scenario, '.ron');
        // Without a place, what helps is behind the message.
        const told = why?.file === undefined ? { message: written, line: 0, column: 0 } : why;
        tellError(`The world of ${title} cannot be shown`, told, projectOf(scenario) ?? path.dirname(scenario));
        return undefined;
    }
}

/** Shows a page in a panel, and listens to it. @param {vscode.WebviewPanel} panel @param {string} scenario @param {string} page */
function fill(panel, scenario, page) {
    const project = projectOf(scenario) ?? path.dirname(scenario);
    panels.set(scenario, panel);
    panel.onDidDispose(() => {
        panels.delete(scenario);
        shownTurns.delete(scenario);
        keepValues(scenario, project, null);
    });
    panel.onDidChangeViewState(() => {
        const known = shownValues.get(scenario);
        if (panel.active && known !== undefined) {
            shownValues.delete(scenario);
            keepValues(scenario, project, known.values);
        }
    });
    panel.webview.onDidReceiveMessage(async ({ flockworkTick: tick, flockworkValues: values, flockworkWidth: width, flockworkWhy: why, flockworkOpen: place, flockworkWrite: change }) => {
        if (tick !== undefined) {
            shownTurns.set(scenario, { tick, agent: values?.agent, why });
        }
        if (values !== undefined) {
            keepValues(scenario, project, withColumns(values, width));
        }
        if (place !== undefined) {
            await openPlace(path.join(project, place.path), place.line, place.column);
        }
        if (change !== undefined) {
            await write(path.join(project, change.path), change);
        }
    });
    panel.webview.html = page;
    void panel.webview.postMessage({ flockworkState: { scenario } });
    postTurn(scenario);
}

/** The part of the window that an editor gets when the first world is shown beside it. */
const BESIDE_WORLD = 0.58;

/** The part that it has got. */
let shareOfEditor = 0.5;

/** The pixels of an editor that its text has not: at the left its line numbers, at the right the ruler. */
const BESIDE_TEXT = 92;

/** The width of a letter, and that of the minimap, as parts of the size of the font and of the width of the editor. */
const [LETTER, MINIMAP] = [0.602, 0.1];

/**
 * Returns what the selected agent computes, with the number of characters that a line of an editor beside the panel has room for. An editor tells no
 * extension its width, but its share is known, unless the user has moved the border.
 *
 * @param {AgentValues | null} values
 * @param {number | undefined} width That of the panel; pages of other versions do not tell it.
 */
function withColumns(values, width) {
    if (values === null || width === undefined) {
        return values;
    }
    const editor = vscode.workspace.getConfiguration('editor');
    const wide = (width * shareOfEditor) / (1 - shareOfEditor);
    const minimap = editor.get('minimap.enabled', true) ? MINIMAP * wide : 0;
    lastColumns = Math.max(Math.floor((wide - BESIDE_TEXT - minimap) / (LETTER * editor.get('fontSize', 14))), 0);
    return { ...values, columns: lastColumns };
}

/** The number of characters that an editor beside the world of which values came last has room for. @type {number | undefined} */
let lastColumns;

/** Returns how many characters a line of an editor beside a world has room for, if one is shown. */
function columnsOfEditor() {
    return hasWorld() ? lastColumns : undefined;
}

/**
 * Keeps what the selected agent of a world computes, or that there is none, and tells the values of all worlds of the project.
 *
 * @param {string} scenario
 * @param {string} project
 * @param {AgentValues | null} values
 */
function keepValues(scenario, project, values) {
    const before = shownValues.get(scenario)?.values;
    if (before?.agent !== values?.agent) {
        shownValues.delete(scenario);
    }
    if (values !== null) {
        shownValues.set(scenario, { project, values });
    }
    if (before !== undefined || values !== null) {
        const all = [...shownValues.values()].filter((shown) => shown.project === project);
        tellValues(project, all.map((shown) => shown.values).reverse());
    }
}

/** Returns whether the world of a scenario is shown. */
function hasWorld() {
    return panels.size > 0;
}

/** Returns the paths of the scripts that the selected agents of worlds run. */
function shownScripts() {
    return new Set([...shownValues.values()].flatMap(({ project, values }) => values.files.map(({ name }) => path.join(project, name))));
}

/** Returns the selected agent of the world that the user looked at last, with the tick that it shows; nothing if none is selected. */
function selectedTurn() {
    const scenario = [...shownValues.keys()].at(-1) ?? '';
    const { tick, agent } = shownTurns.get(scenario) ?? {};
    return tick === undefined || agent === undefined ? undefined : { scenario, tick, agent };
}

/** Shows the world of a scenario at the turn of an agent, as it runs by itself. @param {string} scenario @param {Turn} turn */
async function showTurn(scenario, turn) {
    await show(scenario);
    await panels.get(scenario)?.webview.postMessage({ flockworkTurn: turn });
}

/** Returns the tick that the world of a scenario shows, and the selected agent; nothing without a panel. @param {string} scenario */
function shownTurn(scenario) {
    return shownTurns.get(path.normalize(scenario));
}

/**
 * Selects an agent in the world of a scenario, and returns what it shows then; nothing if the agent is not there.
 *
 * @param {string} scenario
 * @param {number} agent
 */
async function explainedTurn(scenario, agent) {
    const isShown = () => shownTurn(scenario)?.agent === agent;
    if (!isShown()) {
        await panels.get(path.normalize(scenario))?.webview.postMessage({ flockworkSelect: agent });
    }
    for (let waited = 0; waited < SELECT_MS && !isShown(); waited += 50) {
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return isShown() ? shownTurn(scenario) : undefined;
}

/** How long a page has to select an agent, in milliseconds. */
const SELECT_MS = 3000;

/**
 * Changes a scenario as its world does, and saves it, so that the world runs what is on the disk. Undo takes it back.
 *
 * @param {string} file
 * @param {{ before: string, text: string }} change
 */
async function write(file, { before, text }) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    const present = document.getText();
    if (document.isDirty || present !== before) {
        // The world has changed its own copy.
        await reload(file);
        await vscode.window.showErrorMessage(`The params are not written: ${path.basename(file)} has changes that the world does not run. Save it, and try again.`);
        return;
    }
    const [start, end, inserted] = difference(present, text);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), inserted);
    await vscode.workspace.applyEdit(edit);
    await document.save();
}

/**
 * Returns where two texts differ, as a part of the first one, and what the second one has there.
 *
 * @param {string} before
 * @param {string} after
 * @returns {[start: number, end: number, inserted: string]}
 */
function difference(before, after) {
    const shorter = Math.min(before.length, after.length);
    let start = 0;
    while (start < shorter && before[start] === after[start]) {
        start += 1;
    }
    let same = 0;
    while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) {
        same += 1;
    }
    return [start, before.length - same, after.slice(start, after.length - same)];
}

/** Keeps other files from being opened over a world. @param {vscode.WebviewPanel} panel */
async function lock(panel) {
    panel.reveal(undefined, false);
    await vscode.commands.executeCommand('workbench.action.lockEditorGroup');
    await vscode.commands.executeCommand('workbench.action.focusPreviousGroup');
}

/** Gives the worlds of a project what was saved. @param {string} file */
async function reload(file) {
    if (!/\.(ron|rhai)$/.test(file)) {
        return;
    }
    const folder = projectOf(file);
    const concerned = [...panels].filter(([scenario]) => projectOf(scenario) === folder);
    for (const [scenario, panel] of concerned) {
        // With errors, the world goes on as it is: the language server shows them.
        const page = await pageOf(scenario).catch((/** @type {Error} */ error) => error);
        const project = page instanceof Error ? undefined : PROJECT.exec(page)?.[1];
        if (project === undefined) {
            await panel.webview.postMessage({ flockworkNote: `${page instanceof Error ? note(page.message, folder) : 'There is no world. '}The version before goes on.` });
        } else if (turns.has(scenario)) {
            // They come with the turn of the debugger, which knows the tick from which they run.
            await panel.webview.postMessage({ flockworkNote: '' });
        } else {
            await panel.webview.postMessage({ flockworkProject: JSON.parse(project) });
        }
    }
}

/** Returns why saved files do not run, with the place, which the page makes a link. @param {string} written @param {string | undefined} folder */
function note(written, folder = '') {
    const error = firstError(written);
    if (error === undefined) {
        return 'The saved files do not run. ';
    }
    const { message, file, line, column } = error;
    const place = file === undefined ? '' : `${path.relative(folder, path.resolve(folder, file)).replaceAll('\\', '/')}:${line}:${column}: `;
    return `${place}${message}. `;
}

/**
 * Lets the world of a scenario go to the turn at which the debugger stands, also if it is shown later. Nothing is the end of the debugger.
 *
 * @param {string} scenario
 * @param {Turn | undefined} turn
 */
function goTo(scenario, turn) {
    const key = path.normalize(scenario);
    if (turn === undefined) {
        const wasThere = turns.delete(key);
        versions.delete(key);
        // The world takes saved files by itself again, also those that the debugger has not run.
        if (wasThere && panels.has(key)) {
            void reload(key);
        }
    } else {
        turns.set(key, turn);
        postTurn(key);
    }
}

/**
 * Keeps which files the debugger's run of a scenario has from which tick on, with its seed and its params. Its next turn is of that run.
 *
 * @param {string} scenario
 * @param {{ tick: number, project: Run }[]} all The first are those at the start.
 */
function keepVersions(scenario, all) {
    const version = (/** @type {typeof all[0]} */ { tick, project: { files, seed, params } }) => ({
        tick,
        files,
        ...(seed === undefined ? {} : { seed }),
        ...(params === undefined ? {} : { params }),
    });
    versions.set(path.normalize(scenario), all.map(version));
}

/** Tells the world of a scenario, if it is shown, where the debugger stands. @param {string} scenario */
function postTurn(scenario) {
    const turn = turns.get(scenario);
    if (turn !== undefined) {
        const panel = panels.get(scenario);
        // Another world may be over it.
        if (panel?.visible === false) {
            panel.reveal(undefined, true);
        }
        void panels.get(scenario)?.webview.postMessage({ flockworkTurn: { ...turn, versions: versions.get(scenario) ?? [] } });
    }
}

/** Returns the page of a scenario. @param {string} scenario */
async function pageOf(scenario) {
    const engine = vscode.workspace.getConfiguration('flockwork').get('page', '');
    const args = ['export', 'page', scenario, ...(engine === '' ? [] : ['--engine', engine])];
    const { status, stdout, stderr } = await flockwork(projectOf(scenario), args);
    if (status !== 0) {
        // The setting is what the option is for the program.
        throw new Error(stderr.trim().replace(/`--engine [^`]*`/, 'the setting `flockwork.page`'));
    }
    return stdout;
}

module.exports = { addWorlds, columnsOfEditor, explainedTurn, goTo, hasWorld, keepVersions, scenarioFor, selectedTurn, shownScripts, showTurn, shownTurn };
