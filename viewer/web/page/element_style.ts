// The style of the element, inside its shadow. Pages set its size, and the custom property `--flockwork-accent`. It is light or dark
// as the text around it is.

export const STYLE = `
:host { position: relative; display: flex; flex-direction: column; min-height: 200px; aspect-ratio: 4 / 3; font: 14px/1.4 system-ui, sans-serif;
  color: inherit; }
:host([hidden]) { display: none; }
:host([controls]), :host([sliders]) { aspect-ratio: auto; }
.flockwork-canvas { flex: 1 1 auto; min-height: 160px; position: relative; overflow: hidden; touch-action: pan-y; cursor: grab;
  border-radius: 6px; max-height: var(--flockwork-max-height, none); }
/* Pages may make it a block. */
:host(:not([controls], [sliders])) .flockwork-canvas { position: absolute; inset: 0; }
:host([controls]) .flockwork-canvas, :host([sliders]) .flockwork-canvas { aspect-ratio: 4 / 3; }
.flockwork-canvas:active { cursor: grabbing; }
.flockwork-canvas canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
/* What is inside the element, until the world is there. */
slot:not([name]) { position: absolute; inset: 0; display: flex; align-items: center; justify-content: center; }
slot[hidden] { display: none; }
::slotted(img) { width: 100%; height: 100%; object-fit: contain; margin: 0; }
.flockwork-canvas:focus-visible { outline: 2px solid var(--flockwork-accent, light-dark(#1d5fa8, #7fb6ee)); outline-offset: 2px; }
/* A page that puts something under the bar may give it the height that is free. */
.below { display: flex; flex-direction: column; flex: var(--flockwork-below, 0 1 auto); }
.bar { display: flex; align-items: center; gap: 6px; padding: 6px 0; }
.bar .time-bar { flex: 1; min-width: 40px; accent-color: var(--flockwork-accent, light-dark(#1d5fa8, #7fb6ee)); }
.time { font-variant-numeric: tabular-nums; min-width: 9.5em; text-align: right; }
button { font: inherit; color: inherit; background: none; border: 1px solid light-dark(#c9ced4, #464c55); border-radius: 6px;
  min-width: 32px; height: 32px; padding: 0 7px; display: inline-flex; align-items: center; justify-content: center; cursor: pointer; }
button:hover { background: light-dark(#eef1f4, #2a2f36); }
button[hidden] { visibility: hidden; display: inline-flex; }
a { color: var(--flockwork-accent, light-dark(#1d5fa8, #7fb6ee)); }
.errors:not([hidden]) { display: var(--flockwork-errors, block); }
.errors { margin: 6px 0; padding: 8px; overflow: auto; max-height: 12em; font: 12px/1.4 ui-monospace, monospace;
  background: light-dark(#fdecea, #3b1d1d); border-radius: 6px; }
fieldset { border: 0; margin: 0; padding: 4px 0; min-width: 0; }
legend { font-weight: 600; padding: 0; }
.param { display: grid; grid-template-columns: minmax(6em, 1fr) minmax(60px, 2fr) 5em 44px; gap: 8px; align-items: center; min-height: 34px; }
.param:has(.param-write) { grid-template-columns: minmax(13em, 1fr) minmax(48px, 1.2fr) 5em 44px 76px; }
.param { position: relative; }
.param-name { display: flex; align-items: center; gap: 6px; min-width: 0; }
.param-name label { overflow-wrap: anywhere; min-width: 0; }
.param-switch { flex: none; width: 16px; height: 16px; margin: 4px; accent-color: var(--flockwork-accent, light-dark(#1d5fa8, #7fb6ee)); }
.has-switches .param-name:not(:has(.param-switch)) { padding-left: 30px; }
.param-only { min-width: 24px; height: 24px; padding: 0 4px; font-size: 12px; }
.param-write, .param-reset { height: 26px; padding: 0 4px; font-size: 12px; white-space: nowrap; }
.param.is-before label::after { content: " at this tick"; font-size: 12px; opacity: 0.7; }
.param.is-off input[type=range] { opacity: 0.45; }
.param-comment { display: none; position: absolute; z-index: 2; top: 100%; left: 0; max-width: min(100%, 40em); padding: 4px 8px; font-size: 13px;
  border-radius: 4px; background: light-dark(#2a2f36, #eef1f4); color: light-dark(#ffffff, #16191d); pointer-events: none; }
.param:has(label:hover) .param-comment, .param:has(:focus-visible) .param-comment { display: block; }
.param input[type=range] { width: 100%; min-width: 0; accent-color: var(--flockwork-accent, light-dark(#1d5fa8, #7fb6ee)); }
.param-value { font: inherit; width: 100%; box-sizing: border-box; color: inherit; background: transparent; border: 1px solid light-dark(#c9ced4, #464c55);
  border-radius: 4px; padding: 2px 6px; text-align: right; }
@media (max-width: 400px) {
  /* The moment has a row of its own. */
  .bar { flex-wrap: wrap; }
  .time { flex: 1 0 100%; text-align: left; }
}
@media (max-width: 480px) {
  .bar a { display: none; }
  /* Each slider has a row of its own. */
  .param:has(.param-write) { grid-template-columns: 1fr 5em 44px 76px; gap: 0 6px; }
  .param:has(.param-write) input[type=range] { grid-column: 1 / -1; grid-row: 2; }
}
`;
