// Places in files: those of errors that the program writes, and how one is shown.

const path = require('node:path');
const vscode = require('vscode');

/** An error of the program. Line and column count from 1. @typedef {{ message: string, file?: string, line: number, column: number }} WrittenError */

/** Returns the first error that the program has written. @param {string} written @returns {WrittenError | undefined} */
function firstError(written) {
    const [, message, file, line, column] = /^error(?:\[[a-z-]+\])?: (.*)(?:\n *--> (.+):(\d+):(\d+)$)?/m.exec(written) ?? [];
    return message === undefined ? undefined : { message, file, line: Number(line), column: Number(column) };
}

/**
 * Opens a file at a place, in an editor that shows it or another one, and not over a world.
 *
 * @param {string} file
 * @param {number} line
 * @param {number} column Both count from 1.
 */
async function openPlace(file, line, column) {
    const editors = vscode.window.visibleTextEditors;
    const shown = editors.find(({ document }) => document.uri.fsPath === file) ?? editors[0];
    const place = new vscode.Position(line - 1, column - 1);
    await vscode.window.showTextDocument(vscode.Uri.file(file), { viewColumn: shown?.viewColumn, selection: new vscode.Range(place, place) });
}

/**
 * Says what failed and why, with a button that opens the place. A message without a button is cut off where it has no more room.
 *
 * @param {string} what
 * @param {WrittenError} why
 * @param {string} folder The paths of files start there.
 */
function tellError(what, { message, file, line, column }, folder) {
    if (file === undefined) {
        void vscode.window.showErrorMessage(`${what}: ${message}`);
        return;
    }
    const place = `${path.basename(file)}:${line}`;
    const open = `Open ${place}`;
    // Not awaited: the message stays until it is answered.
    void vscode.window
        .showErrorMessage(`${what}: ${place}: ${message}`, open)
        .then((answer) => (answer === open ? openPlace(path.resolve(folder, file), line, column) : undefined));
}

module.exports = { firstError, openPlace, tellError };
