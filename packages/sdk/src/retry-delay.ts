const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** A longer `Retry-After` is not waited for; the error says how long it was. */
export const LONGEST_RETRY_AFTER_SECONDS = 60;

/** `Retry-After` as seconds; it may also be a date. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  // `Date.parse` accepts nearly anything.
  const isDate = text.endsWith('GMT');
  const seconds = /^\d+$/.test(text) ? Number(text) : isDate ? (Date.parse(text) - nowMs) / 1000 : Number.NaN;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}

/**
 * How long to wait before attempt `triesMade + 1`. Half of it is jitter, so that callers that failed together do not
 * retry together. A `Retry-After` is never shortened.
 */
export function retryDelayMs(triesMade: number, askedSeconds: number | null, random: number): number {
  const step = Math.min(LONGEST_MS, FIRST_MS * 2 ** (triesMade - 1));
  const jittered = step / 2 + (step / 2) * random;
  return Math.round(askedSeconds === null ? jittered : askedSeconds * 1000 + (FIRST_MS / 2) * random);
}
