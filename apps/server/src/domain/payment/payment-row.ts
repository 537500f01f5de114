import type { PaymentStatus } from '@coinslot/contract';
import type { Phrase } from '@coinslot/texts/attention';
import { jsonOrNull, type RowOf, table, typed, withDates } from '../../db/table.ts';
import { toAttention } from '../order/order-row.ts';
import type { DisputeStatus } from './providers/base/charge-shape.ts';

/** The player has done everything, and the money comes by itself: how they pay, and until when. */
export interface PaymentInstructions {
  /** The provider's own page with a voucher or a code. */
  url: string | null;
  /** What the player types at the bank or shows in the store. */
  reference: string | null;
  expiresAt: Date | null;
}

export const PAYMENTS = table('payments', {
  environmentId: 'text',
  id: 'text',
  orderId: 'text',
  playerId: 'text',
  status: typed<PaymentStatus>('text'),
  gateway: 'text',
  method: 'text',
  brand: 'text?',
  last4: 'text?',
  country: 'text?',
  email: 'text?',
  amountMinor: 'bigint',
  currency: 'text',
  /** The part that went back at the provider without us. */
  returnedMinor: 'bigint',
  responseCode: 'text?',
  responseDescription: 'text?',
  refundReason: 'text?',
  disputeReason: 'text?',
  disputeStatus: typed<DisputeStatus | null>('text?'),
  problem: jsonOrNull<Phrase[]>(),
  attention: jsonOrNull(toAttention),
  instructions: jsonOrNull(withDates<PaymentInstructions>('expiresAt')),
  /** The player wants the method saved for the next order, once it has paid. */
  saveMethod: 'boolean',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  /** Of the row that was read; every write compares it and adds one. */
  version: 'int',
  authorizedAt: 'timestamptz?',
  capturedAt: 'timestamptz?',
  refundedAt: 'timestamptz?',
  /** A member settled it outside of Coinslot; every later step ends that. */
  settledAt: 'timestamptz?',
});

export type Payment = RowOf<typeof PAYMENTS>;
