import { createHmac } from 'node:crypto';
import type { SignatureCheck } from '@coinslot/contract';
import { sameBytes } from '../../../kit/seal.ts';

export interface KnownSecret {
  name: NonNullable<SignatureCheck['matched_secret']>;
  secret: string;
}

export interface PastedWebhook {
  headers: string;
  body: string;
}

export interface SignatureFacts {
  pasted: PastedWebhook;
  /** The one that signs now first. */
  secrets: readonly KnownSecret[];
  nowSeconds: number;
  /** The delivery whose event id the body names, with the bytes that were sent. */
  delivery: { id: string; body: string | null } | null;
}

const TOLERANCE_SECONDS = 300;
const TIMESTAMP = 'x-service-signature-timestamp';
const SIGNATURE = 'x-service-signature';

/** `name: value` in each line, or a JSON object of them, as frameworks print it. */
export function readHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  try {
    const object: unknown = JSON.parse(text);
    if (typeof object === 'object' && object !== null && !Array.isArray(object)) {
      for (const [name, value] of Object.entries(object)) headers.set(name.toLowerCase(), String(value).trim());
      return headers;
    }
  } catch {
    // Not JSON, so lines.
  }
  for (const line of text.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':', 1);
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return headers;
}

/** The event that a body claims to be, to find what was really sent. */
export function eventIdIn(body: string): string | null {
  return /"event_id"\s*:\s*"(evt_[0-9a-z]{26})"/.exec(body)?.[1] ?? null;
}

const sign = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

const isSame = (a: string, b: string): boolean => sameBytes(Buffer.from(a), Buffer.from(b));

const sameJson = (a: string, b: string): boolean => {
  try {
    return JSON.stringify(sorted(JSON.parse(a))) === JSON.stringify(sorted(JSON.parse(b)));
  } catch {
    return false;
  }
};

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

const whitespaceVariants = (body: string): string[] => [
  body.trim(),
  `${body}\n`,
  body.replaceAll('\r\n', '\n'),
  body.replaceAll('\r\n', '\n').trim(),
  body.replace(/^\u{feff}/u, ''),
];

function compact(body: string): string | null {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return null;
  }
}

type Finding = Pick<SignatureCheck, 'verdict' | 'message'> & Partial<SignatureCheck>;

const SECRET_TEXT: Record<KnownSecret['name'], Finding> = {
  current: { verdict: 'valid', is_valid: true, message: 'The signature is right.' },
  previous: {
    verdict: 'valid_with_previous_secret',
    is_valid: true,
    message: 'The signature is right, made with the secret before the last rotation. Give the receiver the new secret.',
  },
  s2s_key: {
    verdict: 'wrong_secret',
    message:
      'The S2S key of the environment made this signature, but this webhook has a secret of its own. Use the secret of the webhook.',
  },
  other_key: {
    verdict: 'wrong_secret',
    message: 'Another S2S key of the environment made this signature. The oldest key that is not revoked signs.',
  },
  other_webhook: {
    verdict: 'wrong_secret',
    message: 'The secret of another webhook made this signature. Check it there.',
  },
  other_mode: {
    verdict: 'wrong_environment',
    message: 'A secret of the other mode made this signature: live and sandbox have different ones.',
  },
};

interface Parsed {
  timestamp: string;
  signature: string;
  headers: Map<string, string>;
}

function shapeProblem({ timestamp, signature }: { timestamp?: string; signature?: string }): Finding | null {
  if (!timestamp) return { verdict: 'timestamp_missing', message: `The header ${TIMESTAMP} is not there.` };
  if (!signature) return { verdict: 'signature_missing', message: `The header ${SIGNATURE} is not there.` };
  if (!/^\d{1,12}$/.test(timestamp)) {
    const message =
      'The timestamp is not a whole number of Unix seconds. Take the header as it is, and do not convert it.';
    return { verdict: 'timestamp_malformed', message };
  }
  if (!/^[0-9a-f]{64}$/i.test(signature)) {
    const message = `The signature is not 64 hexadecimal digits. Take ${SIGNATURE} whole, without a prefix.`;
    return { verdict: 'signature_malformed', message };
  }
  return null;
}

