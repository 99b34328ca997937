// Why an agent moves as it does: the lens `explain` opens the explanation as a document with links to its places.

const path = require('node:path');
const vscode = require('vscode');
const { firstError, tellError } = require('./places');
const { flockwork, projectOf } = require('./program');
const { explainedTurn, shownTurn } = require('./world');

/** The scheme of the documents, and their language. */
const EXPLANATION = 'flockwork-explanation';

/** A place in a text: the file, the line, and the column. */
const PLACE = /([^\s`"'()]+\.(?:rhai|ron)):(\d+):(\d+)/g;

/** The tick that is offered: late enough for agents to be on their way. */
const OFFERED_TICK = 60;

/** The explanations by their documents. @type {Map<string, string>} */
const explanations = new Map();

/** @type {vscode.EventEmitter<vscode.Uri>} */
const changed = new vscode.EventEmitter();

/** @typedef {{ agent: number, group: string }} Agent */

/** @type {vscode.TextDocumentContentProvider} */
const contents = {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => explanations.get(uri.toString()) ?? '',
};

/** @type {vscode.DocumentLinkProvider} */
const links = {
    provideDocumentLinks(document) {
        const folder = document.uri.query;
        return [...document.getText().matchAll(PLACE)].map(({ index, 0: place, 1: file, 2: line, 3: column }) => {
            const range = new vscode.Range(document.positionAt(index), document.positionAt(index + place.length));
            const target = vscode.Uri.file(path.resolve(folder, file)).with({ fragment: `L${line},${column}` });
            const link = new vscode.DocumentLink(range, target);
            link.tooltip = 'Open this place';
            return link;
        });
    },
};

/**
 * Explains an agent of a scenario: the one that is selected in its world, or one that the user chooses. If there is a world, it explains what that
 * has run, with all changes on the way; otherwise a run of the files on the disk is explained.
 *
 * @param {string} scenario
 * @param {() => Promise<Agent[]>} agentsOf Returns the agents that can be chosen.
 */
async function explain(scenario, agentsOf) {
    const folder = projectOf(scenario) ?? path.dirname(scenario);
    const name = path.basename(scenario, '.ron');
    const file = path.relative(folder, scenario);
    tellUnsaved(folder);
    const shown = shownTurn(scenario);
    if (shown !== undefined) {
        const agent = shown.agent ?? (await chooseAgent(name, await agentsOf()));
        const seen = agent === undefined ? undefined : await explainedTurn(scenario, agent);
        if (seen !== undefined) {
            const old = 'The world was shown by another version of the program `flockwork`, which tells no explanation. Install the version that belongs to this extension.';
            await open(folder, `${name}: agent ${agent} at tick ${seen.tick}`, seen.why ?? old);
        } else if (agent !== undefined) {
            await vscode.window.showErrorMessage(`There is no agent ${agent} in the world of ${name} at tick ${shown.tick}.`);
        }
        return;
    }
    const checked = await flockwork(folder, ['check', file]);
    if (checked.status !== 0) {
        await showError(name, checked.stderr || checked.stdout, folder);
        return;
    }
    const agent = await chooseAgent(name, await agentsOf());
    const tick = agent === undefined ? undefined : await chooseTick(agent);
    if (agent === undefined || tick === undefined) {
        return;
    }
    const { stdout, stderr } = await flockwork(folder, ['explain', file, '--agent', String(agent), '--tick', String(tick)]);
    // The explanation of a decision that fails is there, too.
    if (stdout === '') {
        await showError(name, stderr, folder);
    } else {
        await open(folder, `${name}: agent ${agent} at tick ${tick}`, stdout);
    }
}

/** Says which files are not saved: the program reads those on the disk. @param {string} folder */
function tellUnsaved(folder) {
    const unsaved = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && projectOf(uri.fsPath) === folder);
    if (unsaved.length > 0) {
        const names = unsaved.map(({ uri }) => path.basename(uri.fsPath)).join(', ');
        void vscode.window.showWarningMessage(`Not saved, so the files on the disk count: ${names}.`);
    }
}

/** Asks which agent to explain; the first one is marked. @param {string} name @param {Agent[]} agents @returns {Promise<number | undefined>} */
async function chooseAgent(name, agents) {
    if (agents.length === 0) {
        await vscode.window.showErrorMessage(`No agent of ${name} uses this script at the start. Show the world, and click an agent when there is one.`);
        return undefined;
    }
    const items = agents.map(({ agent, group }) => ({ label: `agent ${agent}`, description: group, agent }));
    const title = `Which agent of ${name} shall be explained?`;
    const placeHolder = 'With the world beside the code (the globe), it is the agent that you have clicked';
    return (await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true }))?.agent;
}

/** Asks for the tick. @param {number} agent @returns {Promise<number | undefined>} */
async function chooseTick(agent) {
    const isTick = (/** @type {string} */ text) => /^\d+$/.test(text.trim());
    const answer = await vscode.window.showInputBox({
        title: `Explain agent ${agent} at which tick?`,
        value: String(OFFERED_TICK),
        validateInput: (text) => (isTick(text) ? undefined : 'A tick is an integer from 0.'),
    });
    return answer === undefined || !isTick(answer) ? undefined : Number(answer);
}

/** Shows an explanation. @param {string} folder @param {string} title @param {string} text */
async function open(folder, title, text) {
    const uri = vscode.Uri.from({ scheme: EXPLANATION, path: `/${title}`, query: folder });
    explanations.set(uri.toString(), text);
    // The same one may be open, from files that were different.
    changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, EXPLANATION);
    // Not over a world, whose group is locked.
    const viewColumn = vscode.window.activeTextEditor?.viewColumn;
    await vscode.window.showTextDocument(document, { viewColumn, preview: true });
}

/** Says which file has an error, and shows the problems. @param {string} name @param {string} written @param {string} folder */
async function showError(name, written, folder) {
    const error = firstError(written) ?? { message: written.trim(), line: 0, column: 0 };
    if (error.file !== undefined) {
        await vscode.commands.executeCommand('workbench.actions.view.problems');
    }
    tellError(`Nothing of ${name} can be explained`, error, folder);
}

/** Adds the documents of explanations. @param {vscode.ExtensionContext} context */
function addExplanations(context) {
    context.subscriptions.push(
        changed,
        vscode.workspace.registerTextDocumentContentProvider(EXPLANATION, contents),
        vscode.languages.registerDocumentLinkProvider({ scheme: EXPLANATION }, links),
    );
}

module.exports = { addExplanations, explain };
