import { fragment, jsonOrNull, type RowOf, table, typed } from '../../../../db/statement.ts';
import type { ChargeStatus } from '../base/charge-shape.ts';
import type { Evidence } from '../base/gateway.ts';
import type { CardBehavior } from './test-cards.ts';

export const CHARGE_TABLE = table('simulator.charges', {
  environmentId: 'text',
  paymentId: 'text',
  /** `never`: asked about before it came, and refused since. */
  status: typed<ChargeStatus | 'never'>('text'),
  orderId: 'text?',
  amountMinor: 'bigint',
  currency: 'text?',
  behavior: typed<CardBehavior['kind']>('text'),
  method: 'text',
  brand: 'text?',
  last4: 'text?',
  country: 'text?',
  expiryMonth: 'int?',
  expiryYear: 'int?',
  responseCode: 'text?',
  responseDescription: 'text?',
  challengeUrl: 'text?',
  /** When the money of a slow method comes. */
  dueAt: 'timestamptz?',
  capturedAt: 'timestamptz?',
  refundedAt: 'timestamptz?',
  /** When a bank could not return the money. */
  refundFailedAt: 'timestamptz?',
  evidence: jsonOrNull<Evidence & { files?: string[] }>(),
  evidenceAt: 'timestamptz?',
  /** When the studio gave the money up. */
  acceptedAt: 'timestamptz?',
});

export const CHARGES = CHARGE_TABLE.omit('environmentId, paymentId, expiryMonth, expiryYear');

export interface ChargeRow extends RowOf<typeof CHARGES> {
  now: Date;
}

export const COLUMNS = fragment`${CHARGES.columns}, app_now() as now`;
