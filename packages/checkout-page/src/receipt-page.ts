import type { OutcomeView, PurchaseFacts, SellerView } from './checkout-view.ts';
import { type Html, html } from './html.ts';
import type { Say } from './languages.ts';
import { ICONS } from './marks.ts';
import { renderGame, renderItems } from './order-summary.ts';

type Receipt = Extract<OutcomeView, { state: 'receipt' }>;

const row = (label: string, value: string | null): Html | null =>
  value === null ? null : html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`;

export const renderFacts = (
  { orderNumber, paidOn, paidWith, refundedOn }: PurchaseFacts,
  say: Say,
  more: Html | null = null,
): Html =>
  html`<dl class="facts">${row(say('order_number'), orderNumber)}${row(say('paid_on'), paidOn)}${row(say('paid_with'), paidWith)}${row(say('refunded_title'), refundedOn)}${more}</dl>`;

const numbers = ({ registrationNumber, taxNumber }: SellerView, say: Say): Html =>
  html`${row(say('registration_number'), registrationNumber)}${row(say('tax_number'), taxNumber)}`;

/** The button is shown only if a script can print. */
export function renderReceipt(view: Receipt, say: Say): Html {
  return html`${renderGame(view, say, false)}
<section class="receipt"><h1>${say('receipt')}</h1>
${view.refunded && html`<div class="problem">${ICONS.back}<p>${say('refunded_title')}</p></div>`}
<p class="small">${say('sold_by', { seller: view.seller.name })}${view.seller.address !== null && html`<br>${view.seller.address}`}</p>
${renderItems(view, say)}
${renderFacts(view.facts, say, numbers(view.seller, say))}
<button class="button" id="print" hidden>${say('print')}</button>
</section>`;
}
