import type { Payment } from '@coinslot/contract';

const OPEN: readonly string[] = ['pending', 'requires_action', 'authorized'] satisfies readonly Payment['status'][];

/** The provider holds another amount than was asked for; somebody must say what counts. */
export const isHeld = ({ status, problem }: Pick<Payment, 'status' | 'problem'>): boolean =>
  OPEN.includes(status) && (problem ?? '').endsWith('Held for review.');
