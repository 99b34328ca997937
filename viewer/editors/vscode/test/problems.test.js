// The problem matcher finds what `flockwork check` reports, with its place.

const assert = require('node:assert');
const test = require('node:test');
const { flockwork, json, project } = require('./support');

/** @type {{ regexp: string, severity?: number, code?: number, message?: number, file?: number, line?: number, column?: number }[]} */
const PATTERN = json('package.json').contributes.problemMatchers[0].pattern;

/** Finds problems as the editor does: each pattern on the line after the one before. @param {string} output */
function problems(output) {
    const lines = output.split('\n');
    return lines.flatMap((_, start) => {
        /** @type {Record<string, string>} */
        const problem = {};
        for (const [i, { regexp, ...parts }] of PATTERN.entries()) {
            const match = new RegExp(regexp).exec(lines[start + i] ?? '');
            if (!match) {
                return [];
            }
            for (const [part, group] of Object.entries(parts)) {
                problem[part] = match[group];
            }
        }
        return [problem];
    });
}

test('findings of `check` become problems', () => {
    const folder = project({
        'scenarios/a.ron':
            '(\n    tiks: 5,\n    world: (size: (9, 9)),\n    groups: {\n        "a": (spawn: Points([(20, 1)])),\n    },\n)\n',
        'scenarios/b.ron':
            '(\n    world: (size: (9, 9)),\n    groups: {\n        "a": (behavior: "walk", spawn: Points([(1, 1)]), params: { "x": 1 }),\n    },\n)\n',
        'scripts/walk.rhai': 'fn steer(me) {\n    me.seek(vec(1, 2)\n}\n',
        'scripts/idle.rhai': 'fn steer(me) {\n    let a = 1;\n    me.wander()\n}\n',
    });
    const { status, output } = flockwork(folder, 'check');
    assert.equal(status, 1, output);
    const found = problems(output);
    const arrows = output.split('\n').filter((line) => /^ *--> /.test(line));
    assert.equal(found.length, arrows.length, output);
    const places = found.map(({ severity, file, line, column }) => `${severity} ${file}:${line}:${column}`);
    for (const place of ['error scenarios/a.ron:2:5', 'error scripts/walk.rhai:2:12', 'warning scripts/idle.rhai:2:9']) {
        assert(places.includes(place), `${place} is missing in ${places.join(', ')}\n${output}`);
    }
    assert(found.some(({ code }) => code === 'unused-variable'));
    assert(found.every(({ message }) => message.length > 5));
});

test('failed expectations of `test` become problems', () => {
    const folder = project({
        'scenarios/a.ron':
            '(\n    ticks: 5,\n    world: (size: (9, 9)),\n    groups: { "a": (spawn: Points([(1, 1)]), velocity: (1, 0)) },\n    expect: [MaxSpeed(speed: 0.5)],\n)\n',
    });
    const { status, output } = flockwork(folder, 'test');
    const [{ severity, file, line, column, message }] = problems(output);
    assert.equal(status, 1, output);
    assert.deepEqual([severity, file, line, column], ['error', 'scenarios/a.ron', '5', '14']);
    assert.match(message, /has speed 1 /);
});
