import type { AccentColors, Shade } from './accent.ts';

const LIGHT = `
color-scheme: light;
--ground: #f3f4f7; --surface: #ffffff; --sunk: #f3f4f7; --line: #e3e6ec; --edge: #8a94a6;
--ink: #10131a; --soft: #4e586a; --link: #3730a3; --ring: #4338ca; --mark: #b07800; --button-edge: transparent;
--good: #0a6b41; --warn: #7a4a00; --warn-wash: #fff3d9; --bad: #a81c1c; --bad-wash: #fdecec;
--shadow: 0 1px 2px rgb(16 19 26 / 6%), 0 12px 32px rgb(16 19 26 / 8%);
`;

const DARK = `
color-scheme: dark;
--ground: #0b0d12; --surface: #151922; --sunk: #1d2330; --line: #2a3242; --edge: #6b7790;
--ink: #f2f4f8; --soft: #a7b1c2; --link: #b4bcff; --ring: #a5b4fc; --mark: #f2a900; --button-edge: transparent;
--good: #6ddba6; --warn: #ffcf70; --warn-wash: #2e2410; --bad: #ff9c9c; --bad-wash: #331a1c;
--shadow: 0 0 0 1px #2a3242;
`;

/** The rules of one theme, chosen by the order or by the system. */
const themed = (light: string, dark: string): string => `
:root { ${light} }
@media (prefers-color-scheme: dark) { :root[data-theme=auto] { ${dark} } }
:root[data-theme=dark] { ${dark} }
`;

const FRAME = `
:root { --accent: #f2a900; --accent-ink: #10131a; --accent-hover: #ffb81c; }
${themed(LIGHT, DARK)}
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--surface); color: var(--ink); font: 16px/24px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-variant-numeric: tabular-nums; -webkit-font-smoothing: antialiased; }
h1, p, ul, dl, dd, form { margin: 0; padding: 0; }
ul { list-style: none; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px; }
h1:focus, .problem:focus { outline: none; }
.icon { display: block; flex: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.small { font-size: 14px; line-height: 20px; color: var(--soft); }
.page { width: 100%; margin: 0 auto; padding: 16px; overflow-wrap: anywhere; }
:lang(ko) { word-break: keep-all; }
:lang(ja) { word-break: auto-phrase; }
`;

const SANDBOX = `
.sandbox { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 4px 12px; margin: -16px -16px 12px; padding: 14px 16px 8px; background: var(--warn-wash); color: var(--warn); position: relative; font-size: 14px; line-height: 20px; }
.sandbox::before { content: ""; position: absolute; inset: 0 0 auto; height: 6px; background: repeating-linear-gradient(-45deg, #f97316 0 8px, #10131a 8px 16px); }
.sandbox strong { text-transform: uppercase; letter-spacing: .06em; }
.sandbox details[open] { flex-basis: 100%; }
.sandbox summary { display: inline-block; white-space: nowrap; cursor: pointer; font-weight: 600; padding: 3px 12px; border: 1px solid currentColor; border-radius: 16px; list-style: none; }
.sandbox summary::-webkit-details-marker { display: none; }
.sandbox summary::after { content: ""; display: inline-block; width: 6px; height: 6px; margin-inline-start: 8px; border: solid currentColor; border-width: 0 2px 2px 0; transform: translateY(-2px) rotate(45deg); }
.sandbox [open] summary::after { transform: translateY(1px) rotate(225deg); }
.sandbox details p { padding: 8px 0; }
.sandbox ul { max-height: 300px; overflow-y: auto; }
.sandbox li { position: relative; display: grid; grid-template-columns: 1fr auto; gap: 0 12px; align-items: center; padding: 6px 0; border-top: 1px solid rgb(128 96 32 / 30%); }
.sandbox code { font: 600 14px/20px ui-monospace, SFMono-Regular, Menlo, monospace; text-align: start; }
.sandbox li span { grid-row: 2; }
.sandbox li button { font: inherit; font-weight: 600; grid-area: 1 / 2 / span 2; min-height: 32px; padding: 0 12px; border: 1px solid currentColor; border-radius: 8px; background: none; color: inherit; cursor: pointer; }
.sandbox li button::after { content: ""; position: absolute; inset: 0; }
`;

