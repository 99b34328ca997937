// `flockwork check` accepts each snippet with its defaults, and `flockwork fmt` leaves it as it is.

const assert = require('node:assert');
const test = require('node:test');
const { flockwork, json, project } = require('./support');

/** Returns the text of a snippet with the first choice or the default at each place. @param {string | string[]} body */
function filled(body) {
    const text = [body].flat().join('\n');
    return text
        .replace(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, '$1')
        .replace(/\$\{\d+:([^}]*)\}/g, '$1')
        .replace(/\$\d+/g, '');
}

/** @param {string} text @param {string} indentation */
function indented(text, indentation) {
    return text.replace(/\n/g, `\n${indentation}`);
}

const BIRDS = '"birds": (spawn: Points([(10, 10)]), body: (radius: 4), goals: [(at: (70, 50), radius: 1)]),';

/** Returns a scenario with a field, and with a group unless the field is `groups`. @param {string} field @param {string} text */
function scenario(field, text) {
    const groups = field === 'groups' ? '' : `    groups: {\n        ${BIRDS}\n    },\n`;
    const [open, close] = field === 'expect' ? '[]' : '{}';
    const added = `    ${field}: ${open}\n        ${indented(text, '        ')}\n    ${close},\n`;
    return `(\n    ticks: 60,\n    world: (size: (800, 600)),\n${groups}${added})\n`;
}

/** Where each snippet belongs. @type {Record<string, (text: string) => string>} */
const PLACES = {
    scenario: (text) => `${text}\n`,
    group: (text) => scenario('groups', text),
    circle: (text) => scenario('obstacles', text),
    wall: (text) => scenario('obstacles', text),
    path: (text) => scenario('paths', text),
    reach: (text) => scenario('expect', text),
    overlap: (text) => scenario('expect', text),
    steer: (text) => `${text}\n`,
    init: (text) => `${text}\n\nfn steer(me) {\n    me.state.breath * me.wander()\n}\n`,
    nearest: (text) => `fn steer(me) {\n    ${indented(text, '    ')}\n    me.flee(threat)\n}\n`,
    prioritize: (text) => `fn steer(me) {\n    ${indented(text, '    ')}\n}\n`,
    expect: (text) => `${text}\n`,
    measure: (text) => `${text}\n`,
};

for (const { language, path } of json('package.json').contributes.snippets) {
    for (const [name, { prefix, body }] of Object.entries(json(path))) {
        test(`${language}: ${name}`, () => {
            const text = PLACES[prefix](filled(body));
            assert(!/\$/.test(text), text);
            const isScenario = language === 'ron';
            const folder = project({
                [isScenario ? 'scenarios/a.ron' : 'scripts/a.rhai']: text,
                'scripts/flock.rhai': 'fn steer(me) {\n    me.wander()\n}\n',
            });
            const checked = flockwork(folder, 'check', isScenario ? 'scenarios' : 'scripts');
            const errors = checked.output.match(/\d+ errors?, \d+ warnings?/)?.[0];
            const unused = /unused-(goals|obstacles)|no script|never uses/.test(checked.output);
            assert(errors === '0 errors, 0 warnings' || (unused && checked.status === 0), `${text}\n${checked.output}`);
            const formatted = flockwork(folder, 'fmt', '--check', '.');
            assert.equal(formatted.status, 0, `${text}\n${formatted.output}`);
        });
    }
}
