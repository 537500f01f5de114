import type { RefundPreview } from '@coinslot/contract';
import { reasons } from '@coinslot/texts/reasons';
import type { Payment } from '../../payment/payment.ts';
import type { Purchase } from '../engine/purchase.ts';
import { mayRefund } from '../table/purchase-rules.ts';
import { type GrantFacts, type Revocation, revocationFor } from './revocation.ts';

type Effect = RefundPreview['effects'][number];

export interface RefundFacts extends Purchase, Pick<GrantFacts, 'grant' | 'removal'> {
  hasReceiver: boolean;
}

const EFFECTS: Readonly<Record<Revocation, readonly Effect[]>> = {
  none: [],
  withdraw: ['grant_withdrawn'],
  withdraw_and_remove: ['items_removed'],
  remove_after_add: ['items_removed'],
  remove: ['items_removed'],
};

function itemEffects(facts: RefundFacts): Effect[] {
  const effects = EFFECTS[revocationFor(facts)];
  return effects.includes('items_removed') && !facts.hasReceiver ? [...effects, 'removal_waits'] : [...effects];
}

function moneyEffect({ amountMinor, capturedAt }: Payment): Effect {
  if (amountMinor === 0) return 'no_money';
  return capturedAt ? 'money_returned' : 'money_released';
}

/** What a refund would do, by the rules that will decide when it is asked for. */
export function refundPreview(facts: RefundFacts): RefundPreview {
  const { order, payment } = facts;
  const allowed = mayRefund(facts);
  return {
    allowed,
    refusal: allowed ? null : reasons.text('en', 'not_refundable', { order: order.status, payment: payment.status }),
    amount: payment.amountMinor,
    currency: payment.currency,
    effects: allowed ? [moneyEffect(payment), ...itemEffects(facts)] : [],
    items: order.items.map(({ sku, name, quantity }) => ({ sku, name, quantity })),
    email: payment.email,
  };
}
