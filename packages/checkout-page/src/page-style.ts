const LIGHT = `
color-scheme: light;
--ground: #f3f4f7; --surface: #ffffff; --sunk: #f3f4f7; --line: #dde1e8; --edge: #8a94a6;
--ink: #10131a; --soft: #4e586a; --link: #3730a3; --ring: #4338ca;
--good: #0a6b41; --good-wash: #e3f5ec; --warn: #7a4a00; --warn-wash: #fff3d9; --bad: #a81c1c; --bad-wash: #fdecec;
--shadow: 0 1px 2px rgb(16 19 26 / 6%), 0 8px 24px rgb(16 19 26 / 8%);
`;

const DARK = `
color-scheme: dark;
--ground: #0b0d12; --surface: #151922; --sunk: #1d2330; --line: #2a3242; --edge: #6b7790;
--ink: #f2f4f8; --soft: #a7b1c2; --link: #b4bcff; --ring: #a5b4fc;
--good: #6ddba6; --good-wash: #10291f; --warn: #ffcf70; --warn-wash: #2e2410; --bad: #ff9c9c; --bad-wash: #331a1c;
--shadow: 0 0 0 1px #2a3242;
`;

const FRAME = `
:root { ${LIGHT} --gold: #f2a900; --gold-ink: #10131a; --gold-hover: #ffb81c; --ink-tile: #1d2330; }
@media (prefers-color-scheme: dark) { :root[data-theme=auto] { ${DARK} } }
:root[data-theme=dark] { ${DARK} }
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--surface); color: var(--ink); font: 16px/24px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-variant-numeric: tabular-nums; }
h1, p, ul, dl, dd, form { margin: 0; padding: 0; }
ul { list-style: none; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px; }
.icon, .mark { display: block; flex: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.small { font-size: 14px; line-height: 20px; color: var(--soft); }
.page { width: 100%; max-width: 420px; margin: 0 auto; padding: 16px; overflow-wrap: anywhere; }
`;

const ORDER = `
.sandbox { margin: -16px -16px 12px; padding: 14px 16px 8px; background: var(--warn-wash); color: var(--warn); position: relative; overflow: hidden; font-size: 14px; line-height: 20px; }
.sandbox::before { content: ""; position: absolute; inset: 0 0 auto; height: 6px; background: repeating-linear-gradient(-45deg, #f97316 0 8px, #10131a 8px 16px); }
.sandbox strong { text-transform: uppercase; letter-spacing: .06em; margin-inline-end: 8px; }
.sandbox summary { cursor: pointer; font-weight: 600; padding: 4px 0; text-decoration: underline; text-underline-offset: 3px; }
.sandbox li { display: grid; grid-template-columns: 1fr auto; gap: 0 12px; align-items: center; padding: 8px 0; border-top: 1px solid rgb(128 96 32 / 30%); }
.sandbox code { font: 600 14px/20px ui-monospace, SFMono-Regular, Menlo, monospace; }
.sandbox li button { font: inherit; font-weight: 600; grid-row: span 2; grid-column: 2; grid-row-start: 1; min-height: 32px; padding: 0 12px; border: 1px solid currentColor; border-radius: 8px; background: none; color: inherit; cursor: pointer; }
.game { display: flex; align-items: center; gap: 12px; padding-bottom: 12px; }
.game img, .game .tile { width: 40px; height: 40px; border-radius: 8px; object-fit: cover; flex: none; }
.tile { display: grid; place-items: center; background: var(--ink-tile); color: var(--gold); }
.game h1, .game .name { font-size: 16px; line-height: 20px; font-weight: 600; }
.items { border-block: 1px solid var(--line); }
.items li { display: grid; grid-template-columns: 48px 1fr auto; gap: 0 12px; align-items: center; padding: 12px 0; }
.items li + li { border-top: 1px solid var(--line); }
.items img, .items .tile { width: 48px; height: 48px; border-radius: 8px; object-fit: cover; }
.items .what { min-width: 0; }
.items .name { font-weight: 600; line-height: 20px; }
.items .times { font-weight: 400; color: var(--soft); white-space: nowrap; }
.items .about { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.items .price { text-align: end; white-space: nowrap; line-height: 20px; }
.items s { display: block; font-size: 14px; color: var(--soft); }
.total { display: flex; justify-content: space-between; align-items: baseline; gap: 16px; padding: 12px 0; font-weight: 600; }
.total dd { font-size: 28px; line-height: 32px; letter-spacing: -.01em; text-align: end; }
.outcome + .items { margin-top: 24px; }
`;

