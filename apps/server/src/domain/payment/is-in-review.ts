import type { PaymentStatus } from '@coinslot/contract';
import type { Payment } from './payment.ts';

const UNDER_WAY: readonly PaymentStatus[] = ['pending', 'requires_action', 'authorized'];

/** An attempt that is under way and has a problem is worked on by nobody until a person decides about it. */
export const isInReview = ({ status, problem }: Pick<Payment, 'status' | 'problem'>): boolean =>
  problem !== null && UNDER_WAY.includes(status);
