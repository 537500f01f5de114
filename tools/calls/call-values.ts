import { ENDPOINTS, type Endpoint, exampleBody } from '@coinslot/contract';

export type CallName = (typeof ENDPOINTS)[keyof typeof ENDPOINTS]['name'];

export const CALLS: readonly Endpoint[] = Object.values<Endpoint>(ENDPOINTS);

/** What stands for a path parameter in every example; the tests put real ones in their place. */
export const PATH_VALUES: Readonly<Record<string, string>> = {
  order_id: 'ord_01kb2m3n4p5q6r7s8t9v0w1x2y',
  payment_id: 'pay_01kb2m3n4p5q6r7s8t9v0w1x2y',
  webhook_id: 'whk_01kb2m3n4p5q6r7s8t9v0w1x2y',
  delivery_id: 'dlv_01kb2m3n4p5q6r7s8t9v0w1x2y',
  sku: 'gold_100',
  player_id: 'player-1',
};

/** Filters worth showing. A list without one here shows how many entries to ask for. */
const QUERIES: Partial<Record<CallName, Record<string, string | number>>> = {
  list_orders: { status: 'paid', limit: 20 },
  list_payments: { player_id: 'player-1', limit: 20 },
  list_deliveries: { status: 'exhausted', limit: 20 },
  list_all_deliveries: { event_type: 'item.add', limit: 20 },
  list_events: { event_type: 'item.add', limit: 20 },
  list_requests: { outcome: 'error', limit: 20 },
};

const has = (group: Endpoint['query'], name: string): boolean => name in (group?.properties ?? {});

/** One call with everything that its example sends. */
export interface ExampleCall {
  call: Endpoint;
  path: string;
  query: Record<string, string | number>;
  body: object | null;
}

export function exampleOf(call: Endpoint): ExampleCall {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => PATH_VALUES[name] ?? name);
  const query = QUERIES[call.name as CallName] ?? (has(call.query, 'limit') ? { limit: 20 } : {});
  return { call, path, query, body: exampleBody(call) };
}

/** The path with the filters. */
export function targetOf({ path, query }: ExampleCall): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path;
}
