// Colors that are there at once: words, strings, numbers and comments of both languages. What names mean, the language server adds.

import { LanguageSupport, StreamLanguage, type StreamParser, type StringStream } from "@codemirror/language";

const RHAI_KEYWORDS = new Set(
  ("let const fn private global if else switch while loop do until for in break continue return throw try catch import export as").split(" "),
);
const RHAI_CONSTANTS = new Set(["true", "false", "this"]);
const RON_CONSTANTS = new Set(["true", "false", "None"]);

const NUMBER = /^(0x[0-9a-fA-F_]+|0b[01_]+|0o[0-7_]+|\d[\d_]*(\.\d[\d_]*)?([eE][+-]?\d+)?)/;
const WORD = /^[A-Za-z_][A-Za-z0-9_]*/;
const OPERATOR = /^[-+*/%=<>!&|^]+/;

/** What the start of a line depends on. */
interface LineState {
  /** Depth of comments, which may contain others. */
  comment: number;
  /** The text that ends an open string; empty outside of strings. */
  stringEnd: string;
  /** Whether a backslash in the open string is only a letter. */
  isRaw: boolean;
  /** For each part of code inside a string of Rhai, how many braces are open there. */
  embedded: number[];
}

function inComment(stream: StringStream, state: LineState): string {
  while (!stream.eol()) {
    if (stream.match("*/")) {
      state.comment -= 1;
      if (state.comment === 0) {
        break;
      }
    } else if (stream.match("/*")) {
      state.comment += 1;
    } else {
      stream.next();
    }
  }
  return "comment";
}

/** Reads a part of a string: to its end, to the end of the line, or to code in it. */
function inString(stream: StringStream, state: LineState): string {
  const end = state.stringEnd;
  while (!stream.eol()) {
    if (!state.isRaw && stream.match("\\")) {
      stream.next();
    } else if (end === "`" && stream.match("${", false)) {
      state.embedded.push(0);
      state.stringEnd = "";
      return "string";
    } else if (stream.match(end)) {
      state.stringEnd = "";
      break;
    } else {
      stream.next();
    }
  }
  return "string";
}

/** Reads what both languages have: white space, comments, strings and numbers. */
function common(stream: StringStream, state: LineState): string | null | undefined {
  if (state.comment > 0) {
    return inComment(stream, state);
  }
  if (state.stringEnd !== "") {
    return inString(stream, state);
  }
  if (stream.eatSpace()) {
    return null;
  }
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match("/*")) {
    state.comment = 1;
    return inComment(stream, state);
  }
  if (stream.match('"')) {
    state.stringEnd = '"';
    state.isRaw = false;
    return inString(stream, state);
  }
  if (stream.match(/^'(\\.[^']*|[^'\\])'/)) {
    return "string";
  }
  return stream.match(NUMBER) ? "number" : undefined;
}

/** Counts braces in code inside a string. Behind the last one, the string goes on. */
function countBraces(letter: string, state: LineState): void {
  const last = state.embedded.length - 1;
  const depth = state.embedded[last];
  if (depth === undefined) {
    return;
  }
  if (letter === "{") {
    state.embedded[last] = depth + 1;
  } else if (letter === "}" && depth > 1) {
    state.embedded[last] = depth - 1;
  } else if (letter === "}") {
    state.embedded.pop();
    state.stringEnd = "`";
    state.isRaw = false;
  }
}

function rhaiToken(stream: StringStream, state: LineState): string | null {
  const known = common(stream, state);
  // Where a quote is missing, the next line is code again.
  if (stream.eol() && state.stringEnd === '"' && !stream.string.endsWith("\\")) {
    state.stringEnd = "";
  }
  if (known !== undefined) {
    return known;
  }
  const raw = stream.match(/^#+"/, true) as RegExpMatchArray | null;
  if (raw !== null) {
    state.stringEnd = `"${"#".repeat(raw[0].length - 1)}`;
    state.isRaw = true;
    return inString(stream, state);
  }
  if (stream.match("`")) {
    state.stringEnd = "`";
    state.isRaw = false;
    return inString(stream, state);
  }
  const isMember = stream.string[stream.pos - 1] === "." && stream.string[stream.pos - 2] !== ".";
  const word = stream.match(WORD, true) as RegExpMatchArray | null;
  if (word !== null) {
    const isCall = Boolean(stream.match(/^\s*\(/, false));
    if (isMember) {
      return isCall ? "propertyName.function" : "propertyName";
    }
    if (RHAI_KEYWORDS.has(word[0])) {
      return "keyword";
    }
    if (RHAI_CONSTANTS.has(word[0])) {
      return "atom";
    }
    if (stream.match("::", false)) {
      return "namespace";
    }
    return isCall ? "variableName.function" : "variableName";
  }
  if (stream.match(OPERATOR)) {
    return "operator";
  }
  countBraces(stream.next() ?? "", state);
  return "punctuation";
}

function ronToken(stream: StringStream, state: LineState): string | null {
  const known = common(stream, state);
  if (known !== undefined) {
    return known;
  }
  const raw = stream.match(/^b?r#*"/, true) as RegExpMatchArray | null;
  if (raw !== null) {
    state.stringEnd = `"${"#".repeat(raw[0].replace("b", "").length - 2)}`;
    state.isRaw = true;
    return inString(stream, state);
  }
  if (stream.match(/^[+-](?=[\d.])/)) {
    stream.match(NUMBER);
    return "number";
  }
  const word = stream.match(WORD, true) as RegExpMatchArray | null;
  if (word !== null) {
    if (stream.match(/^\s*:/, false)) {
      return "propertyName";
    }
    if (RON_CONSTANTS.has(word[0])) {
      return "atom";
    }
    return /^[A-Z]/.test(word[0]) ? "typeName" : "variableName";
  }
  stream.next();
  return "punctuation";
}

function parser(name: string, token: (stream: StringStream, state: LineState) => string | null): StreamParser<LineState> {
  return {
    name,
    startState: () => ({ comment: 0, stringEnd: "", isRaw: false, embedded: [] }),
    copyState: (state) => ({ ...state, embedded: [...state.embedded] }),
    token,
    languageData: {
      commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
      closeBrackets: { brackets: ["(", "[", "{", '"', "`"] },
      indentOnInput: /^\s*[)\]}]$/,
    },
  };
}

const RHAI = StreamLanguage.define(parser("rhai", rhaiToken));
const RON = StreamLanguage.define(parser("ron", ronToken));

/** Returns the language of a file, or of a piece of code in documentation. */
export function languageOf(ending: string): StreamLanguage<LineState> {
  return ending === "ron" ? RON : RHAI;
}

/** Returns the language of a file as an extension of the editor. */
export function language(path: string): LanguageSupport {
  return new LanguageSupport(languageOf(path.endsWith(".ron") ? "ron" : "rhai"));
}
