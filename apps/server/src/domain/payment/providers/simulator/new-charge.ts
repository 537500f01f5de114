import { reasonOf } from '@coinslot/texts/reasons';
import type { Queryable } from '../../../../db/db.ts';
import { brandOf, digitsOf } from '../base/card.ts';
import type { AuthorizeRequest, CardDetails } from '../base/gateway.ts';
import type { NewCharge } from './charges.sql.ts';
import { findSimulatedMethod } from './entries.sql.ts';
import { openingOf, type SlowRules } from './other-methods.ts';
import { type CardBehavior, findTestCard, type TestCard } from './test-cards.ts';

export const denial = (responseCode: string) => ({
  responseCode,
  responseDescription: reasonOf('simulator.decline', responseCode)!,
});

const NOT_A_TEST_CARD = denial('2014');
const WRONG_CVC = denial('2082');
const EXPIRED = denial('2054');
const METHOD_UNKNOWN = denial('2025');

function judge(card: CardDetails, { brand, behavior }: TestCard): Partial<NewCharge> | null {
  const cvcLength = brand === 'amex' ? 4 : 3;
  if (!/^\d+$/.test(card.cvc) || card.cvc.length !== cvcLength) return WRONG_CVC;
  const { expiryMonth, expiryYear } = card;
  const isMonth = Number.isInteger(expiryMonth) && expiryMonth >= 1 && expiryMonth <= 12;
  if (!isMonth || !Number.isInteger(expiryYear) || expiryYear < 2000 || expiryYear > 9999) return EXPIRED;
  return behavior.kind === 'decline' ? denial(behavior.code) : null;
}

const challengeUrlOf = ({ returnUrl }: AuthorizeRequest): string => `${returnUrl}/challenge`;

const opened = (request: AuthorizeRequest, behavior: CardBehavior['kind']): Partial<NewCharge> =>
  behavior === 'challenge'
    ? { behavior, status: 'requires_action', challengeUrl: challengeUrlOf(request) }
    : { behavior, status: 'authorized' };

/** The last point that sees the number: four digits of it go on. */
function byCard(request: AuthorizeRequest, card: CardDetails): Partial<NewCharge> {
  const digits = digitsOf(card.number);
  const known = findTestCard(digits);
  const seen = {
    brand: known?.brand ?? brandOf(digits),
    last4: /^\d{12,19}$/.test(digits) ? digits.slice(-4) : null,
    country: known?.country ?? null,
  };
  const denied = known ? judge(card, known) : NOT_A_TEST_CARD;
  if (denied || !known) return { ...seen, ...denied };
  const { expiryMonth, expiryYear } = card;
  return { ...seen, ...opened(request, known.behavior.kind), expiryMonth, expiryYear };
}

async function whatPays(db: Queryable, rules: SlowRules, request: AuthorizeRequest): Promise<Partial<NewCharge>> {
  const { payWith, environmentId, playerId } = request;
  switch (payWith.kind) {
    case 'card':
      return byCard(request, payWith.card);
    case 'saved_method': {
      const saved = await findSimulatedMethod(db, { environmentId, token: payWith.token, playerId });
      return saved ? { ...saved, ...opened(request, saved.behavior) } : METHOD_UNKNOWN;
    }
    case 'redirect': {
      const opening = openingOf(payWith.method, rules, challengeUrlOf(request));
      const behavior = opening.status === 'requires_action' ? 'challenge' : 'approve';
      return { method: payWith.method, behavior, ...opening };
    }
    case 'provider_token':
      throw new Error('The simulator has no form of its own in the browser.');
  }
}

/** The charge that a request makes: declined, unless what pays says otherwise. */
export async function newCharge(db: Queryable, rules: SlowRules, request: AuthorizeRequest): Promise<NewCharge> {
  const { environmentId, paymentId, orderId, amountMinor, currency } = request;
  return {
    environmentId,
    paymentId,
    orderId,
    amountMinor,
    currency,
    method: 'card',
    status: 'declined',
    behavior: 'decline',
    brand: null,
    last4: null,
    country: null,
    expiryMonth: null,
    expiryYear: null,
    responseCode: null,
    responseDescription: null,
    challengeUrl: null,
    dueInSeconds: null,
    ...(await whatPays(db, rules, request)),
  };
}
