const CENSOR = '[redacted]';
const MAX_DEPTH = 8;
/** Keeps a log line on one screen, however long the error message of a receiver or a driver is. */
const LONGEST_TEXT = 1_000;
const MOST_ENTRIES = 20;

/** Values under names with these endings are hidden: `clientSecret`, `set-cookie`, `s2s_key`. */
const SECRET_NAMES = /(?:authorization|cookies?|secrets?|password|token|key|signature|card|number|cvv|cvc)$/i;
/** These are not secret, and an operator needs them to follow a request through the log. */
const PLAIN_NAMES = new Set(['idempotency_key', 'idempotencyKey']);

const isSecretName = (name: string): boolean => SECRET_NAMES.test(name) && !PLAIN_NAMES.has(name);

/** Secrets that can be recognized inside a sentence, such as the message of an error. */
const SECRET_TEXTS: readonly [RegExp, string][] = [
  [/\b(bearer|basic) +[\w.~+/=-]{8,}/gi, `$1 ${CENSOR}`],
  [/\b((?:sk|rk|pk|whsec)_)[\w+/=-]{8,}/g, `$1${CENSOR}`],
  [/(:\/\/[^\s:@/]*:)[^\s@/]+@/g, `$1${CENSOR}@`],
  [/(\/c\/)[\w-]{64}/g, `$1${CENSOR}`],
  [/(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w.-])/g, CENSOR],
];

function scrubText(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of SECRET_TEXTS) clean = clean.replace(pattern, replacement);
  return clean.length > LONGEST_TEXT ? `${clean.slice(0, LONGEST_TEXT)}… (${clean.length} characters)` : clean;
}

/** Copies a value without its secrets. Errors are left to their serializer, which calls this again. */
export function scrub(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value !== 'object' || value === null || (value instanceof Error && depth === 1)) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map(entry => scrub(entry, depth + 1));
  if (value instanceof Date) return value;
  const clean: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(value)) {
    clean[name] = isSecretName(name) && entry !== null ? CENSOR : scrub(entry, depth + 1);
  }
  return clean;
}
