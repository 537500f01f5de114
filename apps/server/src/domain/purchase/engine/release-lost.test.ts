import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { startTcpProxy, type TcpProxy } from '@coinslot/testing/tcp-proxy';
import { describe, expect, it, type TestContext } from 'vitest';
import { sql } from '../../../db/sql.ts';

interface Stage {
  shop: TestProgram;
  proxy: TcpProxy;
  game: Game;
  /** Called when the provider has the money and has not said so yet. */
  onAuthorized: { run: () => void };
}

async function start({ onTestFinished }: TestContext): Promise<Stage> {
  let proxy: TcpProxy | undefined;
  const onAuthorized = { run: () => {} };
  const shop = await startProgram({
    async databaseUrlOf(url) {
      proxy = await startTcpProxy(url);
      return proxy.url;
    },
    replace: parts => ({
      ...parts,
      simulator: {
        ...parts.simulator,
        authorize: async request => {
          const charge = await parts.simulator.authorize(request);
          onAuthorized.run();
          return charge;
        },
      },
    }),
  });
  const game = await startGame();
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  onTestFinished(async () => {
    await shop.close();
    await proxy?.close();
    await game.close();
  });
  return { shop, proxy: proxy!, game, onAuthorized };
}

/** Past the proxy. A worker that waits for a lease to end waits for a day. */
const holdForADay = ({ database: { db } }: TestProgram) =>
  Promise.all([
    db.execute(
      sql(
        't_payments',
      )`update payments set next_check_at = app_now() + interval '1 day' where next_check_at is not null`,
    ),
    db.execute(
      sql(
        't_deliveries',
      )`update deliveries set claimed_until = app_now() + interval '1 day' where claim_id is not null`,
    ),
  ]);

const untilPaid = (context: TestContext, shop: TestProgram, orderId: string) =>
  context.expect
    .poll(async () => (await shop.call<{ status: string }>('GET', `/s2s/v1/orders/${orderId}`)).body.status, {
      timeout: 60_000,
      interval: 200,
    })
    .toBe('paid');

// Nearly all of it is waiting, so they wait at the same time, each with a program of its own.
describe.concurrent('a step under which the database falls silent is gone on with when that is back, not when its lease ends (row 175)', () => {
  it('when the provider has the money and its answer could not be recorded', async context => {
    const { shop, proxy, onAuthorized } = await start(context);
    const { order_id, checkout_url } = await shop.createOrder();
    const silent = new Promise<void>(resolve => {
      onAuthorized.run = () => {
        proxy.silenceOpen();
        resolve();
      };
    });
    void shop.pay(checkout_url).catch(() => {});
    await silent;
    await holdForADay(shop);
    await untilPaid(context, shop, order_id);
  }, 90_000);

  it('when the game has granted and its answer could not be recorded', async context => {
    const { shop, proxy, game } = await start(context);
    const { order_id, checkout_url } = await shop.createOrder();
    const silent = new Promise<void>(resolve => {
      game.answer((_request, response) => {
        proxy.silenceOpen();
        response.writeHead(200).end();
        resolve();
      });
    });
    void shop.pay(checkout_url).catch(() => {});
    await silent;
    await holdForADay(shop);
    await untilPaid(context, shop, order_id);
    expect(new Set(game.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  }, 90_000);

  it('when nothing passes for a while, not even to new connections', async context => {
    const { shop, proxy, onAuthorized } = await start(context);
    const { order_id, checkout_url } = await shop.createOrder();
    const silent = new Promise<void>(resolve => {
      onAuthorized.run = () => {
        proxy.blackHole();
        resolve();
      };
    });
    void shop.pay(checkout_url).catch(() => {});
    await silent;
    await holdForADay(shop);
    await new Promise(resolve => setTimeout(resolve, 10_000));
    proxy.restore();
    await untilPaid(context, shop, order_id);
  }, 120_000);
});
