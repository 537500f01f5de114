const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** While the player waits. */
const FOREGROUND_STEPS_SECONDS = [0, 2, 5, 10, 20] as const;

const BACKGROUND_STEPS_SECONDS = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
] as const;

/**
 * Each step is the pause before an attempt, counted from the end of the one before, not from the first. Read so, the background
 * steps add up to the promised three days (24 h stands there twice), and "between the step and twice the step" has a meaning.
 *
 * An observer's first attempt is made at once too. Its steps are only those after a failure.
 */
export const RETRY_STEPS_SECONDS = {
  items: [...FOREGROUND_STEPS_SECONDS, ...BACKGROUND_STEPS_SECONDS],
  observer: [0, ...BACKGROUND_STEPS_SECONDS],
} as const satisfies Record<string, readonly number[]>;

export type RetryKind = keyof typeof RETRY_STEPS_SECONDS;

export interface RetryFacts {
  readonly kind: RetryKind;
  readonly attemptsMade: number;
  /** What the receiver asked for with its last answer. */
  readonly retryAfterSeconds: number | null;
  /** In [0, 1). */
  readonly random: number;
}

const SPREAD = 0.2;

export function nextAttempt({
  kind,
  attemptsMade,
  retryAfterSeconds,
  random,
}: RetryFacts): { readonly delayMs: number } | 'exhausted' {
  const stepSeconds = RETRY_STEPS_SECONDS[kind][attemptsMade];
  if (stepSeconds === undefined) return 'exhausted';
  const stepMs = stepSeconds * 1000;
  return {
    delayMs: Math.round(
      retryAfterSeconds === null ? jittered(stepMs, random) : asked(stepMs, retryAfterSeconds * 1000, random),
    ),
  };
}

function jittered(stepMs: number, random: number): number {
  return stepMs * (1 - SPREAD + 2 * SPREAD * random);
}

/** Never sooner than asked, if that is within reach; the spread stays inside [step, 2 × step] so that a crowd does not return at once. */
function asked(stepMs: number, retryAfterMs: number, random: number): number {
  const spreadMs = stepMs * SPREAD * random;
  const longestMs = 2 * stepMs;
  if (retryAfterMs > longestMs) return longestMs - spreadMs;
  return Math.min(Math.max(retryAfterMs, stepMs) + spreadMs, longestMs);
}
