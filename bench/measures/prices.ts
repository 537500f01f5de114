import type { BenchServer, Lab } from '../lab.ts';
import type { Plan } from '../plan.ts';
import type { OrderLoad, OrderLoadResult } from '../programs/order-load.ts';
import type { Result } from '../result.ts';
import { median, medianRatio } from '../statistics.ts';

const CONNECTIONS = 128;
const PRICES = { crystals_500: 4.99, season_pass: 5 };

async function putItem(server: BenchServer, sku: string, price: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/s2s/v1/items/${sku}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${server.account.sandboxKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ price_decimal: price, currency: 'USD' }),
  });
  if (!answer.ok) throw new Error(`the item was not made: ${answer.status} ${await answer.text()}`);
}

/** Creation of orders that the catalog prices, to creation with the price in the body. */
export async function measurePrices(lab: Lab, server: BenchServer, plan: Plan): Promise<Result[]> {
  for (const [sku, price] of Object.entries(PRICES)) await putItem(server, sku, price);
  const orderLoad = await lab.startProgram('order-load');
  const rate = async (byCatalog: boolean, ms: number): Promise<number> => {
    const { port, account } = server;
    const load: OrderLoad = {
      port,
      key: account.sandboxKey,
      connections: CONNECTIONS,
      players: plan.players,
      ms,
      byCatalog,
    };
    return (await orderLoad.ask<OrderLoadResult>(load)).perSecond;
  };
  await rate(true, plan.warmUpMs);
  const byCatalog: number[] = [];
  const byBody: number[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    byBody.push(await rate(false, plan.roundMs));
    byCatalog.push(await rate(true, plan.roundMs));
  }
  await orderLoad.stop();
  return [
    {
      what: `creation priced by the catalog to creation with the price, ${CONNECTIONS} connections`,
      measured: `${Math.round(median(byCatalog))}/s to ${Math.round(median(byBody))}/s`,
      value: medianRatio(byCatalog, byBody),
      unit: '×',
      target: { atLeast: 0.85 },
    },
  ];
}
