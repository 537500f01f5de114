/** Every header and every field at its greatest length. The engine counts how often any code ran, so that a slow machine changes nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { dashboardEndpoints, ENDPOINTS, type HttpCall, LIMITS } from '@coinslot/contract';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonValue, ParsedJson } from './strict-json.ts';
import { bodyCheck, textCheck } from './validate.ts';

/** All headers of a request together have 16 KiB. */
const HEADER_CHARS = 15_000;
const UNITS = [' ', ',', 'a;', '"', '%2', 'x=y; '];

const HEADERS = `accept accept-encoding accept-language authorization content-type cookie forwarded origin if-none-match
  idempotency-key range referer sec-fetch-site traceparent user-agent x-csrf-token x-forwarded-for x-forwarded-host stripe-signature
  paypal-auth-algo paypal-cert-url paypal-transmission-id paypal-transmission-sig paypal-transmission-time`.split(
  /\s+/,
);

/** A client cannot make these long: the connection itself is built by them. */
const OF_THE_CONNECTION = `content-encoding content-length transfer-encoding upgrade sec-websocket-key sec-websocket-version`;

/** Of answers that others give, and of what the program sends itself. */
const NOT_RECEIVED = 'date retry-after webhook-id webhook-signature x-service-delivery-attempt';

const session = new Session();

async function countWork(work: () => unknown): Promise<number> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ranges = result.flatMap(script => script.functions.flatMap(entry => entry.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

beforeAll(async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
});

afterAll(() => session.disconnect());

describe('a header of the greatest length costs work in proportion to it (row 129)', () => {
  let shop: TestProgram;
  let routes: { method: string; url: string; type: string }[];

  beforeAll(async () => {
    shop = await startProgram({ workers: false });
    const order = await shop.createOrder();
    const page = new URL(order.checkout_url).pathname;
    const json = 'application/json';
    routes = [
      { method: 'POST', url: '/s2s/v1/orders', type: json },
      { method: 'GET', url: '/dashboard/api/session', type: json },
      { method: 'GET', url: page, type: json },
      { method: 'POST', url: `${page}/pay`, type: 'application/x-www-form-urlencoded' },
      { method: 'POST', url: '/gateways/stripe', type: json },
      { method: 'POST', url: '/gateways/paypal', type: json },
      { method: 'POST', url: '/gateways/mollie', type: json },
    ];
  });

  afterAll(() => shop?.close());

  const ask = async (name: string, value: string): Promise<void> => {
    for (const { method, url, type } of routes) {
      const headers = { authorization: `Bearer ${shop.account.sandbox.s2sKey}`, 'content-type': type, [name]: value };
      const init = { method, headers, ...(method === 'POST' && { body: '{}' }), redirect: 'manual' } as const;
      const answer = await fetch(shop.url + url, init);
      await answer.text();
      expect(answer.status, `${method} ${url}`).toBeLessThan(500);
    }
  };

  it.each(HEADERS)('%s', async name => {
    await ask(name, 'x');
    const plain = await countWork(() => ask(name, 'x'));
    const texts = UNITS.map(unit => `a${unit.repeat(HEADER_CHARS / unit.length)}`.slice(0, HEADER_CHARS));
    const work = await countWork(async () => {
      for (const text of texts) await ask(name, `${text}x`);
    });
    // A few steps for each character and route, beside what a short header costs.
    expect(work).toBeLessThan(texts.length * (2 * plain + 4 * routes.length * HEADER_CHARS));
  });
});

it('every header that the program reads is among them', () => {
  const folder = join(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    path => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('.d.ts'),
  );
  const reads =
    /headers\??\.?\['([a-z-]+)'\](?!\s*=[^=])|\bheaders\.(authorization|cookie|accept|upgrade|date)\b|headerOf\(request, '([a-z-]+)'/g;
  const found = files.flatMap(path =>
    [...readFileSync(join(folder, path), 'utf8').matchAll(reads)].map(([, one, two, three]) => one ?? two ?? three!),
  );
  expect(found.length).toBeGreaterThan(20);
  const known = [...HEADERS, ...OF_THE_CONNECTION.split(' '), ...NOT_RECEIVED.split(' ')];
  expect([...new Set(found)].filter(name => !known.includes(name))).toEqual([]);
});

describe('a field of the greatest length costs work in proportion to it (row 129)', () => {
  type Shape = { type?: unknown; properties?: Record<string, Shape>; items?: Shape; maxLength?: number };
  const textOf = ({ maxLength = LIMITS.bodyBytes }: Shape, unit: string): string =>
    unit.repeat(Math.ceil(maxLength / unit.length)).slice(0, maxLength);

  /** Everything that is a text is as long as it may be. */
  function filled(shape: Shape, unit: string): JsonValue {
    if (shape.properties)
      return Object.fromEntries(Object.entries(shape.properties).map(([name, inner]) => [name, filled(inner, unit)]));
    if (shape.items) return [filled(shape.items, unit)];
    return textOf(shape, unit);
  }

  const queryCheck = (query: NonNullable<HttpCall['query']>) => {
    const check = textCheck(query);
    return ({ value }: ParsedJson) => check(value as Record<string, unknown>);
  };

  const calls = Object.entries<HttpCall>({ ...ENDPOINTS, ...dashboardEndpoints });

  it.each(calls.filter(([, { body, query }]) => body ?? query))('%s', async (_name, { body, query }) => {
    const checks = [body && bodyCheck(body), query && queryCheck(query)];
    let chars = 0;
    const values = [' ', 'a', '@a.', '-1:', 'http://', '📎'].flatMap(unit =>
      [body, query].map(shape => shape && filled(shape as Shape, unit)),
    );
    const work = () => {
      for (const [at, value] of values.entries()) {
        if (value === undefined) continue;
        chars += JSON.stringify(value).length;
        checks[at % 2]!({ value, inexact: false });
      }
    };
    work();
    chars = 0;
    expect(await countWork(work)).toBeLessThan(100_000 + 6 * chars);
  });
});

it('sees the work of comparing each character with each other', async () => {
  const chars = Array.from({ length: HEADER_CHARS / 3 }, () => 'x');
  const work = await countWork(() => chars.filter(one => chars.every(other => other === one)).length);
  expect(work).toBeGreaterThan(UNITS.length * 4 * 8 * HEADER_CHARS);
});
