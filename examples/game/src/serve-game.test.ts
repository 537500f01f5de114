import { createCoinslot } from '@coinslot/sdk';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveGame } from './serve-game.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await startProgram();
});
afterAll(() => program.close());

it('the game runs beside the webhook of another game, and leaves it as it was', async () => {
  const key = program.account.sandbox.s2sKey;
  const coinslot = createCoinslot({ key, baseUrl: program.url });
  const events = ['item.add', 'item.remove'] as const;
  const other = await coinslot.webhooks.create({ events: [...events], url: 'http://127.0.0.1:4399/webhook' });
  for (let times = 0; times < 2; times += 1) {
    const game = await serveGame({ s2sKey: key, coinslotUrl: program.url, port: 0 });
    expect((await coinslot.webhooks.get(other.id)).enabled).toBe(false);
    const { order_id } = await coinslot.orders.create({ player_id: 'mika', items: [{ sku: 'crystals_100' }] });
    await coinslot.sandbox.pay(order_id);
    expect(await coinslot.orders.waitFor(order_id, 'paid', { waitMs: 10_000 })).toMatchObject({ status: 'paid' });
    await game.stop();
    expect((await coinslot.webhooks.get(other.id)).enabled).toBe(true);
  }
});
