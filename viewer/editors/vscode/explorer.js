// Scenarios in the test explorer: run, debugged, and accepted if the new run is meant.

const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { decidingMessage, messageOf, oldMessage, outputOf } = require('./messages');
const { flockwork, projectOf, projects, scenariosOf } = require('./program');
const { done } = require('./steps');
const { showTurn } = require('./world');

/**
 * A line of `flockwork test --format json`.
 *
 * @typedef {{ file: string, start_line: number, start_column: number, end_line: number, end_column: number }} Span
 * @typedef {{ message: string, place: Span }} Related
 * @typedef {{ message: string, help: string[], place: Span | null, related: Related[] }} Finding
 * @typedef {{ scenario: string, result: string, seconds: number, findings: Finding[], details: string, is_acceptable: boolean, agent: string | null, tick: number | null }} Result
 */

/**
 * A test that did not pass in its last run, with the places of its messages, those that are about the agent to debug, and the path of its golden.
 * It is old if a file was edited since.
 *
 * @typedef {{ item: vscode.TestItem, result: Result, places: vscode.Location[], agentPlaces: vscode.Location[], golden: string, isOld: boolean }} Failure
 */

/**
 * How a test of the last run ended. Its messages are old if a file was edited since.
 *
 * @typedef {{ item: vscode.TestItem, how: 'passed' | 'failed' | 'errored', messages: vscode.TestMessage[], output: string, milliseconds: number, isOld: boolean }} Outcome
 */

/** Marks a message whose run can be accepted, for the menus. */
const ACCEPTABLE = 'acceptable';

/** Marks a message about an agent and a tick. */
const DEBUGGABLE = 'debuggable';

/**
 * Adds the test explorer. `scenariosUsing` returns the paths of the scenarios that use a file.
 *
 * @param {vscode.ExtensionContext} context
 * @param {(uri: vscode.Uri) => Promise<string[]>} scenariosUsing
 */
function addTests(context, scenariosUsing) {
    const controller = vscode.tests.createTestController('flockwork', 'Flockwork');
    const tests = new Tests(controller, scenariosUsing);
    controller.refreshHandler = () => tests.find();
    controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, (request, token) => tests.run(request, token), true);
    controller.createRunProfile('Debug', vscode.TestRunProfileKind.Debug, (request) => tests.debug(request), true);
    const files = vscode.workspace.createFileSystemWatcher('**/scenarios/**/*.ron', false, true, false);
    const goldens = vscode.workspace.createFileSystemWatcher('**/scenarios/**/*.golden', false, false, true);
    context.subscriptions.push(
        controller,
        files,
        goldens,
        goldens.onDidChange((uri) => tests.compareAgain(uri)),
        goldens.onDidCreate((uri) => tests.compareAgain(uri)),
        files.onDidCreate(() => tests.find()),
        files.onDidDelete(() => tests.find()),
        vscode.commands.registerCommand('flockwork.accept', (of) => tests.accept(of)),
        vscode.commands.registerCommand('flockwork.show', (of) => tests.show(of)),
        vscode.commands.registerCommand('flockwork.debug', (of) => tests.debug(new vscode.TestRunRequest([testOf(of)]))),
        vscode.workspace.onDidSaveTextDocument(({ uri }) => tests.outdate(uri)),
        vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => (contentChanges.length > 0 ? tests.edit(document.uri) : undefined)),
    );
    return tests;
}

class Tests {
    /** The tests that did not pass in their last runs, by their ids. @type {Map<string, Failure>} */
    #failed = new Map();
    /** Tells of changes of the tests that did not pass. @type {vscode.EventEmitter<void>} */
    #changes = new vscode.EventEmitter();
    onDidFail = this.#changes.event;
    /** The tests whose goldens the last run has written, by their ids. @type {Set<string>} */
    #updated = new Set();
    /** How the tests of the last run ended, by their ids. @type {Map<string, Outcome>} */
    #outcomes = new Map();
    /** The ids of the tests whose results are outdated. @type {Set<string>} */
    #outdated = new Set();
    /** Finds that are overtaken by others do nothing. */
    #finds = 0;

    /** @param {vscode.TestController} controller @param {(uri: vscode.Uri) => Promise<string[]>} scenariosUsing */
    constructor(controller, scenariosUsing) {
        this.controller = controller;
        this.scenariosUsing = scenariosUsing;
    }

    /** Returns the tests that did not pass in their last runs. */
    failures() {
        return [...this.#failed.values()];
    }

    /** Returns the tests of all scenarios. */
    #all() {
        return this.#scenarios([...this.controller.items].map(([, item]) => item));
    }

