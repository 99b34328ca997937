// What is said about a test that has not passed: first a whole sentence, since the test explorer shows one line, and all of it when that is opened.

/** @typedef {import('./explorer').Finding} Finding */
/** @typedef {import('./explorer').Result} Result */

/** The number of characters after which lines of messages go on in the next line: an editor beside a world has room for so many. */
const WIDTH = 52;

/** The number of characters up to which the parts of a message are in its first line. */
const TITLE = 90;

/** Marks what was said about files that have changed since. */
const OLD = 'before the edit: ';

/** Returns the parts of a text that are separated by `; ` outside of brackets. @param {string} text @returns {string[]} */
function clauses(text) {
    const parts = [''];
    let depth = 0;
    for (const piece of text.split(/(; |[()[\]{}])/)) {
        if (piece === '; ' && depth === 0) {
            parts.push('');
            continue;
        }
        depth += /^[([{]$/.test(piece) ? 1 : /^[)\]}]$/.test(piece) ? -1 : 0;
        parts[parts.length - 1] += piece;
    }
    return parts;
}

/** Returns a sentence, and what is in brackets behind it, if these are words and not a vector. @param {string} text @returns {string[]} */
function withoutBrackets(text) {
    for (let start = text.lastIndexOf(' ('); start > 0; start = text.lastIndexOf(' (', start - 1)) {
        const inner = text.slice(start + 2, -1);
        const isWhole = text.endsWith(')') && inner.split('(').length === inner.split(')').length;
        if (isWhole) {
            return /[a-z]/i.test(inner) ? [text.slice(0, start), inner] : [text];
        }
    }
    return [text];
}

/** What a difference from a golden begins with, and its cause, or what has changed since the golden was written. */
const DIFFERENCE = /^(differs from its golden from tick \d+ on); (?:cause: )?(.*)$/s;

/** Begins a cause with what is not the cause. */
const NO_CAUSE = /^(not a primitive|the force is the same)/;

/**
 * Returns the lines of a message. That about a difference is first a sentence with its cause, of which a part has room at the end of a line. At
 * the line of the cause, that line is not named.
 *
 * @param {Finding} finding
 */
function sentences({ message, place }) {
    const [, differs, cause] = DIFFERENCE.exec(message) ?? [];
    if (cause === undefined) {
        return message.length <= TITLE ? [message] : clauses(message);
    }
    const parts = clauses(cause);
    const cut = NO_CAUSE.test(parts[0]) ? parts.splice(0, 1) : [];
    const [first, ...others] = parts;
    if (first === undefined) {
        return [`the run ${differs}`, ...cut];
    }
    const [, call, file, line, what] = /^(`\w+`) at (\S+):(\d+):\d+: (.*)$/.exec(first) ?? [];
    const isHere = call !== undefined && file === place?.file && Number(line) === place.start_line;
    const [title, ...inner] = withoutBrackets(isHere ? `${call}: ${what}` : first.replace(/^but /, ''));
    return [`${title}; this is probably why the run ${differs}`, ...inner, ...cut, ...others];
}

/** Returns what is behind the title of a line of a table. @param {string} line */
function valueOf(line) {
    return line.replace(/^\S.*? {2,}/, '');
}

/** Returns the lines of a long line. Those of a table go on below their value. @param {string} line */
function wrapped(line) {
    const indent = ' '.repeat(line.length - valueOf(line).length);
    /** @type {string[]} */
    const lines = [];
    let rest = line;
    while (rest.length > WIDTH) {
        const end = rest.lastIndexOf(' ', WIDTH);
        // Nothing can be broken before the value.
        if (end <= indent.length || rest.slice(0, end).trim() === '') {
            break;
        }
        lines.push(rest.slice(0, end).trimEnd());
        rest = indent + rest.slice(end).trimStart();
    }
    return [...lines, rest];
}

/** Returns a message whose first line is whole, since the test explorer shows only that. @param {string[]} lines */
function text([first = '', ...rest]) {
    return [first, ...rest.flatMap(wrapped)].join('\n').replace(/\n{3,}/g, '\n\n');
}

/** Returns whether a line names a command of a terminal: the editor has buttons for these. @param {string} line */
function isForTerminal(line) {
    return /flockwork (test|explain) /.test(line);
}

/** Returns the lines of a diagnosis without commands of a terminal. @param {string} details */
function forEditor(details) {
    return details.trim().split('\n').filter((line) => !isForTerminal(line));
}

/** Returns the message about a finding of a test, with the whole diagnosis. @param {Result} result @param {Finding} finding */
function messageOf({ details, agent, tick, is_acceptable }, finding) {
    const { message, help } = finding;
    const said = [...sentences(finding), ...help.filter((line) => !isForTerminal(line))];
    const isSaid = (/** @type {string} */ line) =>
        said.some((one) => line.endsWith(one)) || line.endsWith(message) || /^the run differs from its golden$/.test(line) || (/^cause {2}/.test(line) && message.includes(valueOf(line))) || (/^note: /.test(line) && message.includes(line.replace(/^note: \S+: /, '')));
    const rest = forEditor(details).filter((line) => !isSaid(line));
    const next = [];
    if (agent !== null && tick !== null) {
        next.push('', `To see why, look at agent ${agent} at tick ${tick}, where it decides what leads there: buttons here and above the line show it in the world, or debug it.`);
    }
    if (is_acceptable) {
        next.push('', 'If the new run is right, "Accept the new run" records it in the golden: a check mark beside the test, a button here and above the line, or the command palette.');
    } else if (/differs from its golden/.test(details)) {
        next.push('', 'The new run can be accepted when all expectations hold.');
    }
    return text([...said, ...next, '', ...rest]);
}

/** Returns what the test panel says about a test that has not passed: first what differs and why, then all of it. @param {Result} result */
function outputOf({ result, scenario, findings, details }) {
    const differences = findings.filter(({ message }) => DIFFERENCE.test(message));
    const said = differences.flatMap((finding) => ['', sentences({ ...finding, place: null })[0]]);
    return [`${result} ${scenario}`, ...said, ...(said.length > 0 ? [''] : []), ...forEditor(details)].join('\n').trimEnd();
}

/** Returns the message at a line of a script that decides. @param {string} what @param {Finding} finding */
function decidingMessage(what, finding) {
    return text([what, ...sentences(finding), ...finding.help]);
}

/** Returns a message about files that have changed since. @param {string} message */
function oldMessage(message) {
    return message.startsWith(OLD) ? message : `${OLD}${message}`;
}

module.exports = { decidingMessage, messageOf, oldMessage, outputOf };