const FORM = `
.problem { display: flex; gap: 12px; padding: 12px; margin-bottom: 16px; border-radius: 8px; background: var(--bad-wash); color: var(--bad); font-size: 14px; line-height: 20px; }
.problem:focus { outline: none; }
.problem p + p { margin-top: 4px; }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
.field.wide { grid-column: 1 / -1; }
label { display: block; font-size: 14px; line-height: 20px; font-weight: 600; padding-bottom: 4px; }
input { display: block; width: 100%; height: 44px; padding: 0 12px; font: inherit; font-variant-numeric: tabular-nums; color: var(--ink); background: var(--surface); border: 1px solid var(--edge); border-radius: 8px; }
input::placeholder { color: var(--soft); opacity: 1; }
input:focus { outline: 3px solid var(--ring); outline-offset: -1px; border-color: transparent; }
input[aria-invalid=true] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.error { padding-top: 4px; font-size: 14px; line-height: 20px; color: var(--bad); }
.button { display: flex; align-items: center; justify-content: center; width: 100%; min-height: 52px; margin-top: 16px; padding: 8px 16px; font: inherit; font-weight: 600; text-align: center; text-decoration: none; color: var(--gold-ink); background: var(--gold); border: 0; border-radius: 12px; cursor: pointer; transition: background-color 120ms; touch-action: manipulation; }
.button:hover { background: var(--gold-hover); }
.button:active { background: #d99700; }
.button.plain { color: var(--ink); background: none; border: 1px solid var(--edge); margin-top: 12px; }
.button.plain:hover { background: var(--sunk); }
.button[disabled] { opacity: .6; cursor: progress; }
.below { padding-top: 12px; text-align: center; }
`;

const OUTCOME = `
.outcome { padding: 16px 0 0; text-align: center; }
.outcome h1 { font-size: 28px; line-height: 36px; font-weight: 600; letter-spacing: -.01em; text-wrap: balance; }
.outcome .text { padding-top: 8px; color: var(--soft); text-wrap: pretty; }
.outcome .button { margin-top: 24px; }
.outcome .button.plain { margin-top: 12px; }
.seal { display: grid; place-items: center; width: 64px; height: 64px; margin: 0 auto 16px; border-radius: 50%; background: var(--sunk); color: var(--soft); }
.seal .icon { width: 32px; height: 32px; }
.seal.good { background: var(--gold); color: var(--gold-ink); }
.seal.warn { background: var(--warn-wash); color: var(--warn); }
.seal.bad { background: var(--bad-wash); color: var(--bad); }
.spinner { width: 32px; height: 32px; border-radius: 50%; border: 3px solid var(--line); border-top-color: var(--gold); animation: turn 900ms linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .spinner { animation: none; } .button { transition: none; } }
`;

const DESK = `
@media (min-width: 480px) {
  body { background: var(--ground); padding: 40px 16px; }
  .page { background: var(--surface); border-radius: 12px; box-shadow: var(--shadow); padding: 24px; }
  .sandbox { margin: -24px -24px 20px; border-radius: 12px 12px 0 0; padding-inline: 24px; }
}
`;

/** Without line breaks and runs of spaces: it travels inside every page. */
export const PAGE_STYLE = (FRAME + ORDER + FORM + OUTCOME + DESK).replace(/\s+/g, ' ').trim();
