const LIGHT = `color-scheme: light; --ground: #ffffff; --sunk: #f5f6f9; --line: #e3e6ec; --edge: #8a94a6; --ink: #10131a; --soft: #4e586a;
--link: #3730a3; --ring: #4338ca; --mark: #b07800; --warn: #7a4a00; --warn-wash: #fff3d9; --word: #4338ca; --string: #0a6b41; --number: #a33c00; --comment: #5b6577;`;
const DARK = `color-scheme: dark; --ground: #0f1218; --sunk: #171c26; --line: #2a3242; --edge: #6b7790; --ink: #f2f4f8; --soft: #a7b1c2;
--link: #b4bcff; --ring: #a5b4fc; --mark: #f2a900; --warn: #ffcf70; --warn-wash: #2e2410; --word: #b4bcff; --string: #6ddba6; --number: #ffb38a; --comment: #93a0b5;`;

/** Of the pages at /docs. The colors are those of the payment page. */
export const DOCS_STYLE = `
:root { ${LIGHT} }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { ${DARK} } }
:root[data-theme=dark] { ${DARK} }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 80px; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/26px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; -webkit-font-smoothing: antialiased; }
a { color: var(--link); text-underline-offset: 3px; }
:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 16px; top: 12px; z-index: 9; padding: 8px 12px; background: var(--ground); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.top { position: sticky; top: 0; z-index: 5; display: flex; align-items: center; gap: 16px; height: 60px; padding: 0 max(20px, calc((100vw - 1320px) / 2 + 20px)); background: var(--ground); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 10px; font-weight: 600; color: var(--ink); text-decoration: none; }
.brand svg { width: 24px; height: 24px; fill: var(--mark); } .brand span { color: var(--soft); font-weight: 400; }
.search { position: relative; margin-inline-start: auto; width: min(320px, 50vw); }
.search input { width: 100%; height: 38px; padding: 0 12px; font: inherit; font-size: 14px; color: var(--ink); background: var(--sunk); border: 1px solid var(--edge); border-radius: 8px; }
.search input::placeholder { color: var(--soft); opacity: 1; }
.hits { position: absolute; inset: 44px 0 auto auto; width: min(480px, calc(100vw - 32px)); max-height: 70vh; overflow-y: auto; padding: 8px; background: var(--ground); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 12px 32px rgb(16 19 26 / 18%); }
.hits a { display: block; padding: 8px 12px; border-radius: 8px; color: var(--ink); text-decoration: none; font-size: 14px; line-height: 20px; }
.hits [aria-selected=true], .hits a:hover { background: var(--sunk); }
.hits small { display: block; color: var(--soft); font-size: 12px; line-height: 18px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.round { display: grid; place-items: center; width: 38px; height: 38px; padding: 0; color: var(--soft); background: none; border: 1px solid var(--line); border-radius: 8px; cursor: pointer; }
.round svg { width: 18px; height: 18px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
.frame { display: grid; grid-template-columns: 1fr; max-width: 1320px; margin: 0 auto; }
.nav { padding: 8px 20px; border-bottom: 1px solid var(--line); }
.nav summary { cursor: pointer; padding: 6px 0; font-weight: 600; font-size: 14px; }
.nav .fold summary { margin-top: 8px; font-size: 12px; line-height: 20px; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); }
.nav h2 { margin: 16px 0 4px; font-size: 12px; line-height: 20px; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); }
.nav ul { margin: 0; padding: 0; list-style: none; }
.nav a { display: block; padding: 5px 10px; margin-inline: -10px; border-radius: 6px; font-size: 14px; line-height: 22px; color: var(--ink); text-decoration: none; }
.nav a:hover { background: var(--sunk); }
.nav a[aria-current=page] { background: var(--sunk); font-weight: 600; box-shadow: inset 3px 0 0 var(--mark); }
.text { min-width: 0; padding: 24px 20px 64px; overflow-wrap: anywhere; }
.text > * { max-width: 720px; } .text > .table, .text > .code { max-width: 860px; }
h1 { margin: 8px 0 16px; font-size: 32px; line-height: 40px; letter-spacing: -.015em; text-wrap: balance; }
.text h2 { margin: 44px 0 12px; padding-top: 20px; border-top: 1px solid var(--line); font-size: 22px; line-height: 30px; letter-spacing: -.01em; }
h3 { margin: 32px 0 8px; font-size: 17px; line-height: 26px; }
.text :is(h2, h3, h4) a { color: inherit; text-decoration: none; } .text :is(h2, h3, h4) a:hover::after { content: " #"; color: var(--soft); }
p, ul, ol { margin: 12px 0; } li { margin: 4px 0; } ul, ol { padding-inline-start: 24px; }
img { max-width: 100%; height: auto; }
blockquote { margin: 16px 0; padding: 2px 16px; border-inline-start: 3px solid var(--mark); background: var(--sunk); border-radius: 0 8px 8px 0; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
:not(pre) > code { padding: 1px 5px; font-size: .88em; background: var(--sunk); border-radius: 4px; }
.code { margin: 16px 0; background: var(--sunk); border: 1px solid var(--line); border-radius: 8px; }
.bar { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-height: 36px; padding: 0 6px 0 16px; border-bottom: 1px solid var(--line); font-size: 12px; line-height: 18px; color: var(--soft); }
.bar b { color: var(--warn); font-weight: 600; }
pre { margin: 0; padding: 12px 16px 14px; overflow-x: auto; font-size: 13.5px; line-height: 21px; tab-size: 4; }
.code .word { color: var(--word); } .code .string { color: var(--string); } .code .number { color: var(--number); } .code .comment { color: var(--comment); font-style: italic; }
.tabs { display: flex; flex-wrap: wrap; gap: 4px; margin: 16px 0 -8px; }
.tabs button { min-height: 34px; padding: 0 14px; font: inherit; font-size: 14px; color: var(--soft); background: none; border: 0; border-bottom: 2px solid transparent; cursor: pointer; }
.tabs button:hover { color: var(--ink); }
.tabs [aria-selected=true] { color: var(--ink); font-weight: 600; border-color: var(--mark); }
.try { padding: 4px 20px 20px; background: var(--sunk); border: 1px solid var(--line); border-radius: 8px; }
.try label { display: block; margin: 12px 0; font-size: 14px; font-weight: 600; } .try small { font-weight: 400; color: var(--soft); }
.try :is(input, textarea) { display: block; width: 100%; margin-top: 4px; padding: 8px 12px; font: 14px/21px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--ink); background: var(--ground); border: 1px solid var(--edge); border-radius: 8px; }
.try .row { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; }
.try .send { min-height: 40px; padding: 0 22px; font: inherit; font-weight: 600; color: var(--ground); background: var(--link); border: 0; border-radius: 8px; cursor: pointer; }
.try .send:disabled { opacity: .7; cursor: progress; }
.try .code { background: var(--ground); } .try pre { max-height: 480px; overflow: auto; white-space: pre-wrap; }
.copy { min-height: 26px; padding: 0 10px; font: inherit; font-size: 12px; color: var(--ink); background: none; border: 0; border-radius: 6px; cursor: pointer; }
.copy:hover { background: var(--line); }
.table { overflow-x: auto; margin: 16px 0; }
table { border-collapse: collapse; min-width: 100%; font-size: 14px; line-height: 21px; }
th, td { padding: 8px 16px 8px 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
td { min-width: 90px; } th { color: var(--soft); font-weight: 600; white-space: nowrap; } td code { white-space: nowrap; }
.foot { display: flex; flex-wrap: wrap; gap: 12px; justify-content: space-between; margin-top: 56px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 14px; }
.toc { display: none; }
@media (max-width: 700px) { td:not(:first-child) { min-width: 150px; } }
@media (min-width: 960px) {
  .frame { grid-template-columns: 248px minmax(0, 1fr); }
  .nav { position: sticky; top: 60px; align-self: start; max-height: calc(100vh - 60px); overflow-y: auto; padding: 12px 20px 32px; border: 0; border-inline-end: 1px solid var(--line); min-height: calc(100vh - 60px); }
  .nav .all > summary { display: none; }
  .text { padding: 32px 56px 96px; }
}
@media (min-width: 1240px) {
  .frame.with-toc { grid-template-columns: 248px minmax(0, 1fr) 220px; }
  .toc { display: block; position: sticky; top: 60px; align-self: start; max-height: calc(100vh - 60px); overflow-y: auto; padding: 40px 20px 32px 0; font-size: 13px; line-height: 20px; }
  .toc h2 { margin: 0 0 8px; font-size: 12px; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); }
  .toc ul { margin: 0; padding: 0; list-style: none; } .toc a { color: var(--soft); text-decoration: none; } .toc a:hover { color: var(--ink); }
}
@media print { .top, .nav, .toc, .copy { display: none; } }
`
  .replace(/\n+/g, '\n')
  .trim();
