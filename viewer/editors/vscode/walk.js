// The first walk: it is offered once, when the first file of a project is opened, and stays in the status bar until it is taken or declined.

const path = require('node:path');
const vscode = require('vscode');
const { projectOf, scenariosWith } = require('./program');
const { hasWorld, shownScripts } = require('./world');

/** The key under which the editor keeps that the user was invited. */
const INVITED = 'flockwork.invited';

/** The key under which the editor keeps that the walk was taken or declined. */
const ANSWERED = 'flockwork.answered';

/** After this time without an answer, in milliseconds, the invitation has gone to the bell, and the next file brings it back once. */
const AGAIN_MS = 20_000;

/** Returns whether an editor shows a scenario or a script of a project. @param {vscode.TextEditor | undefined} editor */
function showsProject(editor) {
    const file = editor?.document.uri.fsPath ?? '';
    return /\.(ron|rhai)$/.test(file) && projectOf(file) !== undefined;
}

/** Asks which of several scripts to show: first those that agents of the shown world have, then those that most scenarios use. @param {vscode.Uri[]} found */
async function chooseScript(found) {
    const shown = shownScripts();
    const items = found.map(async (uri) => {
        const users = await scenariosWith(uri.fsPath).catch(() => []);
        const description = users.map((scenario) => path.basename(scenario, '.ron')).join(', ');
        const order = shown.has(uri.fsPath) ? Infinity : users.length;
        return { label: vscode.workspace.asRelativePath(uri.fsPath), description: description && `used by ${description}`, uri, order };
    });
    const sorted = (await Promise.all(items)).sort((one, other) => Math.sign(other.order - one.order || 0) || one.label.localeCompare(other.label));
    return (await vscode.window.showQuickPick(sorted, { title: 'Which script?', matchOnDescription: true }))?.uri;
}

/** Shows a script beside the walk: one that is open, the only one, or one that the user chooses. */
async function showScript() {
    const isScript = (/** @type {vscode.TextEditor} */ { document }) => document.uri.fsPath.endsWith('.rhai');
    const open = vscode.window.visibleTextEditors.find(isScript);
    if (open !== undefined) {
        await vscode.window.showTextDocument(open.document, open.viewColumn);
        return;
    }
    const found = await vscode.workspace.findFiles('**/scripts/**/*.rhai', '**/{node_modules,target,.git}/**');
    const uri = found.length > 1 ? await chooseScript(found) : found[0];
    if (uri !== undefined) {
        // A world has the place beside the walk.
        await vscode.window.showTextDocument(uri, { viewColumn: hasWorld() ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside });
    }
}

/**
 * Adds the first walk, which `package.json` has as a walkthrough. `isReady` returns whether there is something to show: the program runs.
 *
 * @param {vscode.ExtensionContext} context
 * @param {() => boolean} isReady
 * @returns {() => Promise<void>} Offers it, if a file of a project is shown.
 */
function addWalk(context, isReady) {
    const status = vscode.window.createStatusBarItem('flockwork.walk', vscode.StatusBarAlignment.Right);
    status.name = 'Flockwork: first walk';
    status.text = '$(mortar-board) Flockwork: first walk';
    status.tooltip = 'Six steps in your own project. Close the message about it to remove this.';
    status.command = 'flockwork.walk';
    const answered = async () => {
        status.hide();
        await context.globalState.update(ANSWERED, true);
    };
    const take = async () => {
        await answered();
        // A file that was opened with one click is kept, not replaced by the walk.
        await vscode.commands.executeCommand('workbench.action.keepEditor');
        await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'flockwork.flockwork#first');
        // Nor is the walk replaced by what its steps open.
        await vscode.commands.executeCommand('workbench.action.keepEditor');
    };
    let invitedAt = Infinity;
    let invitations = 0;
    const invite = async () => {
        const which = ++invitations;
        invitedAt = Date.now();
        const walk = 'Take the walk';
        // A message that goes to the bell is not answered yet, and one that is shown again closes that before.
        const answer = await vscode.window.showInformationMessage('This file belongs to Flockwork. A walk of six steps shows what you can do here.', walk);
        if (which === invitations) {
            await (answer === walk ? take() : answered());
        }
    };
    const offer = async () => {
        if (context.globalState.get(ANSWERED) === true || !isReady() || !showsProject(vscode.window.activeTextEditor)) {
            return;
        }
        status.show();
        if (context.globalState.get(INVITED) !== true) {
            await context.globalState.update(INVITED, true);
            await invite();
        } else if (invitations === 1 && Date.now() - invitedAt > AGAIN_MS) {
            await invite();
        }
    };
    context.subscriptions.push(
        status,
        vscode.commands.registerCommand('flockwork.walk', take),
        vscode.commands.registerCommand('flockwork.script', showScript),
        vscode.window.onDidChangeActiveTextEditor(offer),
    );
    return offer;
}

module.exports = { addWalk };
