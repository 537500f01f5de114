import { createHmac } from 'node:crypto';
import type { SignatureCheck } from '@coinslot/contract';
import { signatures } from '@coinslot/texts/signatures';
import { sameBytes } from '../../../kit/seal.ts';
import { compact, type PastedWebhook, readHeaders, sameJson, whitespaceVariants } from './pasted-webhook.ts';

export interface KnownSecret {
  name: NonNullable<SignatureCheck['matched_secret']>;
  secret: string;
}

export interface SignatureCheckFacts {
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

const sign = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

const isSame = (a: string, b: string): boolean => sameBytes(Buffer.from(a), Buffer.from(b));

const say = signatures.in('en');

type Finding = Pick<SignatureCheck, 'verdict' | 'message'> & Partial<SignatureCheck>;

/** Verdicts whose words need no value. */
type PlainVerdict =
  | 'timestamp_malformed'
  | 'signature_uppercase'
  | 'body_whitespace'
  | 'body_reserialized'
  | 'body_altered'
  | 'no_match';

/** The finding if this secret made the signature. */
const MADE_WITH: Record<KnownSecret['name'], Omit<Finding, 'message'>> = {
  current: { verdict: 'valid', is_valid: true },
  previous: { verdict: 'valid_with_previous_secret', is_valid: true },
  s2s_key: { verdict: 'wrong_secret' },
  other_key: { verdict: 'wrong_secret' },
  other_webhook: { verdict: 'wrong_secret' },
  other_mode: { verdict: 'wrong_environment' },
};

interface Parsed {
  timestamp: string;
  signature: string;
  headers: Map<string, string>;
}

const finding = (verdict: PlainVerdict): Finding => ({ verdict, message: say(verdict) });

function shapeProblem({ timestamp, signature }: { timestamp?: string; signature?: string }): Finding | null {
  if (!timestamp) return { verdict: 'timestamp_missing', message: say('timestamp_missing', { header: TIMESTAMP }) };
  if (!signature) return { verdict: 'signature_missing', message: say('signature_missing', { header: SIGNATURE }) };
  if (!/^\d{1,12}$/.test(timestamp)) return finding('timestamp_malformed');
  if (/^[0-9a-f]{64}$/i.test(signature)) return null;
  return { verdict: 'signature_malformed', message: say('signature_malformed', { header: SIGNATURE }) };
}

function matchSecret(
  { timestamp, signature }: Parsed,
  body: string,
  secrets: readonly KnownSecret[],
): KnownSecret | null {
  return secrets.find(({ secret }) => isSame(sign(secret, timestamp, body), signature)) ?? null;
}

function alteredBody(parsed: Parsed, { pasted, secrets, delivery }: SignatureCheckFacts): Finding | null {
  const matches = (body: string): boolean => matchSecret(parsed, body, secrets) !== null;
  if (whitespaceVariants(pasted.body).some(matches)) return finding('body_whitespace');
  const short = compact(pasted.body);
  if (short !== null && matches(short)) return finding('body_reserialized');
  if (delivery?.body == null || !matches(delivery.body)) return null;
  return finding(sameJson(delivery.body, pasted.body) ? 'body_reserialized' : 'body_altered');
}

function alteredTimestamp(parsed: Parsed, body: string, secrets: readonly KnownSecret[]): Finding | null {
  const timestamp = parsed.headers.get('webhook-timestamp');
  if (!timestamp || timestamp === parsed.timestamp || !matchSecret({ ...parsed, timestamp }, body, secrets))
    return null;
  return { verdict: 'timestamp_altered', message: say('timestamp_altered', { timestamp }) };
}

function judge(parsed: Parsed, facts: SignatureCheckFacts): Finding {
  const { pasted, secrets } = facts;
  const matched = matchSecret(parsed, pasted.body, secrets)?.name;
  if (matched) return { ...MADE_WITH[matched], message: say(`secret.${matched}`), matched_secret: matched };
  const lower = { ...parsed, signature: parsed.signature.toLowerCase() };
  if (lower.signature !== parsed.signature && matchSecret(lower, pasted.body, secrets))
    return finding('signature_uppercase');
  return alteredBody(lower, facts) ?? alteredTimestamp(lower, pasted.body, secrets) ?? finding('no_match');
}

export function checkSignature(facts: SignatureCheckFacts): SignatureCheck {
  const headers = readHeaders(facts.pasted.headers);
  const timestamp = headers.get(TIMESTAMP);
  const signature = headers.get(SIGNATURE);
  const shape = shapeProblem({ ...(timestamp && { timestamp }), ...(signature && { signature }) });
  const found = shape ?? judge({ timestamp: timestamp!, signature: signature!, headers }, facts);
  const age = timestamp && /^\d{1,12}$/.test(timestamp) ? facts.nowSeconds - Number(timestamp) : null;
  const isOld = age !== null && Math.abs(age) > TOLERANCE_SECONDS;
  const isKnown = facts.delivery?.body === facts.pasted.body && age !== null;
  return {
    is_valid: false,
    matched_secret: null,
    ...found,
    message: isOld && found.is_valid ? `${found.message} ${say('old', { seconds: TOLERANCE_SECONDS })}` : found.message,
    age_seconds: age,
    is_old: isOld,
    delivery_id: facts.delivery?.id ?? null,
    expected_signature: isKnown ? sign(facts.secrets[0]!.secret, timestamp!, facts.pasted.body) : null,
  };
}
