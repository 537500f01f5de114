import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { type OtlpReceiver, startOtlpReceiver } from '@coinslot/testing/otlp-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLogExport } from './export-logs.ts';
import { startMetricExport } from './export-metrics.ts';
import { startTracing } from './tracing.ts';

let collector: OtlpReceiver;
let shop: TestProgram;
let game: Game;
let orderId: string;
let token: string;
let scraped: string;

/** One purchase, one failure with secrets in it; then the program stops and sends what it has. */
beforeAll(async () => {
  collector = await startOtlpReceiver();
  const warnings: string[] = [];
  const options = {
    endpoint: collector.url,
    serviceName: 'coinslot-worker',
    version: '0.0.0-test',
    warn: (message: string) => void warnings.push(message),
  };
  const tracing = await startTracing(options);
  const logExport = await startLogExport(options);
  const metricExport = await startMetricExport({ ...options, everyMs: 3_600_000 });
  shop = await startProgram({ tracing, logExport, metricExport, env: { LOG_LEVEL: 'debug' } });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add'] });
  const made = await shop.createOrder();
  orderId = made.order_id;
  token = new URL(made.checkout_url).pathname;
  await shop.pay(made.checkout_url);
  await shop.until(orderId, 'paid');
  const { onError } = shop.program.parts;
  const failure = new Error(`no answer from postgresql://me:hunter2@db/shop for ${shop.account.sandbox.s2sKey}`);
  await tracing.trace('a test', {}, async () => onError(failure, 'test', { id: orderId }));
  scraped = await (await fetch(`${shop.url}/metrics`)).text();
  await shop.close();
  expect(warnings).toEqual([]);
});

afterAll(async () => {
  await game?.close();
  await collector?.close();
});

describe('metrics that are sent', () => {
  it('are those of /metrics, under the same names, and say which process they are of', () => {
    const sent = new Set(collector.metrics().map(({ name }) => name));
    const shown = [...scraped.matchAll(/^# TYPE (coinslot_\S+)/gm)].map(([, name = '']) => name);
    const withValues = shown.filter(name => new RegExp(`^${name}(?:_count)?[{ ]`, 'm').test(scraped));
    expect(withValues.length).toBeGreaterThan(15);
    expect(withValues.filter(name => !sent.has(name))).toEqual([]);
    expect(new Set(collector.metrics().map(point => point.service))).toEqual(new Set(['coinslot-worker']));
    expect(collector.metrics()[0]!.instance).toMatch(new RegExp(`-${process.pid}$`));
  });

  it('count in histograms what lies between two bounds, in counters all since the start', () => {
    const request = collector
      .metrics()
      .find(
        ({ name, attributes }) =>
          name === 'coinslot_http_request_duration_seconds' && attributes.route === '/c/:token/pay',
      )!;
    expect(request).toMatchObject({ kind: 'histogram', unit: 's', value: 1 });
    expect(request.counts).toHaveLength(request.bounds.length + 1);
    expect(request.counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    const failures = collector
      .metrics()
      .find(({ name, attributes }) => name === 'coinslot_background_failures_total' && attributes.source === 'test');
    expect(failures).toMatchObject({ kind: 'sum', value: 1 });
    const build = collector.metrics().find(({ name }) => name === 'coinslot_build_info');
    expect(build).toMatchObject({ kind: 'gauge', value: 1, attributes: { version: '0.0.0-test' } });
  });
});

describe('logs that are sent', () => {
  it('have the level, the ids and the trace in which they were written', () => {
    const line = collector.logs().find(({ attributes }) => attributes.source === 'test')!;
    expect(line).toMatchObject({
      severityText: 'ERROR',
      severityNumber: 17,
      body: 'work failed',
      service: 'coinslot-worker',
    });
    expect(line.attributes).toMatchObject({ order_id: orderId, 'exception.type': 'Error' });
    expect(line.traceId).toBe(collector.spans().find(({ name }) => name === 'a test')!.traceId);
    const answered = collector.logs().filter(({ body }) => body === 'answered');
    expect(answered.map(({ attributes }) => attributes.route)).toContain('/s2s/v1/orders');
    expect(answered[0]).toMatchObject({ severityText: 'DEBUG', severityNumber: 5 });
  });

  it('never say a token, a key, a password or a card, and neither do metrics', () => {
    expect(collector.logs().length).toBeGreaterThan(3);
    const text = JSON.stringify([collector.logs(), collector.metrics()]);
    for (const secret of [token.slice(3), shop.account.sandbox.s2sKey, 'hunter2', '4242424242424242', '4242 4242'])
      expect(text).not.toContain(secret);
  });
});

describe('a collector that is away', () => {
  it('holds nothing up, and is warned about', async () => {
    const warnings: string[] = [];
    const options = {
      endpoint: 'http://127.0.0.1:9',
      serviceName: 'x',
      version: '0',
      warn: (text: string) => void warnings.push(text),
    };
    const logs = await startLogExport(options);
    logs.write(JSON.stringify({ level: 30, time: 0, msg: 'a line' }));
    await logs.stop();
    expect(warnings.splice(0).join()).toContain('ECONNREFUSED');
    const metrics = await startMetricExport({ ...options, everyMs: 3_600_000 });
    await metrics.stop();
    expect(warnings.join()).toContain('ECONNREFUSED');
  });
});
