// The grammars color comments, strings, numbers and keywords of all shipped files, and nothing else that way.

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');
const { EXTENSION, json, shipped } = require('./support');

/** @type {{ language: string, scopeName: string, path: string }[]} */
const GRAMMARS = json('package.json').contributes.grammars;

const registry = new textmate.Registry({
    onigLib: oniguruma
        .loadWASM(fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')))
        .then(() => ({
            createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
            createOnigString: (text) => new oniguruma.OnigString(text),
        })),
    loadGrammar: async (scope) => {
        const known = GRAMMARS.find(({ scopeName }) => scopeName === scope);
        return known ? textmate.parseRawGrammar(fs.readFileSync(path.join(EXTENSION, known.path), 'utf8'), known.path) : null;
    },
});

/** Returns the scopes of each character of a text. @param {string} scope @param {string} text */
async function scopes(scope, text) {
    const grammar = await registry.loadGrammar(scope);
    assert(grammar);
    /** @type {string[]} */
    const all = [];
    let state = textmate.INITIAL;
    for (const line of text.split('\n')) {
        const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
        for (const { startIndex, endIndex, scopes } of tokens) {
            for (let i = startIndex; i < Math.min(endIndex, line.length); i += 1) {
                all.push(scopes.join(' '));
            }
        }
        all.push('');
        state = ruleStack;
    }
    return all;
}

const PARTS = {
    ron: /(?<comment>\/\/.*|\/\*[^]*?\*\/)|(?<string>"(?:\\.|[^"\\])*")|(?<constantNumeric>(?<![\w.])[+-]?\d[\w.]*(?:(?<=e)[+-]\d+)?)|(?<constantLanguage>\b(?:true|false)\b)|(?<variable>\b\w+(?=:))|(?<entity>\b[A-Z]\w*)/g,
    rhai: /(?<comment>\/\/.*|\/\*[^]*?\*\/)|(?<string>"(?:\\.|[^"\\])*"|`[^`]*`)|(?<constantNumeric>(?<!\w)\d\w*(?:\.\d\w*)?)|(?<constantLanguage>\b(?:true|false)\b)|(?<keyword>\b(?:if|else|for|in|while|loop|return|switch|import|as|break|continue)\b)|(?<storage>\b(?:let|const|fn|private)\b)/g,
};

/** What only such a part may be. */
const EXCLUSIVE = /\b(comment|string|constant\.numeric|constant\.language|storage|keyword\.control)\b/;

for (const { language, scopeName } of GRAMMARS) {
    test(`${language}: parts of shipped files have their scopes`, async () => {
        const files = shipped(`.${language}`);
        assert(files.length > 20, 'there are files');
        /** @type {Record<string, number>} */
        const counts = {};
        for (const file of files) {
            const text = fs.readFileSync(file, 'utf8');
            const all = await scopes(scopeName, text);
            const rest = new Set(all.keys());
            for (const part of text.matchAll(PARTS[/** @type {'ron' | 'rhai'} */ (language)])) {
                const [kind] = Object.entries(part.groups ?? {}).find(([, found]) => found !== undefined) ?? [''];
                const expected = kind.replace(/[A-Z]/, (letter) => `.${letter.toLowerCase()}`);
                counts[kind] = (counts[kind] ?? 0) + 1;
                for (let i = part.index; i < part.index + part[0].length; i += 1) {
                    rest.delete(i);
                    if (text[i] !== '\n') {
                        assert(all[i].includes(` ${expected}`), `${file}: \`${part[0]}\` is ${all[i]}, not ${expected}`);
                    }
                }
            }
            for (const i of rest) {
                assert(!EXCLUSIVE.test(all[i]), `${file}: \`${text.slice(i, i + 20)}\` is ${all[i]}`);
            }
        }
        for (const [, kind] of PARTS[/** @type {'ron' | 'rhai'} */ (language)].source.matchAll(/\?<(\w+)>/g)) {
            assert(counts[kind] > 0, kind);
        }
    });
}

test('rare forms have their scopes', async () => {
    for (const [scope, text, what] of [
        ['source.ron', 'a: ‹r#"x " ( // "#›, b', 'string'],
        ['source.ron', '‹/* a /* b */ c */› 1', 'comment.block'],
        ['source.ron', '(‹\'(\'›, 2)', 'string'],
        ['source.ron', '(‹-2.5e3›, x)', 'constant.numeric'],
        ['source.rhai', 'let a = ‹`b ›${c("}")}‹ d`›;', 'string.interpolated'],
        ['source.rhai', 'let a = ‹"b \\" // c"› + d', 'string'],
        ['source.rhai', 'for i in ‹0›..‹5› {}', 'constant.numeric'],
        ['source.rhai', '‹/* a /* b */ c */› x', 'comment.block'],
        ['source.rhai', 'let a = ‹##"b "# c"##›;', 'string'],
    ]) {
        const marked = [...text.matchAll(/‹(.*?)›/g)];
        const all = await scopes(scope, text.replace(/[‹›]/g, ''));
        marked.forEach(({ index, 1: part }, earlier) => {
            const start = index - 2 * earlier;
            for (let i = start; i < start + part.length; i += 1) {
                assert(all[i].includes(` ${what}`), `${text}: \`${part}\` is ${all[i]}`);
            }
        });
        assert(!all.at(-2)?.includes('comment'), text);
    }
});
