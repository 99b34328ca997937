// The part of the Language Server Protocol that the editor needs, and what the page and the worker of the language server say to each other.

/** From 0; characters are UTF-16 units. */
export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Location {
  uri: string;
  range: Range;
}

export interface TextEdit {
  range: Range;
  newText: string;
}

/** A finding as the protocol shows it. */
export interface LspDiagnostic {
  range: Range;
  /** 1: error, 2: warning, 3: note. */
  severity?: number;
  code?: string;
  /** Several lines: what is wrong, a label of the place, and help. */
  message: string;
  /** 1: nothing needs this text. */
  tags?: number[];
  relatedInformation?: { location: Location; message: string }[];
}

interface TextDocumentEdit {
  textDocument: { uri: string };
  edits: TextEdit[];
}

interface RenameFile {
  kind: "rename";
  oldUri: string;
  newUri: string;
}

export interface WorkspaceEdit {
  changes?: Record<string, TextEdit[]>;
  documentChanges?: (TextDocumentEdit | RenameFile)[];
}

export interface CodeAction {
  title: string;
  diagnostics?: LspDiagnostic[];
  edit?: WorkspaceEdit;
}

export interface MarkupContent {
  kind: string;
  value: string;
}

export interface CompletionItem {
  label: string;
  kind?: number;
  detail?: string;
  documentation?: MarkupContent | string;
  sortText?: string;
  filterText?: string;
  textEdit?: TextEdit;
}

export interface SignatureHelp {
  signatures: {
    label: string;
    documentation?: MarkupContent | string;
    parameters?: { label: string; documentation?: MarkupContent | string }[];
  }[];
  activeSignature?: number;
  activeParameter?: number;
}

interface TextDocument {
  textDocument: { uri: string };
}

interface At extends TextDocument {
  position: Position;
}

/** Each request: its params and its result. */
export interface Requests {
  "textDocument/codeAction": [TextDocument & { range: Range; context: { diagnostics: LspDiagnostic[] } }, CodeAction[] | null];
  "textDocument/completion": [At, CompletionItem[] | { items: CompletionItem[] } | null];
  "textDocument/definition": [At, Location | Location[] | null];
  "textDocument/formatting": [TextDocument & { options: { tabSize: number; insertSpaces: boolean } }, TextEdit[] | null];
  "textDocument/hover": [At, { contents: MarkupContent; range?: Range } | null];
  "textDocument/prepareRename": [At, { range: Range; placeholder: string } | null];
  "textDocument/rename": [At & { newName: string }, WorkspaceEdit | null];
  "textDocument/semanticTokens/full": [TextDocument, { data: number[] } | null];
  "textDocument/signatureHelp": [At, SignatureHelp | null];
  initialize: [{ processId: null; rootUri: null; capabilities: object }, { capabilities: ServerCapabilities }];
}

export interface ServerCapabilities {
  completionProvider?: { triggerCharacters?: string[] };
  signatureHelpProvider?: { triggerCharacters?: string[] };
  semanticTokensProvider?: { legend: { tokenTypes: string[]; tokenModifiers: string[] } };
}

export interface FindingsOfFile {
  uri: string;
  version?: number | null;
  diagnostics: LspDiagnostic[];
}

/** A message of the server. */
export interface ServerMessage {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

/** What the page says to the worker: the engine once, then messages of the protocol as JSON. */
export type ToLanguageWorker = { type: "init"; module: WebAssembly.Module } | { type: "message"; json: string };

/** What the worker says to the page: arrays of messages as JSON, or that the server broke and is lost. */
export type FromLanguageWorker = { type: "messages"; json: string } | { type: "broken"; message: string };
