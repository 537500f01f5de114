import { createHmac } from 'node:crypto';

/** How the headers of a vector were made, so that a test can sign again for another time. */
export interface VectorRecipe {
  /** Signs `x-service-signature`. */
  secret: string;
  /** Signs `x-service-signature-previous`. */
  previous_secret?: string;
  timestamp: string;
  /** The body that was signed; not always the one that is sent. */
  body: string;
  upper_case?: true;
  without?: string[];
}

export interface SignatureVector {
  name: string;
  description: string;
  /** What the receiver holds. */
  secret: string;
  /** The receiver's clock, in Unix seconds. */
  now: number;
  headers: Record<string, string>;
  raw_body: string;
  /** Whether signature and time are right. */
  valid: boolean;
  /** Why not, in the words of the SDK. */
  reason: string | null;
  /** What a receiver answers. */
  status: 200 | 400 | 403;
  made_from: VectorRecipe;
}

const NOW = 1_767_225_600;
const SECRET = 's2s_sandbox_0123456789abcdefghjkmnpqrstvwxyz';
const OLD_SECRET = 'the secret before the last rotation';

const hmac = (secret: string, { timestamp, body }: VectorRecipe): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`, 'utf8').digest('hex');

/** Follows the recipe, that many seconds later. */
export function signRecipe(recipe: VectorRecipe, laterSeconds = 0): Record<string, string> {
  const isNumber = /^-?\d+$/.test(recipe.timestamp);
  const timestamp = isNumber ? String(Number(recipe.timestamp) + laterSeconds) : recipe.timestamp;
  const moved = { ...recipe, timestamp };
  const signature = hmac(recipe.secret, moved);
  const headers: Record<string, string> = {
    'x-service-signature-timestamp': timestamp,
    'x-service-signature': recipe.upper_case ? signature.toUpperCase() : signature,
    ...(recipe.previous_secret && { 'x-service-signature-previous': hmac(recipe.previous_secret, moved) }),
  };
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !recipe.without?.includes(name)));
}

function bodyOf(name: string, playerId = 'player_42'): string {
  return JSON.stringify({
    event_id: `evt_vector_${name}`,
    event_type: 'item.add',
    event_time: NOW,
    game_id: 'game_vector',
    sandbox: true,
    idempotency_key: `vector_${name}`,
    event_data: {
      player_id: playerId,
      items: [{ sku: 'crystals_100', name: '100 crystals', quantity: 1, price_decimal: 4.99, currency: 'USD' }],
      order_id: `ord_vector_${name}`,
      payment_id: `pay_vector_${name}`,
      reason: 'The order was paid.',
      reason_code: 'order_paid',
      metadata: {},
    },
  });
}

interface Case {
  name: string;
  description: string;
  body?: string;
  /** What is sent instead of what was signed. */
  sent?: string;
  secret?: string;
  ageSeconds?: number;
  recipe?: Partial<VectorRecipe>;
  reason?: string;
  status?: 200 | 400 | 403;
}

const CASES: Case[] = [
  { name: 'valid', description: 'Signed with the secret, just now.' },
  {
    name: 'wrong_secret',
    description: 'Signed with another secret.',
    recipe: { secret: 'another studio’s secret' },
    reason: 'signature_mismatch',
  },
  {
    name: 'altered_body',
    description: 'One digit of the body was changed after it was signed.',
    sent: bodyOf('altered_body').replace('"quantity":1', '"quantity":9'),
    reason: 'signature_mismatch',
  },
  {
    name: 'rewritten_body',
    description: 'The same JSON with other spaces: a body that was parsed and serialized again is not what was signed.',
    sent: JSON.stringify(JSON.parse(bodyOf('rewritten_body')), null, 2),
    reason: 'signature_mismatch',
  },
  {
    name: 'oldest_allowed',
    description: 'Signed 290 seconds ago, inside the 300 seconds.',
    ageSeconds: 290,
  },
  {
    name: 'old_timestamp',
    description: 'Correctly signed, but 310 seconds ago: it may be a replay.',
    ageSeconds: 310,
    reason: 'timestamp_too_old',
  },
  {
    name: 'future_timestamp',
    description: 'Correctly signed, but 310 seconds ahead.',
    ageSeconds: -310,
    reason: 'timestamp_too_new',
  },
  {
    name: 'timestamp_not_a_number',
    description: 'Correctly signed, with a timestamp that is not a number of seconds.',
    recipe: { timestamp: '2026-01-01T00:00:00Z' },
    reason: 'invalid_timestamp',
  },
  {
    name: 'unicode_body',
    description: 'Letters, a combining accent, an emoji, and escapes. The UTF-8 bytes are signed, not characters.',
    body: bodyOf('unicode_body', 'Zoë e\u0301 龙 🐉').replace('100 crystals', '100 \\u00e9\\/crystals'),
  },
  {
    name: 'spaces_and_line_breaks',
    description: 'Spaces, tabs and line breaks around and inside the JSON are part of what is signed.',
    body: `\r\n\t${JSON.stringify(JSON.parse(bodyOf('spaces_and_line_breaks')), null, '\t')}\r\n`,
  },
  {
    name: 'empty_body',
    description: 'An empty body with a correct signature. The signature is valid, but there is no event in it.',
    body: '',
    status: 400,
  },
  {
    name: 'not_json',
    description: 'Correctly signed, but not JSON.',
    body: 'status=ok',
    status: 400,
  },
  {
    name: 'unknown_event_type',
    description: 'Correctly signed, of a kind that the receiver does not know.',
    body: bodyOf('unknown_event_type').replace('item.add', 'item.polish'),
    status: 400,
  },
  {
    name: 'upper_case_hex',
    description: 'The right digest in upper case. The interface says lower case.',
    recipe: { upper_case: true },
    reason: 'signature_mismatch',
  },
  {
    name: 'missing_signature',
    description: 'No x-service-signature.',
    recipe: { without: ['x-service-signature'] },
    reason: 'missing_headers',
  },
  {
    name: 'missing_timestamp',
    description: 'No x-service-signature-timestamp.',
    recipe: { without: ['x-service-signature-timestamp'] },
    reason: 'missing_headers',
  },
  {
    name: 'previous_secret',
    description: 'The secret was rotated; the receiver still has the old one, which signs in a separate header.',
    secret: OLD_SECRET,
    recipe: { previous_secret: OLD_SECRET },
  },
  {
    name: 'new_secret_while_rotating',
    description: 'The secret was rotated; the receiver already has the new one.',
    recipe: { previous_secret: OLD_SECRET },
  },
];

function vectorOf({ name, description, body = bodyOf(name), sent = body, ...given }: Case): SignatureVector {
  const made_from: VectorRecipe = {
    secret: SECRET,
    timestamp: String(NOW - (given.ageSeconds ?? 0)),
    body,
    ...given.recipe,
  };
  return {
    name,
    description,
    secret: given.secret ?? SECRET,
    now: NOW,
    headers: signRecipe(made_from),
    raw_body: sent,
    valid: given.reason === undefined,
    reason: given.reason ?? null,
    status: given.status ?? (given.reason === undefined ? 200 : 403),
    made_from,
  };
}

export const SIGNATURE_VECTORS: SignatureVector[] = CASES.map(vectorOf);

const ABOUT =
  'Webhook signatures for your own tests. For each vector, pass raw_body and headers to your verifier with secret, the clock set to now and a tolerance of 300 seconds: its result must equal valid, and a receiver must respond with status. made_from shows how the headers were made.';

export const signatureVectorsFile = (): string =>
  `${JSON.stringify({ about: ABOUT, tolerance_seconds: 300, vectors: SIGNATURE_VECTORS }, null, 2)}\n`;
