import type { Checklist, Home } from '@coinslot/contract';
import { formatPercent } from '../../kit/format.ts';
import { language } from '../../texts/texts.ts';

type Period = Pick<Home['range'], 'money' | 'sum'>;

/** Gross and net of a period in one currency, beside the period before. */
export interface PeriodMoney {
  currency: string;
  paid: number;
  net: number;
  paidBefore: number;
  netBefore: number;
  others: Home['range']['money'];
  /** The studio's own exchange rates turned all currencies into this one. */
  isSum: boolean;
  /** Currencies without an exchange rate, which the sum leaves out. */
  missing: readonly string[];
}

const amountIn = ({ money, sum }: Period, currency: string, isSum: boolean): { paid: number; net: number } =>
  (isSum ? sum : money.find(one => one.currency === currency)) ?? { paid: 0, net: 0 };

/**
 * Uses the studio's sum if it has set exchange rates, or the most frequent currency. A period without payments shows
 * zero in the currency of the period before.
 */
export function periodMoney(range: Period, before: Period): PeriodMoney | null {
  const isSum = range.sum !== null;
  const currency = range.sum?.currency ?? range.money[0]?.currency ?? before.money[0]?.currency;
  if (currency === undefined) return null;
  const [now, earlier] = [amountIn(range, currency, isSum), amountIn(before, currency, isSum)];
  return {
    currency,
    paid: now.paid,
    net: now.net,
    paidBefore: earlier.paid,
    netBefore: earlier.net,
    others: isSum ? [] : range.money.filter(one => one.currency !== currency),
    isSum,
    missing: range.sum?.missing ?? [],
  };
}

/** The relative change, or null if there was nothing before. */
export const changeOf = (now: number, before: number): number | null => (before === 0 ? null : now / before - 1);

/** "+12%" or "−3%". */
export function signedPercent(change: number): string {
  const text = formatPercent(language, Math.abs(change));
  return change === 0 ? text : `${change > 0 ? '+' : '−'}${text}`;
}

export const shareText = (share: number | null): string => (share === null ? '–' : formatPercent(language, share));

export const successRate = ({ attempts, succeeded }: { attempts: number; succeeded: number }): number | null =>
  attempts === 0 ? null : succeeded / attempts;

const BAD_RATE = 0.95;

export const isBadRate = (rate: number | null): boolean => rate !== null && rate < BAD_RATE;

export const FIRST_STEPS = ['order', 'pay', 'webhook', 'grant', 'seller'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** When a step was completed, or null if it was not. */
export const doneAt = (steps: Checklist, step: FirstStep): number | null =>
  ({
    order: steps.order_created_at,
    pay: steps.order_paid_at,
    webhook: steps.webhook_added_at,
    grant: steps.item_granted_at,
    seller: steps.seller_complete_at,
  })[step];

export const openSteps = (steps: Checklist): FirstStep[] => FIRST_STEPS.filter(step => doneAt(steps, step) === null);
