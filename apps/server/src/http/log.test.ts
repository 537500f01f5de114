import { describe, expect, it } from 'vitest';
import { createLogger, idsOf } from './log.ts';

function written(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger('trace', { write: line => void lines.push(line) }));
  return lines.join('');
}

const KEY = `sk_live_${'k'.repeat(40)}`;
const TOKEN = 't'.repeat(64);

describe('a log line (row 74)', () => {
  it.each([
    'authorization',
    'cookie',
    'set-cookie',
    'secret',
    'clientSecret',
    's2s_key',
    'x-service-signature',
    'password',
  ])('never holds the value of %s, however deep', name => {
    const line = written(logger => {
      logger.info({ [name]: 'hidden' }, 'a');
      logger.info({ req: { headers: { [name]: 'hidden' } } }, 'b');
      logger.info({ a: [{ b: { c: { d: { [name]: ['hidden'] } } } }] }, 'c');
    });
    expect(line).not.toContain('hidden');
    expect(line.match(/\[redacted\]/g)).toHaveLength(3);
  });

  it('fits on a screen, whatever the words of an error hold', () => {
    const error = Object.assign(new Error('x'.repeat(1_000_000)), {
      tried: Array.from({ length: 5_000 }, () => 'host'),
    });
    const line = written(logger => logger.error({ err: error }, 'y'.repeat(1_000_000)));
    expect(line.length).toBeLessThan(4_000);
    expect(line).toContain('… (1000000 characters)');
  });

  it('has no secret in the words of an error, its cause or its fields', () => {
    const cause = Object.assign(new Error(`Bearer ${KEY}`), { config: { headers: { authorization: 'hidden' } } });
    const error = new Error(`could not reach postgresql://app:hidden@db/shop for /c/${TOKEN}`, { cause });
    const line = written(logger => {
      logger.error({ err: error }, 'failed');
      logger.error({ err: error });
      logger.error(error);
      logger.error(`again: ${error.message}`);
    });
    for (const secret of ['hidden', KEY, TOKEN]) expect(line).not.toContain(secret);
    expect(line).toContain('could not reach postgresql://app:');
  });

  it.each(['4242 4242 4242 4242', '4242424242424242', '3700-000000-00002'])('hides the card number %s', number => {
    expect(written(logger => logger.info({ note: `paid with ${number}` }))).not.toContain(number);
  });

  it('keeps what is needed to find a request, an order or a delivery', () => {
    const about = {
      request_id: 'req_1',
      order_id: 'ord_1',
      idempotency_key: 'evt_1',
      status: 500,
      at: 1_700_000_000_000,
    };
    expect(JSON.parse(written(logger => logger.info(about, 'x')))).toMatchObject(about);
  });
});

it('the ids of a row are named by what they are', () => {
  expect(idsOf({ id: 'dlv_1', orderId: 'ord_1', environmentId: 'env_1', body: 'no' })).toEqual({
    delivery_id: 'dlv_1',
    order_id: 'ord_1',
    environment_id: 'env_1',
  });
  expect(idsOf(null)).toEqual({});
});
