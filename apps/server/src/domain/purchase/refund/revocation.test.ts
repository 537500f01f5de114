import { DELIVERY_STATUSES } from '@coinslot/contract';
import { purchaseIn } from '@coinslot/testing/purchase-samples';
import { describe, expect, it } from 'vitest';
import { refundPreview } from './refund-preview.ts';
import { type GrantFacts, type Revocation, revocationFor } from './revocation.ts';

const AT = new Date('2026-01-01T00:00:00Z');

const grantIn = (status: (typeof DELIVERY_STATUSES)[number], attemptsMade = 1, claimId: string | null = null) => ({
  status,
  attemptsMade,
  claimId,
});

const facts = (grant: GrantFacts['grant'], grantedAt: Date | null = null): GrantFacts => ({
  order: { grantedAt },
  grant,
  removal: null,
});

describe('the items of an order whose money goes back', () => {
  it.each<[string, GrantFacts, Revocation]>([
    ['was never to be asked', facts(null), 'none'],
    ['had its items removed before', { ...facts(grantIn('succeeded'), AT), removal: { status: 'pending' } }, 'none'],
    ['refused them', facts(grantIn('declined')), 'none'],
    ['was not asked before the order was canceled', facts(grantIn('canceled')), 'none'],
    ['never was sent the question, to the end of all retries', facts(grantIn('exhausted', 0)), 'none'],
    ['may have heard the question, to the end of all retries', facts(grantIn('exhausted')), 'remove'],
    ['granted them, and refused when asked again', facts(grantIn('declined'), AT), 'remove'],
    ['granted them', facts(grantIn('succeeded'), AT), 'remove'],
    ['is not asked yet', facts(grantIn('pending', 0)), 'withdraw'],
    ['has no endpoint yet', facts(grantIn('held', 0)), 'withdraw'],
    ['was asked without an answer', facts(grantIn('pending', 2)), 'withdraw_and_remove'],
    ['is being asked', facts(grantIn('pending', 1, 'job_1')), 'remove_after_add'],
  ])('when the game %s', (_what, given, expected) => {
    expect(revocationFor(given)).toBe(expected);
  });

  it('are shown in the preview of a refund as the refund will treat them, in every state of the delivery', () => {
    const { order, payment } = purchaseIn('paid', 'succeeded', AT);
    for (const status of DELIVERY_STATUSES) {
      for (const attemptsMade of [0, 1]) {
        for (const grantedAt of [null, AT]) {
          const given = facts(grantIn(status, attemptsMade), grantedAt);
          const shown = refundPreview({ ...given, order: { ...order, grantedAt }, payment, hasReceiver: true }).effects;
          const rule = revocationFor(given);
          expect(shown.includes('items_removed'), `${status} ${attemptsMade}`).toBe(rule.includes('remove'));
          expect(shown.includes('grant_withdrawn'), `${status} ${attemptsMade}`).toBe(rule === 'withdraw');
        }
      }
    }
  });
});
