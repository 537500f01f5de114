import { currencyDecimals, type OrderStatus, type PaymentStatus } from '@coinslot/sdk';
import type { Style } from './style.ts';
import { plain } from './style.ts';

type Tone = 'good' | 'bad' | 'over' | 'open';

/** What has no tone here is open. */
const TONES: Readonly<Record<OrderStatus | PaymentStatus, Tone> & Record<string, Tone>> = {
  created: 'open',
  pending: 'open',
  requires_action: 'open',
  refund_requested: 'open',
  authorized: 'good',
  succeeded: 'good',
  paid: 'good',
  enabled: 'good',
  declined: 'bad',
  rejected: 'bad',
  voided: 'bad',
  disputed: 'bad',
  charged_back: 'bad',
  exhausted: 'bad',
  disabled: 'bad',
  abandoned: 'over',
  canceled: 'over',
  expired: 'over',
  refunded: 'over',
};

export function statusWord(style: Style, status: string): string {
  const paint = { good: style.green, bad: style.red, over: style.dim, open: style.yellow }[TONES[status] ?? 'open'];
  return paint(plain(status));
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Readable local time. */
export function timeWord(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '';
  const time = new Date(seconds * 1000);
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${clockWord(time)}`;
}

export const clockWord = (time: Date): string =>
  `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;

export const moneyWord = ({ price_decimal, currency }: { price_decimal: number; currency: string }): string =>
  `${price_decimal.toFixed(currencyDecimals(currency))} ${plain(currency)}`;

export const orNone = (text: string | null | undefined): string => (text ? plain(text) : '-');
