import { ENDPOINTS, type Endpoint, exampleBody } from '@coinslot/contract';

interface Group {
  properties: Record<string, { description?: string }>;
}

type CallName = (typeof ENDPOINTS)[keyof typeof ENDPOINTS]['name'];

const BASE_URL = 'base_url';
const KEY = 's2s_key';

/** What a later request needs from the answer to this one: variable ← where it is in the answer. */
const CAPTURED: Partial<Record<CallName, Record<string, string>>> = {
  create_order: { order_id: 'order_id' },
  pay_order: { payment_id: 'payment.payment_id' },
  put_item: { sku: 'sku' },
  create_webhook: { webhook_id: 'id' },
  test_webhook: { delivery_id: 'id' },
};

/** Names of its own, because the run deletes its item and erases its player: a sandbox in use keeps what it has. */
const START: Readonly<Record<string, string>> = { sku: 'postman_gold', player_id: 'postman-player' };

const OWN_ORDER_BODY = {
  ...exampleBody(ENDPOINTS.createOrder),
  player_id: START.player_id,
  items: [{ sku: START.sku, name: '100 gold', quantity: 1 }],
};

const OWN_BODIES: Partial<Record<CallName, object>> = {
  create_order: OWN_ORDER_BODY,
  // The run ends as it began.
  set_chaos: { enabled: false },
  // Observers only, so that the collection also runs where a game has its item endpoint already.
  create_webhook: { events: ['order.*'], url: 'https://game.example.com/observer', description: 'Postman' },
};

/** A new order for this request alone, because that of the others is paid by now. */
const OWN_ORDER: readonly CallName[] = ['cancel_order', 'advance_order'];

/** Requests in an order in which each finds what it needs; the rest follows as the contract lists it. */
const FIRST: readonly CallName[] = [
  'put_item',
  'create_webhook',
  'create_order',
  'get_order',
  'list_orders',
  'pay_order',
  'refund_order',
];
const LAST: readonly CallName[] = ['delete_item', 'delete_webhook'];

function placeOf({ name }: Endpoint): number {
  const call = name as CallName;
  const first = FIRST.indexOf(call);
  if (first >= 0) return first;
  return LAST.includes(call) ? 2_000 + LAST.indexOf(call) : 1_000;
}

const namesOf = (group: object | undefined): [string, string][] =>
  Object.entries((group as Group | undefined)?.properties ?? {}).map(([name, { description = '' }]) => [
    name,
    description,
  ]);

const bodyOf = (call: Endpoint): object | null => OWN_BODIES[call.name as CallName] ?? exampleBody(call);

function requestOf(call: Endpoint): object {
  const body = bodyOf(call);
  const path = call.path.slice(1).replace(/\{(\w+)\}/g, ':$1');
  const optional = namesOf(call.query).map(([key, description]) => ({ key, value: '', description, disabled: true }));
  const headers = namesOf(call.headers).map(([key, description]) => ({ key, value: '', description, disabled: true }));
  return {
    method: call.method,
    description: call.description,
    header: [...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []), ...headers],
    ...(body && {
      body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
    }),
    url: {
      raw: `{{${BASE_URL}}}/${path}`,
      host: [`{{${BASE_URL}}}`],
      path: path.split('/'),
      ...(optional.length > 0 && { query: optional }),
      ...(call.params && {
        variable: namesOf(call.params).map(([key, description]) => ({ key, value: `{{${key}}}`, description })),
      }),
    },
  };
}

/** The WebSocket call tells a plain request what it wants instead. */
const statusOf = ({ response }: Endpoint): number => (response.status === 101 ? 426 : response.status);

function eventsOf(call: Endpoint): object[] {
  const captured = Object.entries(CAPTURED[call.name as CallName] ?? {}).map(
    ([name, path]) => `pm.collectionVariables.set('${name}', pm.response.json().${path});`,
  );
  const status = statusOf(call);
  const test = [`pm.test('status ${status}', () => pm.response.to.have.status(${status}));`, ...captured];
  const script = (listen: string, exec: string[]) => ({ listen, script: { type: 'text/javascript', exec } });
  if (!OWN_ORDER.includes(call.name as CallName)) return [script('test', test)];
  const order = JSON.stringify(JSON.stringify(OWN_ORDER_BODY));
  const before = [
    'pm.sendRequest({',
    `  url: pm.variables.replaceIn('{{${BASE_URL}}}/s2s/v1/orders'),`,
    "  method: 'POST',",
    `  header: { Authorization: pm.variables.replaceIn('Bearer {{${KEY}}}'), 'Content-Type': 'application/json' },`,
    `  body: { mode: 'raw', raw: ${order} },`,
    "}, (error, response) => pm.variables.set('order_id', response.json().order_id));",
  ];
  return [script('prerequest', before), script('test', test)];
}

/** For Postman and what else reads its format, version 2.1. It runs from top to bottom by itself. */
export function postmanCollection(): string {
  const calls = Object.values<Endpoint>(ENDPOINTS);
  const names = new Set(calls.flatMap(call => namesOf(call.params).map(([name]) => name)));
  const inOrder = calls.toSorted((a, b) => placeOf(a) - placeOf(b));
  const collection = {
    info: {
      name: 'Coinslot',
      description:
        'Server-to-server API. Set the variable s2s_key to your sandbox key, which moves no real money, and run it from top to bottom: each request keeps what the next ones need.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: `{{${KEY}}}`, type: 'string' }] },
    variable: [
      { key: BASE_URL, value: 'http://localhost:4242' },
      { key: KEY, value: '' },
      ...[...names].map(key => ({ key, value: START[key] ?? '' })),
    ],
    item: inOrder.map(call => ({
      name: `${call.tag}: ${call.summary}`,
      event: eventsOf(call),
      request: requestOf(call),
    })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}
