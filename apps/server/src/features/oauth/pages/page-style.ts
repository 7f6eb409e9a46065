/** The style of the pages, light and dark. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: #f7f8f8; --paper: #ffffff; --sunken: #f1f3f4; --line: #dde1e3; --border: #858d93;
  --ink: #14191d; --soft: #4a545b; --accent: #0b6477; --hover: #084c5b; --on-accent: #ffffff;
  --error: #b42318; --error-tint: #fdecea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1315; --paper: #161b1e; --sunken: #1e2529; --line: #2c353a; --border: #717d85;
    --ink: #e8ecee; --soft: #aeb8be; --accent: #5fc3d6; --hover: #84d2e1; --on-accent: #06262d;
    --error: #ff8f85; --error-tint: #3a1714;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 400 14px/20px Roboto, "Segoe UI", system-ui, sans-serif; }
.frame { max-width: 448px; margin: 0 auto; padding: 64px 24px 48px; }
.brand { display: flex; align-items: center; gap: 8px; margin: 0 0 24px; font-size: 16px; line-height: 24px; font-weight: 500; }
.brand svg { color: var(--accent); }
main { background: var(--paper); border: 1px solid var(--line); border-radius: 4px; padding: 32px; }
h1 { margin: 0 0 8px; font-size: 20px; line-height: 28px; font-weight: 500; overflow-wrap: anywhere; }
h2 { margin: 24px 0 8px; font-size: 14px; line-height: 20px; font-weight: 500; }
p { margin: 0 0 16px; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.meta { color: var(--soft); font-size: 12px; line-height: 16px; margin: 16px 0 0; }
strong { font-weight: 500; }
form { margin: 24px 0 0; }
label { display: block; margin: 0 0 4px; font-size: 12px; line-height: 16px; font-weight: 500; }
input[type="email"], input[type="password"] {
  display: block; width: 100%; height: 40px; margin: 0 0 16px; padding: 0 12px; font: inherit; font-size: 16px;
  color: var(--ink); background: var(--paper); border: 1px solid var(--border); border-radius: 4px;
}
input[aria-invalid="true"] { border-color: var(--error); }
.actions { display: flex; flex-wrap: wrap; gap: 12px; }
.actions button { flex: 1 1 120px; }
button {
  display: block; width: 100%; min-height: 40px; padding: 8px 16px; font: inherit; font-weight: 500; border-radius: 4px;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer;
}
button:hover { background: var(--hover); border-color: var(--hover); }
button.plain { background: transparent; color: var(--ink); border-color: var(--border); }
button.plain:hover { background: var(--sunken); border-color: var(--border); }
button.link { width: auto; min-height: 24px; margin: 16px 0 0; padding: 0; border: 0; background: none; color: var(--accent); text-decoration: underline; font-weight: 400; }
button.link:hover { background: none; color: var(--hover); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.notice { margin: 16px 0 0; padding: 8px 12px; border-left: 3px solid var(--error); background: var(--error-tint); border-radius: 0 4px 4px 0; }
ul { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
li { padding: 8px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.rights { display: flex; justify-content: space-between; gap: 16px; }
.rights span:last-child { flex: none; color: var(--soft); }
.mono { font-family: "Roboto Mono", ui-monospace, monospace; font-size: 13px; }
@media (max-width: 599px) { .frame { padding: 24px 16px; } main { padding: 24px 16px; } }
@media (forced-colors: active) { button { border-color: ButtonText; } }
`;