    /** Finds the scenarios of all projects. */
    async find() {
        const find = ++this.#finds;
        const folders = await projects();
        /** @type {[string, string[]][]} */
        const all = await Promise.all(
            // A program that is missing has been told of.
            folders.map(async (folder) => [folder, await scenariosOf(folder).catch(() => [])]),
        );
        if (find !== this.#finds) {
            return;
        }
        const items = all.map(([folder, scenarios]) => {
            const project = this.controller.createTestItem(folder, path.basename(folder), vscode.Uri.file(folder));
            project.children.replace(this.#inFolders(folder, scenarios));
            return project;
        });
        // One project needs no level of its own.
        this.controller.items.replace(items.length === 1 ? [...items[0].children].map(([, item]) => item) : items);
    }

    /** Returns the scenarios of a project, those in folders below these, so that the tests of a folder can be run. @param {string} root @param {string[]} scenarios */
    #inFolders(root, scenarios) {
        /** @type {vscode.TestItem[]} */
        const top = [];
        /** @type {Map<string, vscode.TestItem>} */
        const folders = new Map();
        const add = (/** @type {vscode.TestItem} */ item) => {
            const folder = path.dirname(item.id);
            const isTop = folder.length <= path.join(root, 'scenarios').length;
            const known = folders.get(folder);
            if (isTop) {
                top.push(item);
            } else if (known !== undefined) {
                known.children.add(item);
            } else {
                const made = this.controller.createTestItem(folder, path.basename(folder), vscode.Uri.file(folder));
                folders.set(folder, made);
                made.children.add(item);
                add(made);
            }
        };
        scenarios.forEach((scenario) => add(this.#item(root, scenario)));
        return top;
    }

    /** @param {string} folder @param {string} scenario */
    #item(folder, scenario) {
        const file = path.join(folder, scenario);
        const label = scenario.replace(/^scenarios[\\/]/, '').replace(/\.ron$/, '');
        const item = this.controller.createTestItem(file, label, vscode.Uri.file(file));
        item.range = startOf(file);
        return item;
    }

    /** Returns the scenarios among items and those below them. @param {Iterable<vscode.TestItem>} items @returns {vscode.TestItem[]} */
    #scenarios(items) {
        return [...items].flatMap((item) => (item.children.size === 0 ? [item] : this.#scenarios([...item.children].map(([, child]) => child))));
    }

    /** @param {vscode.TestRunRequest} request */
    #asked(request) {
        const excluded = new Set(this.#scenarios(request.exclude ?? []));
        const all = request.include ?? [...this.controller.items].map(([, item]) => item);
        return this.#scenarios(all).filter((item) => !excluded.has(item));
    }

    /**
     * Runs tests. `update` are more options of the command.
     *
     * @param {vscode.TestRunRequest} request
     * @param {vscode.CancellationToken | undefined} token
     * @param {string[]} [update]
     */
    async run(request, token, update = []) {
        done('tested');
        const asked = this.#asked(request);
        const others = this.#othersThatFailed(asked);
        this.#outcomes = new Map(others.map((outcome) => [outcome.item.id, outcome]));
        const all = [...asked, ...others.map(({ item }) => item)];
        const run = this.controller.createTestRun(others.length === 0 ? request : new vscode.TestRunRequest(all, undefined, request.profile));
        /** @type {Map<string, vscode.TestItem[]>} */
        const byProject = new Map();
        for (const item of asked) {
            const folder = projectOf(item.id) ?? path.dirname(item.id);
            byProject.set(folder, [...(byProject.get(folder) ?? []), item]);
            this.#outdated.delete(item.id);
            run.started(item);
        }
        try {
            for (const [folder, items] of byProject) {
                await this.#runProject(run, folder, items, update, token);
            }
        } finally {
            // Their output is among that of the run before.
            others.forEach((outcome) => tell(run, { ...outcome, output: '' }));
            run.end();
            this.#markOutdated();
        }
        await this.#offer(asked);
    }

    /** Returns how tests ended that are not asked for, and did not pass. The editor shows only what the last run tells, so that tells them again. @param {vscode.TestItem[]} asked */
    #othersThatFailed(asked) {
        const items = new Map(this.#all().map((item) => [item.id, item]));
        const isOther = (/** @type {Outcome} */ { item: { id }, how }) => how !== 'passed' && items.has(id) && !asked.some((one) => one.id === id);
        return [...this.#outcomes.values()].filter(isOther);
    }

    /** Marks the results that are outdated. */
    #markOutdated() {
        this.controller.invalidateTestResults(this.#all().filter(({ id }) => this.#outdated.has(id)));
    }

    /** Runs the test of a golden again if it has failed: the golden may have been written elsewhere, or was taken back. @param {vscode.Uri} uri */
    async compareAgain({ fsPath }) {
        const failed = this.failures().find(({ golden }) => golden === fsPath);
        if (failed !== undefined) {
            await this.run(new vscode.TestRunRequest([failed.item]), undefined);
        }
    }

    /** Marks the results of the scenarios that use a file as outdated when it is saved, and puts the mark of its test where the scenario begins. @param {vscode.Uri} uri */
    async outdate(uri) {
        const file = uri.fsPath;
        // The mark was moved by edits, and a scenario that was emptied meanwhile has lost it.
        const item = this.#all().find(({ id }) => id === file);
        if (item !== undefined) {
            item.range = startOf(file);
        }
        if (/\.(ron|rhai)$/.test(file)) {
            // Without a server, any of them may use it.
            const using = await this.scenariosUsing(uri).catch(() => undefined);
            const items = this.#all().filter(({ id }) => using?.includes(id) ?? true);
            items.forEach(({ id }) => this.#outdated.add(id));
            if (!this.#age(file, ({ item: { id } }) => this.#outdated.has(id))) {
                this.controller.invalidateTestResults(items);
            }
        }
    }

    /** Ends the messages at the lines of a file that is edited. @param {vscode.Uri} uri */
    edit({ fsPath: file }) {
        const isThere = (/** @type {Outcome} */ { messages }) => messages.some(({ location }) => location?.uri.fsPath === file);
        this.#age(file, isThere);
    }

    /**
     * Makes messages old since a file has changed: they say so, and those at lines of the file, which move, are at no line any more. The editor
     * shows what the last run has told, so that is told again. Returns whether anything is new.
     *
     * @param {string} file
     * @param {(outcome: Outcome) => boolean} isConcerned
     */
    #age(file, isConcerned) {
        const isThere = (/** @type {vscode.Location | undefined} */ place) => place?.uri.fsPath === file;
        const outcomes = [...this.#outcomes.values()];
        const old = outcomes.filter((outcome) => isConcerned(outcome) && (!outcome.isOld || outcome.messages.some(({ location }) => isThere(location))));
        const failed = old.filter(({ how }) => how !== 'passed');
        if (failed.length === 0) {
            return false;
        }
        for (const outcome of failed) {
            outcome.isOld = true;
            // One without a place is at the start of its scenario, so only the last one that is left stays.
            const rest = outcome.messages.filter(({ location }) => !isThere(location));
            outcome.messages = (rest.length > 0 ? rest : outcome.messages.slice(0, 1)).map(({ message, location, contextValue }) =>
                Object.assign(new vscode.TestMessage(oldMessage(String(message))), { location: isThere(location) ? undefined : location, contextValue }),
            );
            this.#outdated.add(outcome.item.id);
            const failure = this.#failed.get(outcome.item.id);
            if (failure !== undefined) {
                failure.isOld = true;
            }
        }
        // The last argument keeps the results closed; older editors do not know it.
        const request = new /** @type {any} */ (vscode.TestRunRequest)(outcomes.map(({ item }) => item), undefined, undefined, false, true);
        const run = this.controller.createTestRun(request, 'The last run, before the edit', false);
        outcomes.forEach((outcome) => tell(run, outcome));
        run.end();
        this.#markOutdated();
        for (const failure of this.#failed.values()) {
            failure.places = failure.places.filter((place) => !isThere(place));
            failure.agentPlaces = failure.agentPlaces.filter((place) => !isThere(place));
        }
        this.#changes.fire();
        return true;
    }

    /** Offers to accept what differs from its golden in some tests. @param {vscode.TestItem[]} items */
    async #offer(items) {
        const acceptable = items.filter(({ id }) => this.#failed.get(id)?.result.is_acceptable);
        if (acceptable.length === 0) {
            return;
        }
        const which = acceptable.length === 1 ? `The run of ${acceptable[0].label} differs from its golden, the recorded run.` : `${acceptable.length} runs differ from their goldens, the recorded runs.`;
        const accept = 'Accept the new run …';
        // Not awaited: the message stays until it is answered.
        vscode.window.showInformationMessage(which, accept).then((answer) => (answer === accept ? this.accept(undefined) : undefined));
    }

    /** Runs the tests of some scenarios, as a code lens asks for them. @param {string[]} uris */
    async runFiles(uris) {
        const wanted = new Set(uris.map((uri) => vscode.Uri.parse(uri).fsPath));
        const items = this.#all().filter((item) => wanted.has(item.id));
        await this.run(new vscode.TestRunRequest(items), undefined);
    }

    /** Notes how a test ended, for the menus, which are made when it is told. @param {string} id @param {Failure | undefined} failed */
    #note(id, failed) {
        if (failed === undefined) {
            if (this.#failed.get(id)?.result.is_acceptable) {
                // The message that offers it is still shown, if it was accepted in another way.
                vscode.commands.executeCommand('notifications.hideToasts');
            }
            this.#failed.delete(id);
        } else {
            this.#failed.set(id, failed);
        }
        const acceptable = [...this.#failed].filter(([, { result }]) => result.is_acceptable).map(([id]) => id);
        this.#changes.fire();
        vscode.commands.executeCommand('setContext', 'flockwork.acceptable', acceptable);
        vscode.commands.executeCommand('setContext', 'flockwork.can_accept', acceptable.length > 0);
    }

    /**
     * @param {vscode.TestRun} run
     * @param {string} folder
     * @param {vscode.TestItem[]} items
     * @param {string[]} update
     * @param {vscode.CancellationToken | undefined} token
     */
    async #runProject(run, folder, items, update, token) {
        const waiting = new Map(items.map((item) => [path.relative(folder, item.id).replaceAll('\\', '/'), item]));
        const onLine = (/** @type {string} */ line) => {
            /** @type {Result} */
            const result = JSON.parse(line);
            const item = waiting.get(result.scenario);
            if (item !== undefined) {
                waiting.delete(result.scenario);
                this.#tell(run, folder, item, result);
            }
        };
        let why = 'it was stopped';
        try {
            const { stderr } = await flockwork(folder, ['test', '--format', 'json', ...update, ...waiting.keys()], { token, onLine });
            why = stderr.trim() || why;
        } catch (error) {
            why = String(error);
        }
        for (const item of waiting.values()) {
            if (token?.isCancellationRequested) {
                run.skipped(item);
            } else {
                run.errored(item, new vscode.TestMessage(why));
            }
        }
    }

    /** Tells the editor how a test ended. @param {vscode.TestRun} run @param {string} folder @param {vscode.TestItem} item @param {Result} result */
    #tell(run, folder, item, result) {
        const milliseconds = result.seconds * 1000;
        // What has changed since the golden before is no news once the new one is written.
        const isUpdated = result.result === 'updated';
        const words = isUpdated ? `accepted ${result.scenario}: ${goldenOf(result.scenario)} has the new run` : outputOf(result);
        const output = `${words}\n`.replaceAll('\n', '\r\n');
        if (isUpdated) {
            this.#updated.add(item.id);
        }
        if (['pass', 'new', 'updated'].includes(result.result)) {
            this.#note(item.id, undefined);
            this.#end(run, { item, how: 'passed', messages: [], output, milliseconds, isOld: false });
            return;
        }
        const golden = goldenOf(item.id);
        const places = result.findings.map(({ place }) => (place === null ? undefined : location(folder, place)));
        const placesOf = (/** @type {Finding} */ { place, related }) => [...(place === null ? [] : [place]), ...related.map((one) => one.place)].map((span) => location(folder, span));
        const agentPlaces = result.findings.filter((finding) => isAbout(result, finding)).flatMap(placesOf);
        this.#note(item.id, { item, result, places: result.findings.flatMap(placesOf), agentPlaces, golden, isOld: false });
        const contextOf = (/** @type {Finding} */ finding) => [result.is_acceptable && ACCEPTABLE, isAbout(result, finding) && DEBUGGABLE].filter((word) => word !== false).join(' ');
        const messages = result.findings.map((finding, index) => {
            const message = new vscode.TestMessage(messageOf(result, finding));
            message.location = places[index] ?? new vscode.Location(item.uri ?? vscode.Uri.file(item.id), new vscode.Position(0, 0));
            message.contextValue = contextOf(finding) || undefined;
            return message;
        });
        // The line of the script that decides, where the editor shows it.
        for (const finding of result.findings) {
            for (const { place, message: what } of finding.related) {
                const decides = new vscode.TestMessage(decidingMessage(what, finding));
                decides.location = location(folder, place);
                messages.push(decides);
            }
        }
        this.#end(run, { item, how: result.result === 'error' ? 'errored' : 'failed', messages, output, milliseconds, isOld: false });
    }

    /** Tells how a test ended, and keeps it. @param {vscode.TestRun} run @param {Outcome} outcome */
    #end(run, outcome) {
        this.#outcomes.set(outcome.item.id, outcome);
        tell(run, outcome);
    }

    /** Returns the tests whose new runs are to be accepted: the only one that can be, or those that the user chooses. */
    async #choose() {
        const acceptable = this.#all().filter(({ id }) => this.#failed.get(id)?.result.is_acceptable);
        if (acceptable.length < 2) {
            return acceptable;
        }
        const all = `All ${acceptable.length} of them, with one reason`;
        const label = await vscode.window.showQuickPick([...acceptable.map((item) => item.label), all], { title: 'The new run of which test?' });
        return label === all ? acceptable : acceptable.filter((item) => item.label === label);
    }

