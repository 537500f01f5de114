import type { ConnectionCheckName } from '@coinslot/contract';
import { type Advice, advice } from '@coinslot/texts/advice';
import type { Check } from './provider.ts';

export const fine = (check: ConnectionCheckName, about: string | null = null): Check => ({
  check,
  state: 'ok',
  about,
  advice: null,
});

/** The provider does not tell, or there is nothing to look at. */
export const unknown = (check: ConnectionCheckName, about: string | null = null, fix: Advice | null = null): Check => ({
  check,
  state: 'unknown',
  about,
  advice: fix,
});

/** Something is not offered, or comes late; payments go through. */
export const warning = (check: ConnectionCheckName, fix: Advice, about: string | null = null): Check => ({
  check,
  state: 'warning',
  about,
  advice: fix,
});

/** Payments fail, or news is missed. */
export const failed = (check: ConnectionCheckName, fix: Advice, about: string | null = null): Check => ({
  check,
  state: 'failed',
  about,
  advice: fix,
});

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
