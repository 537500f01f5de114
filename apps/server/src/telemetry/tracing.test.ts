import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '@coinslot/testing/otlp-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTracing } from './tracing.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

let collector: OtlpReceiver;
let shop: TestProgram;
let game: Game;
let spans: ReceivedSpan[];
let orderId: string;
let token: string;

/** One purchase by a caller that traces, one delivery by a worker; then the program stops and sends what it has. */
beforeAll(async () => {
  collector = await startOtlpReceiver();
  const warnings: string[] = [];
  const tracing = await startTracing({
    endpoint: collector.url,
    serviceName: 'coinslot',
    version: '0.0.0-test',
    warn: message => warnings.push(message),
  });
  shop = await startProgram({ tracing, workers: false });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  const traceparent = `00-${TRACE}-${CALLER}-01`;
  const body = { player_id: 'player_1', items: [{ sku: 'crystals' }] };
  const made = await shop.call('POST', '/s2s/v1/orders', body, { headers: { traceparent } });
  orderId = String(made.body.order_id);
  token = new URL(String(made.body.checkout_url)).pathname;
  game.answer({ status: 500 });
  await shop.pay(shop.url + token);
  await shop.later(3);
  await shop.until(orderId, 'paid');
  await shop.call('GET', `/s2s/v1/orders/${orderId}`);
  await shop.close();
  expect(warnings).toEqual([]);
  spans = collector.spans();
});

afterAll(async () => {
  await game?.close();
  await collector?.close();
});

const named = (name: string): ReceivedSpan[] => spans.filter(span => span.name === name);

const parentOf = (span: ReceivedSpan): ReceivedSpan | undefined =>
  spans.find(({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId);

describe('a traced program', () => {
  it('goes on with the trace of its caller', () => {
    const [request] = named('POST /s2s/v1/orders');
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: CALLER, service: 'coinslot' });
    expect(request?.attributes).toMatchObject({ 'http.route': '/s2s/v1/orders', 'http.response.status_code': 201 });
  });

  it('shows the request, its transactions, the provider and the game in one trace', () => {
    const [request] = named('POST /c/:token/pay');
    const [authorize] = named('simulator authorize');
    const [delivery] = named('webhook delivery');
    expect(authorize).toMatchObject({ traceId: request?.traceId });
    expect(authorize?.attributes).toMatchObject({ 'coinslot.order_id': orderId, 'coinslot.outcome': 'authorized' });
    expect(delivery).toMatchObject({ traceId: request?.traceId });
    const inside = named('db transaction').filter(({ traceId }) => traceId === request?.traceId);
    expect(inside.some(span => String(span.attributes['coinslot.statements']).includes('event_insert'))).toBe(true);
  });

  it('begins a trace of its own for what a worker does', () => {
    const [work] = named('deliver items');
    expect(work?.parentSpanId ?? '').toBe('');
    expect(work?.attributes).toMatchObject({ 'coinslot.order_id': orderId });
    const again = named('webhook delivery').find(({ traceId }) => traceId === work?.traceId);
    expect(again && parentOf(again)).toBe(work);
    expect(named('simulator capture')[0]).toMatchObject({ traceId: work?.traceId });
  });

  it('hands its trace to the game, as W3C has it', () => {
    const sent = game.requests.map(({ headers }) => String(headers.traceparent));
    expect(sent).toEqual(named('webhook delivery').map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`));
  });

  it('names the order where there is one', () => {
    expect(named('GET /s2s/v1/orders/:order_id').at(-1)?.attributes).toMatchObject({ 'coinslot.order_id': orderId });
  });

  it('never says a token, a key, a card or a query of the idle loops', () => {
    const text = JSON.stringify(spans);
    for (const secret of [token.slice(3), shop.account.sandbox.s2sKey, '4242424242424242', '4242 4242']) {
      expect(text).not.toContain(secret);
    }
    expect(named('db job_claim')).toEqual([]);
  });
});

describe('a collector that is away', () => {
  it('holds nothing up, and is warned about', async () => {
    const warnings: string[] = [];
    const endpoint = 'http://127.0.0.1:9';
    const tracing = await startTracing({ endpoint, serviceName: 'x', version: '0', warn: text => warnings.push(text) });
    await tracing.trace('work', {}, async () => {});
    await tracing.stop();
    expect(warnings.join()).toContain('ECONNREFUSED');
  });
});
