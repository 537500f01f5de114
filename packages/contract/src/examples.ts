import type { Endpoint } from './endpoint.ts';
import { ERRORS, type ErrorCode } from './errors.ts';

interface Schema {
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

/** Bodies that read like a real game's. A call without one here gets its required fields. */
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

/** What a field of this name holds in an example, where its schema does not say. */
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
};

/** Left out of answers: they are there only when there is something to say. */
const RARE = new Set(['warnings', 'detail', 'errors']);

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
  if (type === 'object') return fieldsOf(schema, isWhole);
  if (type === 'array') return [sample(schema.items ?? {}, name, isWhole)];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return type === 'boolean' ? true : name;
}

function fieldsOf(schema: Schema, isWhole: boolean): Record<string, unknown> {
  const all = Object.keys(schema.properties ?? {}).filter(name => !RARE.has(name));
  const names = isWhole ? all : (schema.required ?? []);
  return Object.fromEntries(names.map(name => [name, sample(schema.properties?.[name] ?? {}, name, isWhole)]));
}

/** A body that the call would take; null when it takes none. */
export function exampleBody(call: Endpoint): object | null {
  if (!call.body) return null;
  return BODIES[call.name] ?? fieldsOf(call.body, false);
}

/** An answer of the call; null when it has no body. */
export const exampleAnswer = ({ response }: Endpoint): unknown =>
  response.schema ? sample(response.schema, '', true) : null;

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
