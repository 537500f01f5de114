import type { ConnectionCheckName } from '@coinslot/contract';
import { type Advice, advice } from '@coinslot/texts/advice';
import type { Check } from './provider.ts';

type Name = ConnectionCheckName;

const made = (check: Name, state: Check['state'], about: string | null, fix: Advice | null): Check => ({
  check,
  state,
  about,
  advice: fix,
});

export const fine = (check: Name, about: string | null = null) => made(check, 'ok', about, null);

/** The provider does not say, or there is nothing to look at. */
export const unknown = (check: Name, about: string | null = null, fix: Advice | null = null) =>
  made(check, 'unknown', about, fix);

/** Something is not offered, or comes late; payments go through. */
export const warning = (check: Name, fix: Advice, about: string | null = null) => made(check, 'warning', about, fix);

/** Payments fail, or callbacks are missed. */
export const failed = (check: Name, fix: Advice, about: string | null = null) => made(check, 'failed', about, fix);

/** Callbacks that are five minutes off are refused, so a clock is put right long before. */
const WARN_SECONDS = 60;
const FAIL_SECONDS = 240;

/** The provider's clock, as its answers carry it, against ours. */
export function clockCheck(dateHeader: string | null | undefined, nowMs: number): Check {
  const theirsMs = Date.parse(dateHeader ?? '');
  if (Number.isNaN(theirsMs)) return unknown('clock');
  const offSeconds = Math.round(Math.abs(nowMs - theirsMs) / 1000);
  if (offSeconds < WARN_SECONDS) return fine('clock');
  const fix = advice.each('clock_off', { seconds: offSeconds });
  return offSeconds < FAIL_SECONDS ? warning('clock', fix) : failed('clock', fix);
}