const ORDER = `
.game { display: flex; align-items: center; gap: 12px; padding-bottom: 12px; }
.game > div { flex: 1; min-width: 0; }
.game .tile { width: 44px; height: 44px; border-radius: 10px; flex: none; }
.game > .logo { width: auto; height: 32px; max-width: 112px; border-radius: 0; object-fit: contain; background: none; }
.game .tile { background: var(--accent); color: var(--accent-ink); font-size: 20px; font-weight: 600; border: 1px solid var(--button-edge); }
.tile img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
.tile:has(img) { background: var(--sunk); border: 0; }
.game h1, .game .name { font-size: 16px; line-height: 20px; font-weight: 600; }
img { position: relative; background: var(--sunk); }
img::after { content: ""; position: absolute; inset: 0; background: var(--sunk); }
.tile { position: relative; overflow: hidden; display: grid; place-items: center; background: var(--sunk); color: var(--soft); }
.items { border-block: 1px solid var(--line); }
.items li { display: grid; grid-template-columns: auto 1fr auto; gap: 0 12px; align-items: center; padding: 12px 0; }
.items li + li { border-top: 1px solid var(--line); }
.items .tile { width: 48px; height: 48px; border-radius: 8px; }
.items .what { min-width: 0; }
.items .name { font-weight: 600; line-height: 20px; }
.items .times { font-weight: 400; color: var(--soft); white-space: nowrap; }
.items .about { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.items .price { text-align: end; line-height: 20px; max-width: 128px; }
.items s { display: block; font-size: 14px; color: var(--soft); }
.total { display: flex; justify-content: space-between; align-items: baseline; gap: 16px; padding: 12px 0; font-weight: 600; }
.total dd { font-size: 28px; line-height: 32px; letter-spacing: -.01em; text-align: end; }
.total.less { padding-bottom: 0; font-weight: 400; color: var(--good); }
.total.less dd { font-size: 16px; line-height: 24px; }
.fold summary { padding: 12px 0; border-bottom: 1px solid var(--line); color: var(--link); font-weight: 600; cursor: pointer; }
.fold .items { border-top: 0; }
.leave { display: inline-flex; align-items: center; gap: 4px; margin: -4px 0 8px; min-height: 32px; font-size: 14px; text-decoration: none; color: var(--soft); }
.leave:hover { text-decoration: underline; }
.leave .icon, .lock .icon { width: 16px; height: 16px; }
[dir=rtl] .leave .icon { transform: scaleX(-1); }
.facts { display: grid; grid-template-columns: fit-content(30%) 1fr; gap: 4px 12px; margin: 20px auto 0; font-size: 14px; line-height: 20px; text-align: start; }
.facts div { display: contents; }
.facts dt { color: var(--soft); overflow-wrap: normal; }
.facts div:first-child dd { font-size: 12px; }
.receipt h1 { margin-bottom: 12px; font-size: 28px; line-height: 36px; font-weight: 600; }
.receipt .items { margin-top: 16px; }
.seller { margin-top: 20px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 12px; line-height: 16px; color: var(--soft); text-align: center; }
.seller a { color: inherit; display: inline-block; padding: 6px; }
.seller ul { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 8px; padding-top: 4px; }
.lock { display: flex; justify-content: center; gap: 4px; padding-bottom: 4px; }
.seller .marks { gap: 6px; padding: 0 0 12px; }
.marks .brand { position: static; height: 20px; line-height: 20px; font-size: 11px; }
.outcome + .items { margin-top: 24px; }
.outcome.good + .items .tile { width: 64px; height: 64px; border-radius: 12px; }
.outcome.good + .items .tile .icon { width: 32px; height: 32px; }
.outcome ~ .total dd { font-size: 20px; line-height: 24px; }
`;

