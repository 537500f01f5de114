import type { Charge, DisputeStatus } from '../../payment/providers/base/charge-shape.ts';
import { leadingDispute } from '../../payment/providers/base/charges.ts';

/** What the provider holds: the charge's status, and for captured money what became of it. */
export const PROVIDER_STATES = [
  /** The provider has never heard of the payment. */
  'absent',
  'requires_action',
  'processing',
  'authorized',
  'captured',
  /** Captured, and a refund is on its way to the payer. */
  'refund_pending',
  /** A refund was said to have arrived, and then the bank did not take it: the money is here. */
  'refund_failed',
  'partly_refunded',
  /** The bank only asks; nothing is taken away. */
  'inquiry',
  'disputed',
  'dispute_unclear',
  'dispute_won',
  'dispute_lost',
  'declined',
  'voided',
  'refunded',
  'refunded_and_lost',
] as const;

export type ProviderState = (typeof PROVIDER_STATES)[number];

const DISPUTES = {
  inquiry: 'inquiry',
  open: 'disputed',
  unclear: 'dispute_unclear',
  won: 'dispute_won',
  lost: 'dispute_lost',
  // A part that went back to the payer in time.
  prevented: 'dispute_lost',
} as const satisfies Record<DisputeStatus, ProviderState>;

/** What is true of captured money, the most telling first: an open question of the bank hides what came before it. */
function capturedStates(charge: Charge) {
  const { refundFailure, askAgainInSeconds, refundedMinor = 0, amountMinor } = charge;
  const states: ProviderState[] = [];
  const dispute = leadingDispute(charge);
  // The provider returned the money before the bank had to ask for it.
  if (dispute?.status === 'prevented' && dispute.amountMinor >= amountMinor) return ['refunded'] as const;
  const isQuestioned = dispute !== null && dispute.status !== 'won';
  if (isQuestioned) states.push(DISPUTES[dispute.status]);
  if (refundFailure) states.push('refund_failed');
  if (isQuestioned) return states;
  // The provider names a date for captured money that is not in question only while a refund is on its way.
  if (askAgainInSeconds !== null) states.push('refund_pending');
  if (refundedMinor > 0 && refundedMinor < amountMinor) states.push('partly_refunded');
  return [...states, dispute ? DISPUTES[dispute.status] : 'captured'] as const;
}

const isLost = ({ disputes }: Charge): boolean => disputes.some(({ status }) => status === 'lost');

/** Everything that is true of what the provider holds, the most telling first. */
export function providerStatesOf(charge: Charge | 'absent'): readonly ProviderState[] {
  if (charge === 'absent') return ['absent'];
  if (charge.status === 'captured') return capturedStates(charge);
  if (charge.status === 'refunded') return [isLost(charge) ? 'refunded_and_lost' : 'refunded'];
  return [charge.status];
}

export const providerStateOf = (charge: Charge | 'absent'): ProviderState => providerStatesOf(charge)[0]!;
