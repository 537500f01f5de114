import type { PaymentStatus } from '@coinslot/contract';
import type { Payment } from './payment.ts';

const UNDER_WAY: readonly PaymentStatus[] = ['pending', 'requires_action', 'authorized'];
const UNFITTING: readonly string[] = ['amount_differs', 'provider_error'];

/** What the provider holds does not fit the order: no worker goes on until a studio member decides. */
export const isInReview = ({ status, attention }: Pick<Payment, 'status' | 'attention'>): boolean =>
  attention?.isFinal === true && UNFITTING.includes(attention.code) && UNDER_WAY.includes(status);
