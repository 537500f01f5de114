/** The examples of the call pages, as they are written there, with what they need in a running program. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Endpoint } from '@coinslot/contract';
import { fileOfCall } from '../../../tools/calls/call-page.ts';
import { CALLS, exampleOf, PATH_VALUES, targetOf } from '../../../tools/calls/call-values.ts';

const PAGES = new URL('../../../docs/reference/calls/', import.meta.url);

/** At last the game's webhook is deleted and that of the page made, which is not there: a payment would wait for it. */
const LAST = ['delete_webhook', 'create_webhook'];
export const tried = CALLS.filter(({ name }) => name !== 'listen').toSorted(
  (one, other) => LAST.indexOf(one.name) - LAST.indexOf(other.name),
);

/** The page's block of this language. */
export function written(call: Endpoint, language: string): string {
  const page = readFileSync(new URL(fileOfCall(call), PAGES), 'utf8');
  const [, code = ''] = new RegExp(`^\`\`\`\\w+ tab=${language}(?: [^\\n]*)?\\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
  return code;
}

interface Seen {
  method: string;
  target: string;
  body: unknown;
  status: number;
}

/** An example with the ids and the address of this test in place of those on the page. */
export interface Example {
  name: string;
  code: string;
  expected: Seen;
}

export interface CallTrial {
  examplesIn(language: string): Promise<Example[]>;
  /** What passed so far. */
  seen: readonly Seen[];
  close(): void;
}

interface Ids {
  order_id: string;
  payment_id: string;
  status: string;
  id: string;
}

type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

function caller(program: string, key: string): Call {
  return async <T>(method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(program + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  };
}

/** Each call gets things of its own, but for the one webhook. */
async function idsFor(
  call: Call,
  { name, path }: Endpoint,
  language: string,
  webhook_id: string,
): Promise<Record<string, string>> {
  const tag = `${name}-${language}`;
  const post = (to: string, body?: object): Promise<Ids> => call<Ids>('POST', `/s2s/v1/${to}`, body);
  if (path.includes('{webhook_id}')) return { webhook_id };
  if (path.includes('{delivery_id}')) return { delivery_id: (await post(`webhooks/${webhook_id}/test`)).id };
  if (path.includes('{sku}')) {
    await call('PUT', `/s2s/v1/items/${tag}`, { name: 'Gold' });
    return { sku: tag };
  }
  if (!/\{(?:order|payment|player)_id\}/.test(path)) return {};
  const order = { player_id: tag, items: [{ sku: 'gold_100' }], price_decimal: 4.99, currency: 'EUR' };
  const { order_id } = await post('orders', order);
  if (name !== 'refund_order' && name !== 'get_payment') return { order_id, player_id: tag };
  await post(`orders/${order_id}/pay`, { card: 'success' });
  // A busy machine may take longer than the call waits.
  for (let tries = 0; tries < 20; tries += 1) {
    const { status, payment_id } = await call<Ids>('GET', `/s2s/v1/orders/${order_id}?wait=5`);
    if (status === 'paid') return { order_id, payment_id };
  }
  throw new Error(`${order_id} was not paid`);
}

function exampleWith(one: Endpoint, language: string, ids: Record<string, string>, url: string): Example {
  const real = (page: string): string =>
    Object.entries(ids).reduce((all, [name, id]) => all.replaceAll(PATH_VALUES[name]!, id), page);
  const example = exampleOf(one);
  const path = real(example.path);
  const onPage = written(one, language).replaceAll('http://localhost:4242', url);
  // Where the path is written out only it changes: a body may hold the same words.
  const code = onPage.includes(example.path) ? onPage.replaceAll(example.path, path) : real(onPage);
  const { method, response } = one;
  const target = targetOf({ ...example, path });
  return { name: one.name, code, expected: { method, target, body: example.body, status: response.status } };
}

/** Where the game is: it grants everything. */
const GAME = '/game';

/** Stands between the examples and the program, writes down what passes, and is the game too. */
async function passOn(
  program: string,
  seen: Seen[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(request);
  const { method = '', url: target = '', headers } = request;
  if (target === GAME) return void response.end('{}');
  const sent = new Headers({ authorization: String(headers.authorization) });
  for (const name of ['content-type', 'idempotency-key'])
    if (headers[name] !== undefined) sent.set(name, String(headers[name]));
  const answer = await fetch(program + target, { method, headers: sent, ...(body && { body }) });
  seen.push({ method, target, body: body ? JSON.parse(body) : null, status: answer.status });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
  response.end(await answer.text());
}

export async function startCallTrial(program: string, key: string): Promise<CallTrial> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => void passOn(program, seen, request, response)).listen(
    0,
    '127.0.0.1',
  );
  await new Promise(ready => server.once('listening', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = caller(program, key);
  return {
    async examplesIn(language) {
      const webhook = { events: ['item.add', 'item.remove'], url: url + GAME };
      const { id } = await call<Ids>('POST', '/s2s/v1/webhooks', webhook);
      const examples: Example[] = [];
      for (const one of tried) examples.push(exampleWith(one, language, await idsFor(call, one, language, id), url));
      return examples;
    },
    seen,
    close: () => server.close(),
  };
}
