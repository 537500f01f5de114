import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { cpuMs } from '../cpu-time.ts';
import type { BenchServer, Lab } from '../lab.ts';
import type { Plan } from '../plan.ts';
import type { Result } from '../result.ts';
import { subscribe, unsubscribe, withClient } from '../shop.ts';
import { median } from '../statistics.ts';

const OBSERVERS = 3;
/** As a paid order has them; the first of an order and observer is sent, the others wait for it. */
const EVENTS_OF_ORDER = 4;
const LOOK_MS = 5;
const GIVE_UP_MS = 120_000;

const SEED = `
  insert into events (environment_id, id, type, order_id, data, fan_out, created_at)
  select s.environment_id, 'evt_0' || $1::text || lpad(n::text, 21, '0'), 'payment.pending',
         'ord_0' || $1::text || lpad((n / $3::int)::text, 21, '0'), '{"payment_id":"pay_1"}', true, now()
  from generate_series(1, $2::int) n, webhook_subscriptions s where s.id = $4`;
const WAITING = `select exists (select 1 from events where fan_out) as waiting`;
const MADE = `select count(*)::int as made from deliveries where lane = 'observer' and event_id like 'evt_0' || $1::text || '%'`;
const SWITCH = `update webhook_subscriptions set enabled = $2 where id = any($1)`;

interface Round {
  perSecond: number;
  cpuUs: number;
}

async function fanOutRound(
  client: pg.Client,
  server: BenchServer,
  observers: string[],
  name: string,
  count: number,
): Promise<Round> {
  const usedMs = await cpuMs(server, client);
  await client.query(SEED, [name, count, EVENTS_OF_ORDER, observers[0]]);
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await client.query<{ waiting: boolean }>(WAITING);
    if (!rows[0]!.waiting) break;
    if (performance.now() - startedAt > GIVE_UP_MS) throw new Error('the fan-out did not come to an end');
    await pause(LOOK_MS);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuUs = (((await cpuMs(server, client)) - usedMs) * 1000) / count;
  const { rows } = await client.query<{ made: number }>(MADE, [name]);
  if (rows[0]!.made !== count * OBSERVERS) throw new Error(`${rows[0]!.made} deliveries of ${count} events`);
  return { perSecond: count / seconds, cpuUs };
}

const DROP = `
  update deliveries set status = 'canceled', next_attempt_at = null, claim_id = null
  where lane = 'observer' and (environment_id, id) in (
    select environment_id, id from deliveries
    where lane = 'observer' and status in ('pending', 'blocked', 'held') for update skip locked)`;
const OPEN = `
  select exists (
    select 1 from deliveries where lane = 'observer' and status in ('pending', 'blocked', 'held')) as open`;

/** What a round left unsent goes, so that it does not slow the next. */
async function dropUnsent(client: pg.Client): Promise<void> {
  do await client.query(DROP);
  while ((await client.query<{ open: boolean }>(OPEN)).rows[0]!.open);
}

const resultOf = (rounds: readonly Round[], how: string, atLeast: number | null): Result => ({
  what: `fan-out of events to ${OBSERVERS} observers, ${how}`,
  measured: `${Math.round(median(rounds.map(({ cpuUs }) => cpuUs)))} µs of processor time for each`,
  value: median(rounds.map(({ perSecond }) => perSecond)),
  unit: '/s',
  target: atLeast === null ? null : { atLeast },
});

/** Alone, for observers that are switched off, and while others are being sent; in the live environment, which nothing else here uses. */
export async function measureFanOut(lab: Lab, server: BenchServer, plan: Plan): Promise<Result[]> {
  const receiver = await lab.startProgram('receiver');
  const receiverPort = await receiver.ask<number>('port');
  const key = server.account.liveKey;
  const observers: string[] = [];
  for (let n = 0; n < OBSERVERS; n++) observers.push(await subscribe(server.port, key, ['payment.*'], receiverPort));
  const rounds: Record<'off' | 'on', Round[]> = { off: [], on: [] };
  await withClient(server.databaseUrl, async client => {
    for (let round = 0; round <= plan.rounds; round++) {
      for (const how of ['off', 'on'] as const) {
        await client.query(SWITCH, [observers, how === 'on']);
        const done = await fanOutRound(client, server, observers, `${how}${round}`, plan.fanOutInRound);
        // The first round warms up.
        if (round > 0) rounds[how].push(done);
        await dropUnsent(client);
      }
    }
  });
  for (const id of observers) await unsubscribe(server.port, key, id);
  await receiver.stop();
  return [
    resultOf(rounds.off, 'with nothing sent', 2_000),
    resultOf(rounds.on, 'while as many as possible are sent', null),
  ];
}
