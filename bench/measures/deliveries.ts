import { setTimeout as pause } from 'node:timers/promises';
import type { BenchServer, Lab } from '../lab.ts';
import type { Plan } from '../plan.ts';
import type { PostLoop } from '../programs/post-loop.ts';
import type { Result } from '../result.ts';
import { subscribe, unsubscribe, withClient } from '../shop.ts';
import { median, medianRatio } from '../statistics.ts';

/** As many as the program allows one endpoint at once. */
const CONCURRENCY = 64;
const LOOK_MS = 10;
const GIVE_UP_MS = 120_000;

const EVENT_DATA = {
  order_id: 'ord_01k6f0n8e5w9x2y3z4a5b6c7d8',
  status: 'paid',
  player_id: 'player_1',
  items: [
    { sku: 'crystals_500', name: '500 crystals', quantity: 1, price_decimal: 4.99, currency: 'USD' },
    { sku: 'season_pass', name: 'Season pass', quantity: 1, price_decimal: 5, currency: 'USD' },
  ],
  amount: 999,
  currency: 'USD',
  price_decimal: 9.99,
  metadata: { campaign: 'summer', level: '42' },
  payment_id: 'pay_01k6f0n8e5w9x2y3z4a5b6c7d8',
  problem: null,
  created_at: 1_760_000_000,
  expires_at: 1_760_086_400,
  paid_at: 1_760_000_060,
};

/** Events and deliveries as the fan-out leaves them, in this month: one for each of many orders, due now, its bytes made when it is sent. */
const SEED = `
  with bounds as materialized (
    select id_bound('evt', now()) as evt, id_bound('dlv', now()) as dlv, id_bound('ord', now()) as ord
  ), made as (
    select evt || suffix as event_id, dlv || suffix as id, ord || suffix as order_id
    from bounds, generate_series(1, $2::int) n, lpad(($1::bigint + n)::text, 16, '0') suffix
  ), told as (
    insert into events (environment_id, id, type, order_id, data, fan_out, created_at)
    select s.environment_id, event_id, 'payment.pending', order_id, $4::json, false, now()
    from made, webhook_subscriptions s where s.id = $3
  )
  insert into deliveries (environment_id, id, event_id, event_type, order_id, lane, subscription_id, idempotency_key, status,
                          next_attempt_at, created_at)
  select s.environment_id, made.id, event_id, 'payment.pending', order_id, 'observer', s.id, event_id, 'pending', now(), now()
  from made, webhook_subscriptions s where s.id = $3`;

const OPEN = `select count(*)::int as open from (
  select 1 from deliveries where lane = 'observer' and status = 'pending' limit 1) one`;
const WRONG = `select count(*)::int as wrong from deliveries d
  where d.subscription_id = $1 and (d.status <> 'succeeded' or not exists (
    select 1 from delivery_attempts a where a.environment_id = d.environment_id and a.delivery_id = d.id))`;

async function deliver(databaseUrl: string, subscriptionId: string, from: number, count: number): Promise<number> {
  return withClient(databaseUrl, async client => {
    await client.query(SEED, [from, count, subscriptionId, JSON.stringify(EVENT_DATA)]);
    const startedAt = performance.now();
    await client.query(`select pg_notify('coinslot', 'bench deliveries')`);
    for (;;) {
      const { rows } = await client.query<{ open: number }>(OPEN);
      if (rows[0]!.open === 0) break;
      if (performance.now() - startedAt > GIVE_UP_MS) throw new Error('the deliveries did not come to an end');
      await pause(LOOK_MS);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const { rows } = await client.query<{ wrong: number }>(WRONG, [subscriptionId]);
    if (rows[0]!.wrong > 0) throw new Error(`${rows[0]!.wrong} deliveries have no recorded outcome`);
    return count / seconds;
  });
}

/** The same bytes as the program sends, as far as a loop can know them. */
function postLoop(receiverPort: number, count: number): PostLoop {
  const signature = 'a'.repeat(64);
  return {
    origin: `http://127.0.0.1:${receiverPort}`,
    path: '/webhooks',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Coinslot/0.1.0',
      'x-service-signature-timestamp': '1760000000',
      'x-service-signature': signature,
      'webhook-timestamp': '1760000000',
      'webhook-signature': `v1,${signature.slice(0, 44)}`,
      'x-service-delivery-attempt': '1',
    },
    body: JSON.stringify({
      event_id: 'evt_01k6f0n8e5w9x2y3z4a5b6c7d8',
      event_type: 'payment.pending',
      event_time: 1_760_000_060,
      game_id: 'game_01k6f0n8e5w9x2y3z4a5b6c7d8',
      sandbox: false,
      idempotency_key: 'evt_01k6f0n8e5w9x2y3z4a5b6c7d8',
      event_data: EVENT_DATA,
    }),
    concurrency: CONCURRENCY,
    count,
  };
}

/** In the live environment, which nothing else in the bench uses. */
export async function measureDeliveries(lab: Lab, server: BenchServer, plan: Plan): Promise<Result[]> {
  const [receiver, loop] = await Promise.all([lab.startProgram('receiver'), lab.startProgram('post-loop')]);
  const receiverPort = await receiver.ask<number>('port');
  const subscriptionId = await subscribe(server.port, server.account.liveKey, ['payment.*'], receiverPort);
  const bare: number[] = [];
  const durable: number[] = [];
  const count = plan.deliveriesInRound;
  for (let round = 0; round <= plan.rounds; round++) {
    const { perSecond } = await loop.ask<{ perSecond: number }>(postLoop(receiverPort, count));
    const rate = await deliver(server.databaseUrl, subscriptionId, round * count, count);
    // The first round warms up.
    if (round === 0) continue;
    bare.push(perSecond);
    durable.push(rate);
  }
  await unsubscribe(server.port, server.account.liveKey, subscriptionId);
  await Promise.all([receiver.stop(), loop.stop()]);
  return [
    {
      what: `webhook deliveries, recorded, to a bare POST loop, ${CONCURRENCY} at once`,
      measured: `${Math.round(median(durable))}/s to ${Math.round(median(bare))}/s`,
      value: medianRatio(durable, bare),
      unit: '×',
      target: { atLeast: 0.45 },
    },
  ];
}