    /** Debugs the first test that is asked for: at the agent and the tick of its failure, if it has failed. @param {vscode.TestRunRequest} request */
    async debug(request) {
        const [item] = this.#asked(request);
        if (item === undefined) {
            return;
        }
        const failed = this.#failed.get(item.id)?.result;
        const place = failed?.agent != null && failed.tick !== null ? { firstAgent: Number(failed.agent), tick: failed.tick, stopOnEntry: true } : {};
        const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(item.id));
        await vscode.debug.startDebugging(folder, { type: 'flockwork', request: 'launch', name: `Debug ${item.label}`, scenario: item.id, ...place });
        // The test explorer would stay over the variables.
        await vscode.commands.executeCommand('workbench.view.debug');
    }

    /** Takes the new run of a test as its golden, with a reason. Without a test, asks for which. @param {vscode.TestItem | { test: vscode.TestItem } | undefined} of */
    async accept(of) {
        const items = of === undefined ? await this.#choose() : [testOf(of)];
        if (items.length === 0) {
            return;
        }
        const which = items.length === 1 ? `the new run of ${items[0].label}` : `${items.length} new runs`;
        const written = items.length === 1 ? path.basename(goldenOf(items[0].id)) : `${items.length} files, the goldens`;
        const reason = await vscode.window.showInputBox({
            title: `Accept ${which}`,
            prompt: `Why is it right? This writes ${written}, with the reason: from then on, the test expects the new run.`,
            validateInput: (text) => (text.trim() === '' ? 'Write a reason, such as: birds turn later' : undefined),
        });
        if (reason === undefined) {
            return;
        }
        await this.run(new vscode.TestRunRequest(items), undefined, ['--update', '--reason', reason]);
        const updated = items.filter(({ id }) => this.#updated.delete(id));
        if (updated.length > 0) {
            const names = updated.map(({ label }) => label).join(', ');
            const goldens = updated.length === 1 ? path.basename(goldenOf(updated[0].id)) : `${updated.length} goldens`;
            // Not awaited: the message stays until it is closed.
            void vscode.window.showInformationMessage(`Accepted ${names}: "${reason.trim()}" (in ${goldens})`);
        }
    }

    /** Shows the world at the tick of the failure of a test, with its agent selected. @param {vscode.TestItem | { test: vscode.TestItem }} of */
    async show(of) {
        const { id } = testOf(of);
        const failed = this.#failed.get(id)?.result;
        if (failed?.agent != null && failed.tick !== null) {
            await showTurn(id, { tick: failed.tick, agent: Number(failed.agent) });
        }
    }
}

