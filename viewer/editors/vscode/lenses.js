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

/** The values that messages of tests cover at the ends of lines, by the files and the lines. @type {Map<string, Map<number, string>>} */
const covered = new Map();

/** Tells that covered values have changed. @type {vscode.EventEmitter<void>} */
const coveredChanged = new vscode.EventEmitter();

/** Returns the lines of a file at which the editor shows messages of tests. @param {{ failures(): Failure[] }} tests @param {string} file */
function messageLines(tests, file) {
    const places = tests.failures().flatMap((failure) => failure.places);
    return new Set(places.filter(({ uri }) => uri.fsPath === file).map(({ range }) => range.start.line));
}

/**
 * Puts the values of lines at which the editor shows messages of tests, which cover them, above these lines. Returns the others.
 *
 * @template T
 * @param {{ failures(): Failure[] }} tests
 * @param {string} file
 * @param {T[]} values
 * @param {(value: T) => [line: number, text: string]} lineOf
 * @returns {T[]}
 */
function uncovered(tests, file, values, lineOf) {
    const lines = messageLines(tests, file);
    const all = new Map(values.map(lineOf).filter(([line]) => lines.has(line)));
    if (JSON.stringify([...all]) !== JSON.stringify([...(covered.get(file) ?? [])])) {
        covered.set(file, all);
        coveredChanged.fire();
    }
    return values.filter((value) => !lines.has(lineOf(value)[0]));
}

/** @implements {vscode.CodeLensProvider} */
class FailureLenses {
    /** @param {{ failures(): Failure[], onDidFail: vscode.Event<void> }} tests */
    constructor(tests) {
        this.tests = tests;
        /** @type {vscode.EventEmitter<void>} */
        const changes = new vscode.EventEmitter();
        this.onDidChangeCodeLenses = changes.event;
        tests.onDidFail(() => changes.fire());
        coveredChanged.event(() => changes.fire());
    }

    /** @param {vscode.TextDocument} document */
    provideCodeLenses(document) {
        const file = document.uri.fsPath;
        const shown = messageLines(this.tests, file);
        const values = [...(covered.get(file) ?? [])].filter(([line]) => shown.has(line)).map(([line, title]) => new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command: '' }));
        // What an old run has shown may be elsewhere by now.
        const recent = this.tests.failures().filter(({ isOld }) => !isOld);
        const acceptable = recent.filter(({ result }) => result.is_acceptable);
        const failures = recent.flatMap(({ item, result, places, agentPlaces, golden }) => {
            const linesOf = (/** @type {vscode.Location[]} */ all) => all.filter(({ uri }) => uri.fsPath === file).map(({ range }) => range.start.line);
            const lines = linesOf(places);
            const debugLines = linesOf(agentPlaces);
            const isScenario = file === item.id;
            if (isScenario || file === golden) {
                const start = isScenario ? (item.range?.start.line ?? 0) : 0;
                lines.push(start);
                debugLines.push(start);
            }
            const lens = (/** @type {number} */ line, /** @type {vscode.Command} */ command) => new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);
            const ofWhich = acceptable.length > 1 ? ` of ${item.label}` : '';
            /** @type {vscode.Command} */
            const accept = { title: `$(check) Accept the new run${ofWhich} …`, command: 'flockwork.accept', arguments: [item], tooltip: 'Ask for a reason, and write the golden anew' };
            /** @type {vscode.Command} */
            const debug = { title: `$(debug-alt) Debug agent ${result.agent}`, command: 'flockwork.debug', arguments: [item], tooltip: `Start the debugger at tick ${result.tick}, where the agent decides what leads to the failure` };
            /** @type {vscode.Command} */
            const show = { title: `$(globe) Show it in the world`, command: 'flockwork.show', arguments: [item], tooltip: `Show the world beside the code at tick ${result.tick}, one before the failure, with agent ${result.agent} selected` };
            const isAboutAgent = result.agent !== null && result.tick !== null && file !== golden;
            return [...new Set(lines)].flatMap((line) => [
                ...(result.is_acceptable ? [lens(line, accept)] : []),
                ...(isAboutAgent && debugLines.includes(line) ? [lens(line, show), lens(line, debug)] : []),
            ]);
        });
        return [...values, ...failures];
    }
}

/** Adds the lenses of failed tests. @param {vscode.ExtensionContext} context @param {{ failures(): Failure[], onDidFail: vscode.Event<void> }} tests */
function addLenses(context, tests) {
    context.subscriptions.push(vscode.languages.registerCodeLensProvider(FILES, new FailureLenses(tests)));
}

module.exports = { addLenses, uncovered, withTooltips };
