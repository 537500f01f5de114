import { currencyDecimals } from '@coinslot/sdk';
import type { Style } from './style.ts';
import { plain } from './style.ts';

const GOOD = new Set(['paid', 'succeeded', 'authorized', 'enabled']);
const BAD = new Set(['rejected', 'declined', 'exhausted', 'charged_back', 'disputed', 'disabled', 'voided']);
const OVER = new Set(['canceled', 'expired', 'refunded', 'abandoned']);

export function statusWord(style: Style, status: string): string {
  if (GOOD.has(status)) return style.green(status);
  if (BAD.has(status)) return style.red(status);
  return OVER.has(status) ? style.dim(plain(status)) : style.yellow(plain(status));
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
