// The steps of the first walk that are done.

const vscode = require('vscode');

/** Steps that no command of the editor ends, by what was done: their ids in `package.json`. */
const STEPS = { shown: 'world', debugged: 'debugger', condition: 'condition', tested: 'goldens' };

/** Marks a step as done. @param {keyof typeof STEPS} what */
function done(what) {
    void vscode.commands.executeCommand('setContext', `flockwork.has_${what}`, true);
    // A walk that is open does not follow the context.
    void vscode.commands.executeCommand('welcome.markStepComplete', `flockwork.flockwork#first#${STEPS[what]}`).then(undefined, () => undefined);
}

module.exports = { done };
