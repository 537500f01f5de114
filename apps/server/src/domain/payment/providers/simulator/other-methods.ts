import { findMethod } from '../../methods/method-table.ts';
import type { ChargeStatus, NextAction } from '../base/charge-shape.ts';

/** How long the money of a slow method takes here. Days would be true, but a developer cannot wait for them. */
export interface SlowRules {
  minutesTakeSeconds: number;
  daysTakeSeconds: number;
}

export const SLOW_RULES: SlowRules = { minutesTakeSeconds: 10, daysTakeSeconds: 60 };

const VOUCHER_DAYS = 3;

export interface Opening {
  status: 'requires_action' | 'processing' | 'authorized';
  challengeUrl: string | null;
  dueInSeconds: number | null;
}

/** What happens when a player chooses it: a wallet agrees at once, a bank asks on its own page, a voucher waits. */
export function openingOf(id: string, rules: SlowRules, challengeUrl: string): Opening {
  const method = findMethod(id);
  if (!method) throw new Error(`The simulator knows no method ${id}.`);
  const { takes, leavesPage, canReserve } = method;
  if (takes === 'days') return { status: 'processing', challengeUrl: null, dueInSeconds: rules.daysTakeSeconds };
  if (takes === 'minutes' && !leavesPage)
    return { status: 'processing', challengeUrl: null, dueInSeconds: rules.minutesTakeSeconds };
  if (canReserve && !leavesPage) return { status: 'authorized', challengeUrl: null, dueInSeconds: null };
  return { status: 'requires_action', challengeUrl, dueInSeconds: null };
}

/** Who cannot reserve has paid. */
export const afterChallenge = (id: string): 'authorized' | 'captured' =>
  (findMethod(id)?.canReserve ?? true) ? 'authorized' : 'captured';

export const canBeReturned = (id: string): boolean => findMethod(id)?.canRefund ?? true;

export interface WaitFacts {
  method: string;
  status: ChargeStatus | 'never';
  dueAt: Date | null;
  now: Date;
}

/** What the player is told while the money is on its way; nothing for whatever is at once. */
export function waitOf(
  paymentId: string,
  { method, status, dueAt, now }: WaitFacts,
): {
  nextAction?: NextAction;
  askAgainInSeconds?: number;
} {
  if (status !== 'processing' || dueAt === null) return {};
  const isVoucher = findMethod(method)?.group === 'voucher';
  return {
    askAgainInSeconds: Math.max(1, Math.ceil((dueAt.getTime() - now.getTime()) / 1000)),
    nextAction: {
      clientSecret: null,
      redirectUrl: null,
      instructionsUrl: null,
      reference: isVoucher ? voucherNumber(paymentId) : null,
      expiresAt: isVoucher ? new Date(dueAt.getTime() + VOUCHER_DAYS * 86_400_000) : null,
    },
  };
}

/** Digits like those on a slip, the same for the same payment. */
function voucherNumber(paymentId: string): string {
  const digits = Array.from(paymentId.slice(-12), character => character.charCodeAt(0) % 10).join('');
  return digits.replace(/(.{4})(?=.)/g, '$1 ');
}
