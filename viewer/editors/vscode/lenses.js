// What can be done after a failed test, as lenses: at the lines of its messages, at its scenario and at its golden. They stay when the message
// after the run is gone.

const vscode = require('vscode');

/** @typedef {import('./explorer').Failure} Failure */

/** Files that have such lenses. @type {vscode.DocumentSelector} */
const FILES = [{ scheme: 'file', pattern: '**/*.{ron,rhai,golden}' }];

/** What the lenses of the server do, by their commands. @type {Record<string, string>} */
const TOOLTIPS = {
    'flockwork.run': 'Run the scenario to its end, and show its measures as a file',
    'flockwork.view': 'Open the scenario in a window of its own, which follows saved files; the globe above the editor shows it beside the code',
    'flockwork.explain': 'Explain why one agent moves as it does in one tick: the agent that the world beside the code shows, with the params of its sliders, or one that you choose',
    'flockwork.test': 'Check expectations and compare with the golden; the test explorer shows how that ended',
};

/** Lets lenses of the server say what they do. @template {vscode.CodeLens[] | null | undefined} T @param {T} lenses @returns {T} */
function withTooltips(lenses) {
    lenses?.forEach(({ command }) => {
        if (command !== undefined) {
            command.tooltip = TOOLTIPS[command.command];
        }
    });
    return lenses;
}

/** @implements {vscode.CodeLensProvider} */
class FailureLenses {
    /** @param {{ failures(): Failure[], onDidFail: vscode.Event<void> }} tests */
    constructor(tests) {
        this.tests = tests;
        this.onDidChangeCodeLenses = tests.onDidFail;
    }

    /** @param {vscode.TextDocument} document */
    provideCodeLenses(document) {
        const file = document.uri.fsPath;
        return this.tests.failures().flatMap(({ item, result, places, golden }) => {
            const lines = places.filter(({ uri }) => uri.fsPath === file).map(({ range }) => range.start.line);
            const isScenario = file === item.id;
            if (isScenario || file === golden) {
                lines.push(isScenario ? (item.range?.start.line ?? 0) : 0);
            }
            /** @type {vscode.Command[]} */
            const commands = [];
            if (result.is_acceptable) {
                commands.push({ title: `$(check) Accept the new run of ${item.label} …`, command: 'flockwork.accept', arguments: [item], tooltip: 'Ask for a reason, and write the golden anew' });
            }
            if (result.agent !== null && result.tick !== null && file !== golden) {
                commands.push({ title: `$(debug-alt) Debug agent ${result.agent} at tick ${result.tick}`, command: 'flockwork.debug', arguments: [item], tooltip: 'Start the debugger at the agent and the tick that the failure is about' });
            }
            return [...new Set(lines)].flatMap((line) => commands.map((command) => new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command)));
        });
    }
}

/** Adds the lenses of failed tests. @param {vscode.ExtensionContext} context @param {{ failures(): Failure[], onDidFail: vscode.Event<void> }} tests */
function addLenses(context, tests) {
    context.subscriptions.push(vscode.languages.registerCodeLensProvider(FILES, new FailureLenses(tests)));
}

module.exports = { addLenses, withTooltips };
