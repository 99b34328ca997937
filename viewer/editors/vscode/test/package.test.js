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
    const media = contributes.walkthroughs[0].steps.map((/** @type {any} */ one) => one.media);
    const steps = media.flatMap((/** @type {any} */ { markdown }) => markdown ?? []);
    // Caught: in a light theme, pictures were dark.
    const images = media.flatMap((/** @type {any} */ { image }) => image ?? []);
    assert(images.length >= 4);
    for (const { dark, light, hc, hcLight } of images) {
        assert.deepEqual([light, hc, hcLight], [dark.replace('.png', '_light.png'), dark, light]);
    }
    const named = [
        main,
        ...contributes.languages.flatMap((/** @type {any} */ one) => one.configuration ?? []),
        ...contributes.languages.flatMap((/** @type {any} */ one) => Object.values(one.icon ?? {})),
        ...contributes.grammars.map((/** @type {any} */ one) => one.path),
        ...steps,
        ...images.flatMap((/** @type {any} */ one) => Object.values(one)),
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
