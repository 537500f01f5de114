import { chargeIn, disputeIn, purchaseIn } from '@coinslot/testing/purchase-samples';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideOrder } from '../../order/order.ts';
import { decidePayment } from '../../payment/payment.ts';
import type { Charge, ChargeStatus } from '../../payment/providers/base/charge-shape.ts';
import { applyCharge } from '../engine/apply-charge.ts';
import type { Purchase } from '../engine/purchase.ts';
import { nextAction } from './purchase-rules.ts';

const NOW = new Date('2026-01-01T12:00:00Z');

/** A provider that does what it is asked once, and remembers every answer it ever gave. */
class Provider {
  status: ChargeStatus | null = null;
  dispute: 'lost' | 'won' | null = null;
  captures = 0;
  readonly #refusesLate = new Set<string>();
  readonly answers: (Charge | 'absent')[] = [];

  authorize(outcome: 'authorized' | 'declined' | 'requires_action'): void {
    if (this.status === null && this.#refusesLate.size === 0) this.status = outcome;
    this.answer();
  }

  capture(): void {
    if (this.status !== 'authorized') return;
    this.status = 'captured';
    this.captures += 1;
  }

  voidOrRefund(): void {
    if (this.status === 'authorized' || this.status === 'requires_action') this.status = 'voided';
    else if (this.status === 'captured' && this.dispute === null) this.status = 'refunded';
  }

  answer(): Charge | 'absent' {
    if (this.status === null) this.#refusesLate.add('asked');
    const disputes = this.dispute && this.status === 'captured' ? [disputeIn(this.dispute)] : [];
    const charge = this.status === null ? 'absent' : chargeIn(this.status, { disputes });
    this.answers.push(charge);
    return charge;
  }
}

class Shop {
  purchase: Purchase = purchaseIn('pending', 'pending');
  provider = new Provider();
  asks = 0;
  receipts = 0;
  takeBacks = 0;

  record(charge: Charge | 'absent'): void {
    const after = applyCharge(this.purchase, charge, NOW);
    this.purchase = { order: after.order, payment: after.payment };
    this.asks += Number(after.askGame);
    this.receipts += after.events.filter(kind => kind === 'order.paid').length;
    this.takeBacks += Number(after.revokeItems !== null);
  }

  game(answer: 'yes' | 'no'): void {
    const { order } = this.purchase;
    if (order.grantedAt) return;
    const decision = decideOrder(order, answer === 'yes' ? 'grant' : 'reject', NOW);
    if ('order' in decision) this.purchase = { ...this.purchase, order: decision.order };
  }

  refund(): void {
    const order = decideOrder(this.purchase.order, 'request_refund', NOW);
    const payment = decidePayment(this.purchase.payment, 'request_refund', NOW);
    if ('order' in order && 'payment' in payment) this.purchase = { order: order.order, payment: payment.payment };
  }

  /** Asks the provider for what is due; the answer is recorded, or lost on the way. */
  step(answerArrives: boolean): void {
    const step = nextAction(this.purchase);
    if (step === 'none') return;
    if (step === 'capture') this.provider.capture();
    if (step === 'void_or_refund') this.provider.voidOrRefund();
    const charge = this.provider.answer();
    if (answerArrives) this.record(charge);
  }
}

const action = fc.oneof(
  fc.record({
    do: fc.constant('authorize' as const),
    outcome: fc.constantFrom('authorized', 'declined', 'requires_action'),
  }),
  fc.record({ do: fc.constant('complete challenge' as const) }),
  fc.record({ do: fc.constant('step' as const), arrives: fc.boolean() }),
  fc.record({ do: fc.constant('repeat an old answer' as const), which: fc.nat(20) }),
  fc.record({ do: fc.constant('game' as const), answer: fc.constantFrom('yes', 'no') }),
  fc.record({ do: fc.constant('refund' as const) }),
  fc.record({ do: fc.constant('dispute' as const), outcome: fc.constantFrom('lost', 'won') }),
);

type Action = typeof action extends fc.Arbitrary<infer Given> ? Given : never;

function play(shop: Shop, actions: Action[]): void {
  for (const given of actions) {
    switch (given.do) {
      case 'authorize':
        shop.provider.authorize(given.outcome);
        break;
      case 'complete challenge':
        if (shop.provider.status === 'requires_action') shop.provider.status = 'authorized';
        break;
      case 'step':
        shop.step(given.arrives);
        break;
      case 'repeat an old answer': {
        const { answers } = shop.provider;
        const old = answers[given.which % Math.max(1, answers.length)];
        if (old) shop.record(old);
        break;
      }
      case 'game':
        shop.game(given.answer);
        break;
      case 'refund':
        shop.refund();
        break;
      case 'dispute':
        if (shop.provider.status === 'captured') shop.provider.dispute ??= given.outcome;
        break;
    }
  }
}

/** What a quiet purchase may look like: order, payment, and what the provider holds. */
const QUIET: readonly (readonly [order: string, payment: string, charge: ChargeStatus | null])[] = [
  ['created', 'declined', 'declined'],
  ['created', 'abandoned', null],
  ['created', 'abandoned', 'voided'],
  ['pending', 'requires_action', 'requires_action'],
  ['paid', 'succeeded', 'captured'],
  ['charged_back', 'charged_back', 'captured'],
  ['rejected', 'voided', 'voided'],
  ['rejected', 'refunded', 'refunded'],
  ['refunded', 'refunded', 'refunded'],
  ['refunded', 'voided', 'voided'],
  // The bank took it; the provider refuses to return it a second time, which the caller records as such.
  ['refund_requested', 'refund_requested', 'captured'],
];

describe('whatever comes, in whatever order, twice or not at all (rows 1, 2, 9, 10, 12)', () => {
  it('the purchase ends consistent, with at most one capture, one question, one receipt, one removal', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25 }), fc.constantFrom('yes', 'no'), (actions, lastWord) => {
        const shop = new Shop();
        play(shop, actions);
        for (let i = 0; i < 6; i++) {
          shop.game(lastWord);
          shop.step(true);
        }
        const { order, payment } = shop.purchase;
        expect(QUIET).toContainEqual([order.status, payment.status, shop.provider.status]);
        expect(shop.provider.captures).toBeLessThanOrEqual(1);
        expect(Math.max(shop.asks, shop.receipts, shop.takeBacks)).toBeLessThanOrEqual(1);
        expect(payment.problem).toBeNull();
        if (shop.provider.status === 'captured') expect(order.grantedAt).not.toBeNull();
      }),
      { numRuns: 1_000 },
    );
  });
});
