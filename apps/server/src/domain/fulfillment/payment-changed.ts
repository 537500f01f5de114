import { channel } from 'node:diagnostics_channel';
import type { EventKind } from '@coinslot/contract';
import type { Payment } from '../payment/payment.ts';

export interface PaymentChanged {
  payment: Payment;
  kinds: readonly EventKind[];
}

/** For those who count payments. It costs nothing while nobody listens, and nothing may depend on who does. */
export const paymentChanged = channel('coinslot.payment');