function matchSecret(
  { timestamp, signature }: Parsed,
  body: string,
  secrets: readonly KnownSecret[],
): KnownSecret | null {
  return secrets.find(({ secret }) => isSame(sign(secret, timestamp, body), signature)) ?? null;
}

function alteredBody(parsed: Parsed, { pasted, secrets, delivery }: SignatureFacts): Finding | null {
  const matches = (body: string): boolean => matchSecret(parsed, body, secrets) !== null;
  if (whitespaceVariants(pasted.body).some(matches)) {
    const message =
      'Spaces or line ends were added or lost at the ends of the body. Sign the bytes exactly as they came.';
    return { verdict: 'body_whitespace', message };
  }
  const rewritten = {
    verdict: 'body_reserialized',
    message:
      'The body is the same JSON, written again: it was parsed and serialized before the check. Read the raw bytes of the request.',
  } as const;
  const short = compact(pasted.body);
  if (short !== null && matches(short)) return rewritten;
  if (delivery?.body == null || !matches(delivery.body)) return null;
  if (sameJson(delivery.body, pasted.body)) return rewritten;
  const message =
    'The signature belongs to this event, but the body is not what was sent: something on the way changed it.';
  return { verdict: 'body_altered', message };
}

function alteredTimestamp(parsed: Parsed, body: string, secrets: readonly KnownSecret[]): Finding | null {
  const other = parsed.headers.get('webhook-timestamp');
  if (!other || other === parsed.timestamp || !matchSecret({ ...parsed, timestamp: other }, body, secrets)) return null;
  return {
    verdict: 'timestamp_altered',
    message: `The signature fits the timestamp ${other}, not the one that was pasted.`,
  };
}

function judge(parsed: Parsed, facts: SignatureFacts): Finding {
  const { pasted, secrets } = facts;
  const matched = matchSecret(parsed, pasted.body, secrets);
  if (matched) return { ...SECRET_TEXT[matched.name], matched_secret: matched.name };
  const lower = { ...parsed, signature: parsed.signature.toLowerCase() };
  if (lower.signature !== parsed.signature && matchSecret(lower, pasted.body, secrets)) {
    const message =
      'The signature is right but for its letters: the digits are lower case. Compare with lower-case hexadecimal.';
    return { verdict: 'signature_uppercase', message };
  }
  return (
    alteredBody(lower, facts) ??
    alteredTimestamp(lower, pasted.body, secrets) ?? {
      verdict: 'no_match',
      message:
        'No secret of this game makes this signature from this body and timestamp. The body, the timestamp or the secret is another one.',
    }
  );
}

/** What exactly is right or wrong with what a receiver got. */
export function checkSignature(facts: SignatureFacts): SignatureCheck {
  const headers = readHeaders(facts.pasted.headers);
  const timestamp = headers.get(TIMESTAMP);
  const signature = headers.get(SIGNATURE);
  const shape = shapeProblem({ ...(timestamp && { timestamp }), ...(signature && { signature }) });
  const finding = shape ?? judge({ timestamp: timestamp!, signature: signature!, headers }, facts);
  const age = timestamp && /^\d{1,12}$/.test(timestamp) ? facts.nowSeconds - Number(timestamp) : null;
  const isOld = age !== null && Math.abs(age) > TOLERANCE_SECONDS;
  const isKnown = facts.delivery?.body === facts.pasted.body && age !== null;
  return {
    is_valid: false,
    matched_secret: null,
    ...finding,
    message: isOld && finding.is_valid ? `${finding.message} ${OLD_TEXT}` : finding.message,
    age_seconds: age,
    is_old: isOld,
    delivery_id: facts.delivery?.id ?? null,
    expected_signature: isKnown ? sign(facts.secrets[0]!.secret, timestamp!, facts.pasted.body) : null,
  };
}

const OLD_TEXT = `The timestamp is further from now than the recommended ${TOLERANCE_SECONDS} seconds: a receiver with that limit refuses it, or its clock is wrong.`;
