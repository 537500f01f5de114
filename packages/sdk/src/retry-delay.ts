const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** A service that asks for more than this is not waited for; the error says how long it wanted. */
export const LONGEST_RETRY_AFTER_SECONDS = 60;

/** `Retry-After` as seconds; it may also be a date. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  // `Date.parse` makes a date of nearly anything.
  const isDate = text.endsWith('GMT');
  const seconds = /^\d+$/.test(text) ? Number(text) : isDate ? (Date.parse(text) - nowMs) / 1000 : Number.NaN;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}

/**
 * How long to wait before try number `triesMade + 1`. Half of it is chance, so that many callers that failed together
 * do not come back together. What the service asked for is never cut short.
 */
export function retryDelayMs(triesMade: number, askedSeconds: number | null, random: number): number {
  const step = Math.min(LONGEST_MS, FIRST_MS * 2 ** (triesMade - 1));
  const jittered = step / 2 + (step / 2) * random;
  return Math.round(askedSeconds === null ? jittered : askedSeconds * 1000 + (FIRST_MS / 2) * random);
}
