/** What a bundler makes of the package, and that it runs where there is nothing but the web's own globals. */
import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const ENTRY = fileURLToPath(new URL('./index.ts', import.meta.url));
const RESOLVE = fileURLToPath(new URL('.', import.meta.url));

async function bundle(source: string): Promise<string> {
  const result = await build({
    stdin: { contents: source.replaceAll('@coinslot/sdk', ENTRY), resolveDir: RESOLVE, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    globalName: 'bundled',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
  });
  expect(result.warnings).toEqual([]);
  return result.outputFiles[0]!.text;
}

describe('over the wire', () => {
  it('verification alone has at most 3 KB, and nothing of the client', async () => {
    const code = await bundle(`export { verifyWebhook } from '@coinslot/sdk'`);
    expect(gzipSync(code).length).toBeLessThanOrEqual(3 * 1024);
    expect(code).not.toMatch(/s2s\/v1|Bearer|insert into/);
  });

  it('the client has nothing of the webhook side', async () => {
    const code = await bundle(`export { createCoinslot } from '@coinslot/sdk'`);
    expect(code).not.toMatch(/HMAC|insert into/);
    expect(gzipSync(code).length).toBeLessThanOrEqual(8.25 * 1024);
  });
});

/** Neither `process`, nor `Buffer`, nor `require`: what an edge worker has. */
const EDGE_GLOBALS = [
  'AbortController',
  'AbortSignal',
  'Headers',
  'Request',
  'Response',
  'ReadableStream',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'clearTimeout',
  'console',
  'crypto',
  'setTimeout',
] as const;

function edge(fetched: typeof fetch) {
  const globals = Object.fromEntries(EDGE_GLOBALS.map(name => [name, globalThis[name]]));
  return createContext({ ...globals, fetch: fetched });
}

it('runs with web globals only', async () => {
  const asked: string[] = [];
  const context = edge(async (input, init) => {
    asked.push(
      `${init?.method} ${typeof input === 'string' ? input : '?'} ${new Headers(init?.headers).get('authorization')}`,
    );
    return Response.json({ order_id: 'ord_1' }, { status: 201 });
  });
  runInContext(await bundle(`export * from '@coinslot/sdk'`), context);
  const made: unknown = await runInContext(
    `bundled.createCoinslot({ key: 'k', baseUrl: 'https://pay.example' }).orders.create({ player_id: 'p', items: [{ sku: 's' }] })`,
    context,
  );
  expect(made).toEqual({ order_id: 'ord_1' });
  expect(asked).toEqual(['POST https://pay.example/s2s/v1/orders Bearer k']);

  const body = '{"event_type":"item.add","idempotency_key":"k1","event_data":{"player_id":"Zoë","items":[]}}';
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', 'a signing secret').update(`${timestamp}.${body}`).digest('hex');
  const headers = { 'x-service-signature-timestamp': timestamp, 'x-service-signature': signature };
  Object.assign(context, { request: new Request('https://game.example', { method: 'POST', body, headers }) });
  const answer = (await runInContext(
    `var granted = []; bundled.createWebhookHandler({ secret: 'a signing secret', store: bundled.memoryStore(), onItemRemove() {}, onItemAdd(event) { granted.push(event.event_data.player_id) } })(request)`,
    context,
  )) as Response;
  expect([answer.status, await answer.json(), runInContext('granted.join()', context)]).toEqual([
    200,
    { status: 'ok' },
    'Zoë',
  ]);
});
