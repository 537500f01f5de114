import type { OpenedAccount, PageForm } from '../../base/provider.ts';
import { keptFor, typeOf } from '../account/stripe-abilities.ts';
import { toStripeAmount } from '../stripe-amount.ts';
import { PAGE_PART } from './page-script.ts';

/** What Stripe asks for, and nothing more: its script, its API, and the frames in which its fields and banks live. */
const STRIPES_OWN: PageForm['sources'] = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connect: ['https://api.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
};

/** Another address than Stripe's own is a double that stands in for all of it. */
function sourcesOf(scriptUrl: string): PageForm['sources'] {
  const { origin, hostname } = new URL(scriptUrl);
  return hostname === 'js.stripe.com' ? STRIPES_OWN : { script: [origin], connect: [origin], frame: [origin] };
}

export function stripePageForm(scriptUrl: string): (account: OpenedAccount) => PageForm {
  const sources = sourcesOf(scriptUrl);
  const common = { scriptUrl, part: PAGE_PART, sources, typeOf, keptFor, amountOf: toStripeAmount };
  return ({ publishableKey }) => ({ publishableKey, ...common });
}
