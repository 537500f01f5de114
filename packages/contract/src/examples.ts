import type { Endpoint } from './endpoint.ts';
import { ERRORS, type ErrorCode } from './errors/errors.ts';

interface Schema {
  title?: string;
  type?: string | readonly string[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  minimum?: number;
}

/** Bodies that look like those of a real game. A call without one gets its required fields. */
const BODIES: Readonly<Record<string, object>> = {
  create_order: {
    player_id: 'player-1',
    items: [{ sku: 'gold_100', name: '100 gold', quantity: 1 }],
    price_decimal: 4.99,
    currency: 'EUR',
    back_to_game_url: 'mygame://paid?order={order_id}',
  },
  pay_order: { card: 'success' },
  advance_order: { seconds: 259_200 },
  refund_order: { reason: 'Bought by mistake' },
  put_item: { name: '100 gold', price_decimal: 4.99, currency: 'EUR' },
  create_webhook: {
    events: ['item.add', 'item.remove'],
    url: 'https://game.example.com/webhook',
    description: 'Game backend',
  },
  patch_webhook: { enabled: true },
  replay_webhook: { since: 1_767_225_600, only_failed: true },
};

/** Example values by field name, for fields whose schema has none. */
const WORDS: Readonly<Record<string, unknown>> = {
  player_id: 'player-1',
  sku: 'gold_100',
  name: '100 gold',
  description: null,
  url: 'https://game.example.com/webhook',
  email: 'player@example.com',
  currency: 'EUR',
  event_type: 'item.add',
  events: ['item.add', 'item.remove'],
  amount: 499,
  price_decimal: 4.99,
  quantity: 1,
  idempotency_key: 'item.add:ord_01kb2m3n4p5q6r7s8t9v0w1x2y',
  checkout_url: 'https://pay.example.com/c/Qm9yZXM-Z3Jvd3Mtb24tdHJlZXM',
  secret: '…wxyz',
  request_id: 'req_01kb2m3n4p5q6r7s8t9v0w1x2y',
  next_cursor: null,
  attention: null,
  problem: null,
  image_url: 'https://game.example.com/gold.png',
  avatar_url: 'https://game.example.com/mika.png',
  full_price_decimal: null,
  discount_decimal: null,
  country: 'DE',
  locale: 'de',
  metadata: {},
  back_to_game_url: 'mygame://paid?order={order_id}',
  back_to_store_url: null,
  refund_reason: null,
  dispute_reason: null,
  response_code: null,
  response_description: null,
  in_review: false,
  refunded_at: null,
  sale: null,
  challenge: null,
  disabled_reason: null,
  previous_secret_until: null,
  method: 'card',
  brand: 'visa',
  last4: '4242',
  expiry_month: 12,
  expiry_year: 2030,
  recipient: 'player@example.com',
  subject: 'Your receipt',
  digest: 'erased_8f14e45fceea167a',
  canceled_orders: 0,
  waiting_deliveries: 0,
  archived_lines: 0,
  test: false,
  last_error: null,
  last_status: 200,
  next_attempt_at: null,
  duration_ms: 38,
  error: null,
  reason: 'Player player-1 bought these items.',
  message: 'This is a test. Nothing was bought.',
};

/** Field values that fit together in one answer, by the name of the schema or of the enclosing field. */
const TOGETHER: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Order: { status: 'paid' },
  OrderRefunded: { status: 'refund_requested' },
  Payment: { status: 'succeeded' },
  payment: { status: 'succeeded' },
  Player: { name: 'Mika' },
  player: { name: 'Mika' },
  Delivery: { status: 'succeeded' },
  DeliveryAttempt: { status: 200 },
  request: { body: '{"event_type":"item.add"}' },
  response: { body: '{"status":"ok"}' },
  RequestRecord: { method: 'POST' },
  mails: { kind: 'receipt' },
  DeliverySummary: { status: 'pending', attempts_made: 0, last_status: null, finished_at: null },
  Webhook: { description: 'Game backend', method: 'POST' },
  WebhookSaved: { description: 'Game backend', method: 'POST' },
};

/** Answers of calls that differ from others with the same schema. */
const ANSWERS: Readonly<Record<string, object>> = {
  cancel_order: { status: 'canceled', payment_id: null, granted_at: null, paid_at: null },
  test_webhook: {
    event_type: 'webhook.test',
    order_id: null,
    test: true,
    idempotency_key: 'test_01kb2m3n4p5q6r7s8t9v',
  },
};

/** Optional fields that an ordinary answer does not have. */
const RARE = new Set(['warnings', 'detail', 'errors', 'payment_blocked']);

const typesOf = ({ type }: Schema): readonly string[] => (type === undefined ? [] : [type].flat());

function fits(value: unknown, schema: Schema): boolean {
  const types = typesOf(schema);
  if (types.length === 0) return true;
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  return types.includes(typeof value);
}

function sample(schema: Schema, name: string, isWhole: boolean): unknown {
  const word = WORDS[name];
  if (word !== undefined && fits(word, schema) && (schema.enum?.includes(word) ?? true)) return word;
  if (schema.const !== undefined) return schema.const;
  if (schema.examples) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const branch = schema.anyOf?.[0] ?? (schema.properties ? undefined : schema.oneOf?.[0]);
  if (branch) return sample(branch, name, isWhole);
  const type = typesOf(schema)[0];
  if (type === 'object') return fieldsOf(schema, isWhole, name);
  if (type === 'array') return [sample(schema.items ?? {}, name, isWhole)];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return type === 'boolean' ? true : name;
}

function fieldsOf(schema: Schema, isWhole: boolean, name = ''): Record<string, unknown> {
  const all = Object.keys(schema.properties ?? {}).filter(field => !RARE.has(field));
  const names = isWhole ? all : (schema.required ?? []);
  const together = TOGETHER[schema.title ?? name] ?? {};
  return Object.fromEntries(
    names.map(field => [
      field,
      field in together ? together[field] : sample(schema.properties?.[field] ?? {}, field, isWhole),
    ]),
  );
}

/** A body that the call accepts, or null if it takes none. */
export function exampleBody(call: Endpoint): object | null {
  if (!call.body) return null;
  return BODIES[call.name] ?? fieldsOf(call.body, false);
}

/** An answer of the call, or null if it has no body. */
export function exampleAnswer({ name, response }: Endpoint): unknown {
  if (!response.schema) return null;
  const answer = sample(response.schema, '', true);
  return name in ANSWERS ? { ...(answer as object), ...ANSWERS[name] } : answer;
}

/** A body of a webhook with this schema. */
export const exampleEvent = (schema: object): unknown => sample(schema, '', true);

/** What an error with this code looks like. */
export function exampleProblem(code: ErrorCode): object {
  const { title, status } = ERRORS[code];
  const errors = [{ pointer: '/items/0/sku', code: 'required', message: 'The field is missing.' }];
  return {
    type: `https://pay.example.com/docs/reference/errors#${code}`,
    title,
    status,
    code,
    request_id: WORDS.request_id,
    ...(code === 'validation_failed' && { errors }),
  };
}
