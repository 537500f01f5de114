import { squeeze } from './page-style.ts';

/** Styles that only live pages need, kept out of sandbox pages. */
export const LIVE_STYLE = squeeze(`
.more > summary { list-style: none; }
.more > summary::-webkit-details-marker { display: none; }
.more[open] > summary { margin-bottom: 20px; }
.more > .saved .button { color: var(--ink); background: none; border-color: var(--edge); }
.more > .saved .button:hover { background: var(--sunk); }
.above { padding-top: 12px; }
.saved .button { margin-top: 0; }
.saved .button .icon { width: 22px; height: 22px; }
.beside { display: flex; align-items: center; justify-content: space-between; gap: 12px; padding: 4px 0 12px; }
.beside .quiet { white-space: nowrap; padding-inline-end: 0; }
.beside bdi { min-width: 0; }
.or { display: flex; align-items: center; gap: 12px; padding: 4px 0 16px; color: var(--soft); font-size: 14px; line-height: 20px; }
#express[data-found] { padding-bottom: 12px; }
#express:not([data-found]) + .or { display: none; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
.brand[data-brand=PayPal] { background: #003087; }
.brand[data-brand$=" Pay"] { background: #000; }
.wallets { display: grid; grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); gap: 8px; padding-bottom: 12px; }
.wallet { margin-top: 0; min-height: 48px; transition: none; color: var(--surface); background: var(--ink); border-color: var(--ink); }
.wallet:hover { background: var(--soft); }
.ways { margin: 16px 0 0; padding: 0; border: 0; min-width: 0; }
.ways legend { padding: 0 0 4px; font-size: 14px; line-height: 20px; font-weight: 600; }
.way { display: grid; grid-template-columns: auto 1fr; align-items: center; gap: 0 12px; border: 1px solid var(--edge); border-top-width: 0; padding: 0 12px; }
.way:first-of-type { border-top-width: 1px; border-radius: 8px 8px 0 0; }
.way:last-of-type { border-radius: 0 0 8px 8px; }
.way:only-of-type { border-radius: 8px; }
.way > label { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 8px; padding: 12px 0; font-size: 16px; line-height: 24px; font-weight: 400; cursor: pointer; }
.way:has(> input:checked) > label { font-weight: 600; }
input[type=radio], input[type=checkbox] { width: 20px; height: 20px; margin: 0; padding: 0; accent-color: var(--ring); flex: none; }
.own { grid-column: 1 / -1; padding-bottom: 16px; }
.way:has(> input:not(:checked)) .own { display: none; }
.check { display: flex; align-items: flex-start; gap: 12px; padding-top: 12px; grid-column: 1 / -1; }
.check label { padding: 0; font-weight: 400; }
.check[hidden] { display: none; }
#provider { min-height: 20px; margin-top: 16px; }
#provider:empty { min-height: 0; margin: 0; }
#provider_error { padding-top: 12px; }
#provider_error:empty { padding: 0; }
noscript .problem { margin-top: 16px; }
.slip { display: inline-grid; gap: 8px; margin-top: 20px; padding: 16px 24px; border: 1px solid var(--line); border-radius: 12px; background: var(--sunk); }
.slip dt { font-size: 14px; line-height: 20px; color: var(--soft); }
.slip dd { font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: .04em; }

.pay:not(:has([data-charges=first]:checked, form[data-charges=first])) .first, .pay:has([data-charges]:checked, form[data-charges]) .after { display: none; }
`);
