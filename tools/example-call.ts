import type { Endpoint } from '@coinslot/contract';

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  enum?: unknown[];
  default?: unknown;
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

const WORDS: Readonly<Record<string, unknown>> = {
  player_id: 'player-1',
  sku: 'gold_100',
  url: 'https://game.example.com/webhook',
  email: 'player@example.com',
  currency: 'EUR',
  event_type: 'item.add',
};

function sample(schema: Schema, name: string): unknown {
  if (name in WORDS) return WORDS[name];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const type = [schema.type].flat()[0];
  if (type === 'object') return requiredOf(schema);
  if (type === 'array') return [sample(schema.items ?? {}, name)];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return type === 'boolean' ? true : name;
}

function requiredOf(schema: Schema): Record<string, unknown> {
  const names = schema.required ?? [];
  return Object.fromEntries(names.map(name => [name, sample(schema.properties?.[name] ?? {}, name)]));
}

/** A body that the call would take; null when it takes none. */
export function exampleBody(call: Endpoint): object | null {
  if (!call.body) return null;
  return BODIES[call.name] ?? requiredOf(call.body);
}

const sameInShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The call as a shell command, with `$order_id` and the like for what the caller knows. */
export function exampleCommand(call: Endpoint): string {
  const body = exampleBody(call);
  const url = `http://localhost:4242${call.path.replace(/\{(\w+)\}/g, '$$$1')}`;
  const method = call.method === 'GET' || (call.method === 'POST' && body) ? '' : `-X ${call.method} `;
  const quoted = url.includes('$') ? `"${url}"` : url;
  const lines = [`curl -sS ${method}${quoted}`, '  -H "Authorization: Bearer $S2S_KEY"'];
  if (body) lines[1] += " -H 'Content-Type: application/json'";
  if (body) lines.push(`  -d ${sameInShell(JSON.stringify(body))}`);
  return lines.join(' \\\n');
}
