// The package has what the editor needs, and nothing else.

const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { listFiles } = require('@vscode/vsce');
const { EXTENSION, TOP, json } = require('./support');

test('the version is that of the program', () => {
    const [, version] = /^version = "(.*)"$/m.exec(fs.readFileSync(path.join(TOP, 'Cargo.toml'), 'utf8')) ?? [];
    assert.equal(json('package.json').version, version);
});

test('all files that package.json names are packed, and no test is', async () => {
    // Before it is packed, it gets the pictures of the book.
    execFileSync('npm', ['run', '--silent', 'vscode:prepublish'], { cwd: EXTENSION });
    const files = await listFiles({ cwd: EXTENSION });
    const { main, contributes } = json('package.json');
    const steps = contributes.walkthroughs[0].steps.map((/** @type {any} */ one) => one.media.markdown);
    const picturesOf = (/** @type {string} */ step) => [...fs.readFileSync(path.join(EXTENSION, step), 'utf8').matchAll(/\]\((\w+\.png)\)/g)].map(([, name]) => `walkthrough/${name}`);
    assert(steps.flatMap(picturesOf).length >= 4);
    const named = [
        main,
        ...contributes.languages.flatMap((/** @type {any} */ one) => one.configuration ?? []),
        ...contributes.languages.flatMap((/** @type {any} */ one) => Object.values(one.icon ?? {})),
        ...contributes.grammars.map((/** @type {any} */ one) => one.path),
        ...steps,
        ...steps.flatMap(picturesOf),
        'README.md',
        'LICENSE',
        'node_modules/vscode-languageclient/package.json',
    ].map((name) => path.normalize(name));
    for (const name of named) {
        assert(files.includes(name), `${name} is missing`);
    }
    const own = files.filter((name) => !name.startsWith('node_modules'));
    assert.deepEqual(own.filter((name) => /test|config\.json$|tmp/.test(name)), []);
    const bytes = files.map((name) => fs.statSync(path.join(EXTENSION, name)).size);
    const all = bytes.reduce((sum, size) => sum + size, 0);
    assert(all < 3e6, `${all} bytes`);
});
