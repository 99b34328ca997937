// What can be done after a failed test, as lenses: at the lines of its messages, at its scenario and at its golden. They stay when the message
// after the run is gone.

const vscode = require('vscode');

/** @typedef {import('./explorer').Failure} Failure */

/** Files that have such lenses. @type {vscode.DocumentSelector} */
const FILES = [{ scheme: 'file', pattern: '**/*.{ron,rhai,golden}' }];

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
                commands.push({ title: `$(check) Accept the new run of ${item.label} …`, command: 'flockwork.accept', arguments: [item] });
            }
            if (result.agent !== null && result.tick !== null && file !== golden) {
                commands.push({ title: `$(debug-alt) Debug agent ${result.agent} at tick ${result.tick}`, command: 'flockwork.debug', arguments: [item] });
            }
            return [...new Set(lines)].flatMap((line) => commands.map((command) => new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command)));
        });
    }
}

/** Adds the lenses of failed tests. @param {vscode.ExtensionContext} context @param {{ failures(): Failure[], onDidFail: vscode.Event<void> }} tests */
function addLenses(context, tests) {
    context.subscriptions.push(vscode.languages.registerCodeLensProvider(FILES, new FailureLenses(tests)));
}

module.exports = { addLenses };
