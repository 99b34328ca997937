// What the editor looks like, light and dark. Pages may set the custom properties that are named here.

import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

import { DARK, LIGHT } from "./colors.ts";

interface Palette {
  background: string;
  text: string;
  soft: string;
  line: string;
  panel: string;
  border: string;
  selection: string;
  accent: string;
  error: string;
  warning: string;
  note: string;
}

const light: Palette = {
  background: "#ffffff",
  text: "#1f2933",
  soft: "#5f6b7a",
  line: "#f3f6fa",
  panel: "#f8fafc",
  border: "#d5dce4",
  selection: "#cfe0fb",
  accent: "#1d4ed8",
  error: "#c02626",
  warning: "#a65d03",
  note: "#1d4ed8",
};

const dark: Palette = {
  background: "#151a21",
  text: "#dde4ec",
  soft: "#8b98a9",
  line: "#1c232c",
  panel: "#1e2630",
  border: "#36424f",
  selection: "#2c4a77",
  accent: "#93b9ff",
  error: "#ff8a8a",
  warning: "#f2b35e",
  note: "#93b9ff",
};

function underline(color: string): Record<string, string> {
  return { backgroundImage: "none", textDecoration: `underline wavy ${color} 1px`, textUnderlineOffset: "3px" };
}

function theme(palette: Palette, isDark: boolean): Extension {
  const box = {
    backgroundColor: palette.panel,
    border: `1px solid ${palette.border}`,
    borderRadius: "6px",
    color: palette.text,
    boxShadow: "0 6px 24px rgb(0 0 0 / 18%)",
  };
  return EditorView.theme(
    {
      "&": {
        height: "100%",
        backgroundColor: `var(--fw-editor-background, ${palette.background})`,
        color: palette.text,
        fontSize: "var(--fw-editor-font-size, 14px)",
      },
      // An outline would be behind the numbers of lines.
      "&.cm-focused": { outline: "none" },
      "&.cm-focused::after": {
        content: '""',
        position: "absolute",
        inset: "0",
        border: `2px solid ${palette.accent}`,
        pointerEvents: "none",
        zIndex: "250",
      },
      ".cm-scroller": {
        fontFamily: 'var(--fw-editor-font, ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace)',
        lineHeight: "1.5",
      },
      ".cm-content": { caretColor: palette.text, paddingBlock: "8px" },
      ".cm-cursor, .cm-dropCursor": { borderLeftColor: palette.text, borderLeftWidth: "2px" },
      "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
        backgroundColor: palette.selection,
      },
      ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: palette.line },
      // Text must not show through numbers.
      ".cm-gutters": { backgroundColor: `var(--fw-editor-background, ${palette.background})`, color: palette.soft, border: "none" },
      ".cm-panels": { backgroundColor: palette.panel, color: palette.text },
      ".cm-panels-bottom": { borderTop: `1px solid ${palette.border}` },
      ".cm-tooltip": { ...box, maxWidth: "min(36rem, 92vw)" },
      ".cm-tooltip-autocomplete > ul > li": { padding: "2px 8px" },
      ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: palette.selection, color: palette.text },
      ".cm-completionDetail": { color: palette.soft, fontStyle: "normal", fontSize: "85%" },
      ".cm-completionInfo": { ...box, padding: "6px 10px", maxHeight: "20rem", overflow: "auto" },
      ".cm-lintRange-error": underline(palette.error),
      ".cm-lintRange-warning": underline(palette.warning),
      ".cm-lintRange-info": underline(palette.note),
      ".cm-lintRange.fw-unnecessary": { opacity: "0.6" },
      ".cm-diagnostic": { borderLeftWidth: "4px", padding: "6px 10px" },
      ".cm-diagnosticAction": {
        backgroundColor: palette.accent,
        color: palette.background,
        borderRadius: "4px",
        padding: "3px 8px",
        font: "inherit",
        margin: "6px 6px 0 0",
        cursor: "pointer",
      },
      ".fw-docs": { padding: "2px", fontFamily: "system-ui, sans-serif", fontSize: "13px", lineHeight: "1.45" },
      ".fw-docs p": { margin: "6px 0" },
      ".fw-docs ul": { margin: "6px 0", paddingLeft: "1.2em" },
      ".fw-docs pre": { margin: "4px 0", whiteSpace: "pre-wrap", fontSize: "12.5px" },
      ".fw-docs hr": { border: "none", borderTop: `1px solid ${palette.border}` },
      ".fw-docs a": { color: palette.accent },
      ".fw-hover": { padding: "4px 10px", maxHeight: "24rem", overflow: "auto" },
      ".fw-active-param": { fontWeight: "700", textDecoration: "underline" },
      ".fw-finding": { fontFamily: "system-ui, sans-serif", fontSize: "13px", whiteSpace: "pre-wrap" },
      ".fw-finding-message": { fontWeight: "600" },
      ".fw-finding-help": { color: palette.soft },
      ".fw-finding code": {
        backgroundColor: palette.line,
        borderRadius: "3px",
        padding: "0 3px",
        fontFamily: "ui-monospace, Menlo, Consolas, \"DejaVu Sans Mono\", monospace",
      },
      ".fw-finding-code": { color: palette.soft, fontWeight: "400", fontSize: "11px" },
      ".fw-notice": { display: "flex", gap: "8px", padding: "6px 10px", alignItems: "baseline" },
      ".fw-notice span": { flex: "1", whiteSpace: "pre-wrap" },
      ".cm-button, .fw-notice button": {
        backgroundImage: "none",
        backgroundColor: palette.background,
        border: `1px solid ${palette.border}`,
        borderRadius: "4px",
        color: palette.text,
        padding: "3px 10px",
      },
      ".cm-textfield": {
        backgroundColor: palette.background,
        border: `1px solid ${palette.border}`,
        borderRadius: "4px",
        color: palette.text,
        padding: "3px 6px",
      },
      ...(isDark ? DARK : LIGHT),
    },
    { dark: isDark },
  );
}

export const lightTheme = theme(light, false);
export const darkTheme = theme(dark, true);
