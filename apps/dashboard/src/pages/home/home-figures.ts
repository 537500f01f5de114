import type { Checklist, Home } from '@coinslot/contract';
import { formatPercent } from '../../kit/format.ts';
import { formatMoney } from '../../kit/money.ts';
import { language } from '../../texts/texts.ts';

type SpanMoney = Home['today']['money'];

/** Sums of different currencies stand side by side; they are never added up. */
export const moneyText = ({ money }: { money: SpanMoney }, measure: 'paid' | 'net' = 'paid'): string =>
  money.length === 0 ? '–' : money.map(one => formatMoney(language, one[measure], one.currency)).join(' + ');

/** Today's largest currency; a quiet day shows zero in the month's. */
export function todayMoney({ today, last_30_days: month }: Pick<Home, 'today' | 'last_30_days'>): {
  main: { paid: number; net: number; currency: string } | null;
  others: SpanMoney;
} {
  const [first, ...others] = today.money;
  if (first) return { main: first, others };
  const usual = month.money[0];
  return { main: usual ? { paid: 0, net: 0, currency: usual.currency } : null, others: [] };
}

export const shareText = (share: number | null): string => (share === null ? '–' : formatPercent(language, share));

export const successRate = ({ attempts, succeeded }: { attempts: number; succeeded: number }): number | null =>
  attempts === 0 ? null : succeeded / attempts;

const BAD_RATE = 0.95;

export const isBadRate = (rate: number | null): boolean => rate !== null && rate < BAD_RATE;

export const STEPS = ['order', 'pay', 'webhook', 'grant'] as const;
export type Step = (typeof STEPS)[number];

/** When a step of the first run happened; null while it has not. */
export const doneAt = (steps: Checklist, step: Step): number | null =>
  ({
    order: steps.order_created_at,
    pay: steps.order_paid_at,
    webhook: steps.webhook_added_at,
    grant: steps.item_granted_at,
  })[step];

export const openSteps = (steps: Checklist): Step[] => STEPS.filter(step => doneAt(steps, step) === null);
