import { createHmac } from 'node:crypto';
import { startGame } from '@coinslot/testing/game-receiver';
import { type Laptop, openLaptop, type RequestFrame } from '@coinslot/testing/laptop';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let shop: TestProgram;
let key: string;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  shop = await startProgram();
  key = shop.account.sandbox.s2sKey;
});
afterAll(() => shop?.close());
afterEach(async () => {
  for (const part of open.splice(0)) await part.close();
});

async function laptop(): Promise<Laptop> {
  const opened = await openLaptop(shop.url, key);
  open.push(opened);
  return opened;
}

/** A registered endpoint for items; answers with its id. */
async function endpoint(more: object = {}): Promise<string> {
  const game = await startGame({ secret: key });
  const body = { url: game.url, events: ['item.add', 'item.remove'], ...more };
  const made = await shop.call<{ id: string }>('POST', '/s2s/v1/webhooks', body);
  expect(made.status).toBe(201);
  open.push({
    async close() {
      await shop.call('DELETE', `/s2s/v1/webhooks/${made.body.id}`);
      await game.close();
    },
  });
  return made.body.id;
}

async function buyAndPay(): Promise<void> {
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  await shop.until(order.order_id, 'paid');
}

const signatureOf = ({ headers, body }: RequestFrame, secret: string): string =>
  createHmac('sha256', secret).update(`${headers['x-service-signature-timestamp']}.${body}`).digest('hex');

describe('a listener', () => {
  it('signs with the secret of the registered endpoint, so that the same receiver understands both', async () => {
    const webhook_id = await endpoint({ secret: 'a secret of its own' });
    const mine = await laptop();
    expect(mine.hello).toMatchObject({ signed_with: 'webhook', webhook_id });
    await buyAndPay();
    const [request] = mine.requests;
    expect(request!.headers['x-service-signature']).toBe(signatureOf(request!, 'a secret of its own'));
  });

  it('that is the second borrows from the registered endpoint too, not from the first', async () => {
    const webhook_id = await endpoint({ secret: 'a secret of its own' });
    await laptop();
    const second = await laptop();
    expect(second.hello).toMatchObject({ signed_with: 'webhook', webhook_id });
    await buyAndPay();
    const [request] = second.requests;
    expect(request!.headers['x-service-signature']).toBe(signatureOf(request!, 'a secret of its own'));
  });

  it('signs with a secret that is rotated meanwhile, and with the former one beside it', async () => {
    const id = await endpoint();
    const mine = await laptop();
    const rotate = async (): Promise<string> =>
      (await shop.call<{ secret: string }>('POST', `/s2s/v1/webhooks/${id}/rotate_secret`, {})).body.secret;
    const expectNextSignedWith = async (secret: string, former: string): Promise<void> => {
      await buyAndPay();
      const request = mine.requests.at(-1)!;
      expect(request.headers).toMatchObject({
        'x-service-signature': signatureOf(request, secret),
        'x-service-signature-previous': signatureOf(request, former),
      });
    };
    const first = await rotate();
    await expectNextSignedWith(first, key);
    await expectNextSignedWith(await rotate(), first);
    expect(mine.requests).toHaveLength(2);
    expect(mine.socket.readyState).toBe(mine.socket.OPEN);
  });

  it('keeps its secret when another endpoint than that for items gets a new one', async () => {
    await endpoint();
    const observer = await endpoint({ events: ['order.paid'] });
    const mine = await laptop();
    await shop.call('POST', `/s2s/v1/webhooks/${observer}/rotate_secret`, {});
    await buyAndPay();
    const [request] = mine.requests;
    expect(request!.headers['x-service-signature']).toBe(signatureOf(request!, key));
  });
});

it('an attempt through a listener counts as a delivery in the metrics', async () => {
  const count = async (): Promise<number> => {
    const text = await (await fetch(`${shop.url}/metrics`)).text();
    const series = /^coinslot_webhook_delivery_duration_seconds_count\{outcome="succeeded"\} (\d+)$/m;
    return Number(series.exec(text)?.[1] ?? 0);
  };
  await laptop();
  const before = await count();
  await buyAndPay();
  // The metrics are made once a second.
  await expect.poll(count).toBe(before + 1);
});