const FORM = `
.problem { display: flex; gap: 12px; padding: 12px; margin-bottom: 16px; border-radius: 8px; background: var(--bad-wash); color: var(--bad); font-size: 14px; line-height: 20px; }
.problem p + p { margin-top: 4px; }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
.field { min-width: 0; }
.field.wide { grid-column: 1 / -1; }
.entry { position: relative; }
label { display: block; font-size: 14px; line-height: 20px; font-weight: 600; padding-bottom: 4px; }
input { display: block; width: 100%; height: 44px; padding: 0 12px; font: inherit; font-variant-numeric: tabular-nums; color: var(--ink); background: var(--surface); border: 1px solid var(--edge); border-radius: 8px; }
input[dir=ltr] { text-align: left; }
#card_number { padding-right: 84px; }
input::placeholder { color: var(--soft); opacity: .85; }
input:focus { outline: 3px solid var(--ring); outline-offset: -1px; border-color: transparent; }
input[aria-invalid=true] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.hint { padding-top: 4px; font-size: 12px; line-height: 16px; color: var(--soft); }
.error { padding-top: 4px; font-size: 14px; line-height: 20px; color: var(--bad); }
.error:empty { display: none; }
[aria-invalid=true] ~ .hint { display: none; }
.brand { position: absolute; right: 10px; top: 11px; height: 22px; min-width: 34px; padding: 0 6px; border-radius: 4px; background: #1f2937; color: #ffffff; font-size: 12px; line-height: 22px; font-weight: 700; text-align: center; pointer-events: none; white-space: nowrap; direction: ltr; }
.brand:empty { background: linear-gradient(var(--soft) 0 0) 0 6px / 100% 4px no-repeat; border: 2px solid var(--soft); opacity: .6; padding: 0; }
.brand[data-brand=Visa] { background: #1434cb; font-style: italic; text-transform: uppercase; letter-spacing: .02em; }
.brand[data-brand=Amex] { background: #006fcf; text-transform: uppercase; }
.brand[data-brand=Mastercard] { width: 34px; padding: 0; font-size: 0; background: radial-gradient(circle at 12px 11px, #eb001b 0 8px, transparent 8.5px), radial-gradient(circle at 22px 11px, #f79e1b 0 8px, transparent 8.5px), #1f2937; }
.brand[data-brand=Discover] { background: linear-gradient(90deg, #1f2937 72%, #b45309); }
.brand[data-brand=JCB] { background: #0b5e2f; }
.brand[data-brand="Diners Club"] { background: #004a97; }
.brand[data-brand=UnionPay] { background: #00666b; }
.marks [data-brand=Mastercard] { background-position: 0 -1px; }
.button { display: flex; align-items: center; justify-content: center; gap: 12px; width: 100%; min-height: 52px; margin-top: 16px; padding: 8px 16px; font: inherit; font-weight: 600; text-align: center; text-decoration: none; color: var(--accent-ink); background: var(--accent); border: 1px solid var(--button-edge); border-radius: 12px; cursor: pointer; transition: background-color 120ms; touch-action: manipulation; }
.button:hover { background: var(--accent-hover); }
.button:active { transform: translateY(1px); }
.button.plain { color: var(--ink); background: none; border-color: var(--edge); margin-top: 12px; }
.button.plain:hover { background: var(--sunk); }
.button[disabled] { opacity: .7; cursor: progress; }
.button.working::before { content: ""; width: 20px; height: 20px; border-radius: 50%; border: 2px solid currentColor; border-top-color: transparent; animation: turn 900ms linear infinite; }
.below { padding-top: 12px; text-align: center; text-wrap: balance; }
.timer { display: flex; justify-content: center; gap: 8px; }
.timer .icon { width: 20px; height: 20px; }
.timer b { font-weight: 600; color: var(--ink); }
.wish summary { cursor: pointer; padding: 8px 0; color: var(--soft); font-size: 14px; line-height: 20px; }
.language { display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: 4px 0; padding-top: 20px; color: var(--soft); }
.language .icon { width: 16px; height: 16px; }
.pick { position: relative; margin-inline-start: 8px; }
.pick::after { content: ""; position: absolute; inset-inline-end: 12px; top: 10px; width: 6px; height: 6px; border: solid currentColor; border-width: 0 2px 2px 0; transform: rotate(45deg); pointer-events: none; }
.language select, .quiet { font: inherit; font-size: 14px; line-height: 20px; color: inherit; min-height: 32px; max-width: 100%; padding: 0 8px; background: none; border: 0; border-radius: 8px; cursor: pointer; }
.language select { appearance: none; width: 12em; padding-inline: 8px 28px; border: 1px solid var(--line); }
.language option { color: var(--ink); background: var(--surface); }
.quiet { color: var(--link); text-decoration: underline; text-underline-offset: 3px; }
`;