/** Returns whether a finding of a test is about the agent to debug: the only one is. @param {Result} result @param {Finding} finding */
function isAbout({ agent, tick, findings }, { message }) {
    return agent !== null && tick !== null && (findings.length === 1 || new RegExp(`\\bagents? ${agent}\\b`).test(message));
}

/** Tells the editor how a test ended. @param {vscode.TestRun} run @param {Outcome} outcome */
function tell(run, { item, how, messages, output, milliseconds }) {
    if (output !== '') {
        run.appendOutput(output, undefined, item);
    }
    if (how === 'passed') {
        run.passed(item, milliseconds);
    } else {
        run[how](item, messages, milliseconds);
    }
}

/** Returns the test that a menu or a lens is about. @param {vscode.TestItem | { test: vscode.TestItem }} of */
function testOf(of) {
    return 'test' in of ? of.test : of;
}

/** Returns the path of the golden of a scenario. @param {string} scenario */
function goldenOf(scenario) {
    return scenario.replace(/\.ron$/, '.golden');
}

/** Returns where a scenario begins, below its comment. @param {string} file */
function startOf(file) {
    const start = Math.max(fs.readFileSync(file, 'utf8').split('\n').findIndex((line) => line.startsWith('(')), 0);
    return new vscode.Range(start, 0, start, 0);
}

/** @param {string} folder @param {Span} span */
function location(folder, span) {
    const range = new vscode.Range(span.start_line - 1, span.start_column - 1, span.end_line - 1, span.end_column - 1);
    return new vscode.Location(vscode.Uri.file(path.resolve(folder, span.file)), range);
}

module.exports = { addTests };
