import type { FormView, OutcomeView, SellerView } from './checkout-view.ts';
import { type Html, html } from './html.ts';
import type { Say } from './languages.ts';
import { ICONS } from './marks.ts';
import { linkable } from './page-links.ts';

const link = (url: string | null, label: string): Html | null => {
  const address = linkable(url);
  return address === null
    ? null
    : html`<li><a href="${address}" target="_blank" rel="noopener noreferrer">${label}</a></li>`;
};

const renderLinks = ({ supportUrl, termsUrl, privacyUrl, refundUrl }: SellerView, say: Say): Html | null => {
  const links = [
    link(supportUrl, say('support')),
    link(termsUrl, say('terms')),
    link(privacyUrl, say('privacy')),
    link(refundUrl, say('refund_policy')),
  ].filter(one => one !== null);
  return links.length === 0 ? null : html`<ul>${links}</ul>`;
};

/** Logos are drawn by CSS alone, so they cost no request. Screen readers read the name. */
const renderAccepted = (names: readonly string[], say: Say): Html | null =>
  names.length === 0
    ? null
    : html`<ul class="marks" aria-label="${say('accepted')}">${names.map(name => html`<li class="brand" data-brand="${name}">${name}</li>`)}</ul>`;

/** Shows only what is true: the seller, the support contact, and a lock only if the connection is encrypted. */
export function renderSeller(view: FormView | OutcomeView, say: Say): Html {
  const isForm = view.state === 'ready' || view.state === 'claim';
  return html`<footer class="seller">
${isForm && renderAccepted(view.accepted, say)}
${isForm && view.secure && html`<p class="lock">${ICONS.lock}${say('encrypted')}</p>`}
${view.state !== 'receipt' && html`<p>${say('sold_by', { seller: view.seller.name })}</p>`}
${renderLinks(view.seller, say)}
</footer>`;
}