const OUTCOME = `
.outcome { padding: 20px 0 0; text-align: center; }
.outcome h1 { font-size: 28px; line-height: 36px; font-weight: 600; letter-spacing: -.01em; text-wrap: balance; }
.outcome .text { padding-top: 8px; color: var(--soft); text-wrap: pretty; }
.outcome .button { margin-top: 24px; }
.outcome .button.plain { margin-top: 12px; }
.seal { display: grid; place-items: center; width: 64px; height: 64px; margin: 0 auto 20px; border-radius: 50%; background: var(--sunk); color: var(--soft); }
.seal .icon { width: 32px; height: 32px; }
.seal.good { background: var(--accent); color: var(--accent-ink); box-shadow: 0 0 0 8px color-mix(in srgb, var(--accent) 18%, transparent); animation: pop 150ms ease-out; }
.seal.warn { background: var(--warn-wash); color: var(--warn); }
.seal.bad { background: var(--bad-wash); color: var(--bad); }
.spinner { width: 32px; height: 32px; border-radius: 50%; border: 3px solid var(--line); border-top-color: var(--mark); animation: turn 900ms linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@keyframes pop { from { transform: scale(.8); } }
@media (prefers-reduced-motion: reduce) { *, ::before { animation: none !important; transition: none !important; } }
`;

/** In forced-colors mode borders replace what only color showed. */
const FORCED = `
@media (forced-colors: active) {
  .sandbox, .problem { border: 2px solid; }
  .sandbox::before, .spinner, .button.working::before { forced-color-adjust: none; }
  input[aria-invalid=true] { border-width: 3px; }
}
`;

const DESK = `
@media (min-width: 480px) {
  body { background: var(--ground); padding: 48px 16px; }
  .page { max-width: 420px; background: var(--surface); border-radius: 12px; box-shadow: var(--shadow); padding: 28px; }
  .sandbox { margin: -28px -28px 20px; padding-inline: 28px; border-radius: 12px 12px 0 0; }
  .sandbox::before { border-radius: 12px 12px 0 0; }
}
@media (min-width: 900px) {
  .wide { max-width: 920px; display: grid; grid-template-columns: 1fr 1fr; gap: 0 56px; align-items: start; }
  .wide > * { grid-column: 1 / -1; }
  .wide > .buy { grid-column: 1; }
  .wide > .pay { grid-column: 2; }
}
@media print {
  body { padding: 0; background: none; }
  .page { box-shadow: none; max-width: none; }
  .button, .language, .seller ul, .sandbox::before { display: none; }
}
`;

export const squeeze = (style: string): string =>
  style
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;\}/g, '}')
    .trim();

/** Strips whitespace, because it is part of every page. */
export const PAGE_STYLE = squeeze(FRAME + SANDBOX + ORDER + FORM + OUTCOME + FORCED + DESK);

/** Replaces our accent with the studio's. Built only from computed colors, never from raw input. */
export function accentRules({ accent, ink, hover, link, edged }: AccentColors): string {
  const shade = (name: Shade) =>
    `--link: ${link[name]}; --ring: ${link[name]}; --mark: ${link[name]};${edged[name] ? ' --button-edge: var(--edge);' : ''}`;
  return squeeze(`:root { --accent: ${accent}; --accent-ink: ${ink}; --accent-hover: ${hover}; }
${themed(shade('light'), shade('dark'))}`);
}
