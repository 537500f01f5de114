import { setTimeout as pause } from 'node:timers/promises';
import type { EventRecord } from '@coinslot/contract';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { type Answer, MASTER_KEY, startProgram, type TestProgram } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { feedCursor } from '../../domain/webhook/events/feed-cursor.ts';
import { newId } from '../../kit/ids.ts';
import { createSeal } from '../../kit/seal.ts';

const DAY = 86_400;

interface FeedPage {
  data: (EventRecord & { cursor: string })[];
  next_cursor: string;
  has_more: boolean;
  code?: string;
}

let shop: TestProgram;
/** A second program on the same database. */
let other: TestProgram;
let game: Game;
const clients: pg.Client[] = [];

const read = (after: string, { limit = 100, by = shop, key = shop.account.sandbox.s2sKey } = {}) =>
  by.call<FeedPage>('GET', `/s2s/v1/events?after=${after}&limit=${limit}`, undefined, { key });

/** Reads until there is no more for now. */
async function readAll(after: string, options: Parameters<typeof read>[1] = {}) {
  const events: FeedPage['data'] = [];
  let cursor = after;
  for (let hasMore = true; hasMore; ) {
    const { status, body } = await read(cursor, options);
    expect(status).toBe(200);
    events.push(...body.data);
    cursor = body.next_cursor;
    hasMore = body.has_more;
  }
  return { events, cursor, ids: events.map(({ event_id: id }) => id) };
}

const place = async (): Promise<string> => (await readAll('now')).cursor;

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: shop.database.url });
  await client.connect();
  clients.push(client);
  return client;
}

async function insertEvent(client: pg.Client, environmentId = shop.account.sandbox.environmentId): Promise<string> {
  const id = newId('evt');
  await client.query(
    `insert into events (environment_id, id, type, data, fan_out, created_at)
     values ($1, $2, 'webhook.test', '{}', false, app_now())`,
    [environmentId, id],
  );
  return id;
}

/** Returns the id of the event that says so. */
async function insertOrder(client: pg.Client): Promise<string> {
  const id = newId('ord');
  await client.query(
    `insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, created_at, expires_at, updated_at)
     values ($1, $2, 'writer', 'created', 100, 'USD', '[]', '{}', app_now(), app_now() + interval '1 hour', app_now())`,
    [shop.account.sandbox.environmentId, id],
  );
  return `evt_${id.slice(4)}`;
}

async function buy(playerId: string): Promise<string> {
  const order = await shop.createOrder({ player_id: playerId });
  await shop.pay(order.checkout_url);
  await shop.until(order.order_id, 'paid');
  await shop.program.parts.background.settle();
  return order.order_id;
}

beforeAll(async () => {
  shop = await startProgram();
  other = await startProgram({ databaseUrlOf: async () => shop.database.url, workers: false });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.end()));
});

afterAll(async () => {
  await game?.close();
  await other?.close();
  await shop?.close();
});

describe('the feed of events', () => {
  it('has every event of an order, its creation first although no webhook observes it', async () => {
    const from = await place();
    const orderId = await buy('ann');
    const { events, ids, cursor } = await readAll(from);
    const kinds = events.map(({ event_type: kind }) => kind);
    expect(kinds[0]).toBe('order.created');
    expect(events[0]).toMatchObject({
      order_id: orderId,
      test: false,
      event_data: { order_id: orderId, player_id: 'ann', status: 'created' },
    });
    expect(kinds).toContain('payment.succeeded');
    expect(kinds).toContain('order.paid');
    const listed = await shop.call<FeedPage>('GET', `/s2s/v1/events?order_id=${orderId}&limit=100`);
    expect(ids.slice(1).toSorted()).toEqual(listed.body.data.map(({ event_id: id }) => id).toSorted());
    expect((await read(cursor)).body).toEqual({ data: [], next_cursor: cursor, has_more: false });
  });

  it('has a creation once, under the same id, when a webhook observes it too', async () => {
    const made = await shop.call<{ id: string }>('POST', '/s2s/v1/webhooks', { url: game.url, events: ['order.*'] });
    const from = await place();
    const order = await shop.createOrder({ player_id: 'observed' });
    const listed = await shop.call<FeedPage>('GET', `/s2s/v1/events?order_id=${order.order_id}`);
    const { ids } = await readAll(from);
    expect(ids).toEqual(listed.body.data.map(({ event_id: id }) => id));
    await shop.call('DELETE', `/s2s/v1/webhooks/${made.body.id}`);
  });

  it('goes on behind any event, and pages of any size give the same', async () => {
    const from = await place();
    await buy('pages');
    const whole = await readAll(from);
    expect((await readAll(from, { limit: 1 })).ids).toEqual(whole.ids);
    expect((await readAll(from, { limit: 2, by: other })).ids).toEqual(whole.ids);
    for (const [at, { cursor }] of whole.events.entries()) {
      expect((await readAll(cursor)).ids).toEqual(whole.ids.slice(at + 1));
    }
    for (const limit of [0, 101]) expect((await read(from, { limit })).status).toBe(422);
  });

  it('has what a developer triggered, also a creation', async () => {
    const from = await place();
    for (const kind of ['order.created', 'payment.succeeded'])
      await shop.call('POST', '/s2s/v1/events/trigger', { event_type: kind });
    const { events } = await readAll(from);
    expect(events.map(({ event_type: kind, test }) => [kind, test])).toEqual([
      ['order.created', true],
      ['payment.succeeded', true],
    ]);
  });

  it('says when a cursor, or what is given beside it, is none', async () => {
    const from = await place();
    const wrong = [
      'nonsense',
      `${from}A`,
      // A number that the caller chose would show by its answer how many events all tenants have (row 275).
      Buffer.from(`${shop.account.sandbox.environmentId} 1`).toString('base64url'),
    ];
    for (const cursor of wrong) {
      expect(await read(cursor)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/after', code: 'cursor' }] },
      });
    }
    for (const beside of [`cursor=${from}`, 'event_type=order.paid', 'created_from=1']) {
      const { status, body } = await shop.call('GET', `/s2s/v1/events?after=${from}&${beside}`);
      const pointer = `/${beside.slice(0, beside.indexOf('='))}`;
      expect({ status, body }).toMatchObject({ status: 422, body: { errors: [{ pointer, code: 'one_of' }] } });
    }
  });

  it('of another environment or company is neither read nor gone on with', async () => {
    const from = await place();
    const stranger = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    await buy('secret');
    for (const key of [shop.account.live.s2sKey, stranger.sandbox.s2sKey, stranger.live.s2sKey]) {
      expect(await read(from, { key })).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
      expect((await readAll('start', { key })).ids).toEqual([]);
    }
  });

  it('answers with a short page when thousands of events of others lie between', async () => {
    const from = await place();
    const client = await connect();
    await client.query(
      `insert into events (environment_id, id, type, data, fan_out, created_at)
       select 'env_other', 'evt_feed_' || n, 'webhook.test', '{}', false, app_now() from generate_series(1, 30000) n`,
    );
    const mine = await insertEvent(client);
    const first = await read(from);
    expect(first.body).toMatchObject({ data: [], has_more: true });
    expect((await readAll(first.body.next_cursor)).ids).toEqual([mine]);
  });
});

describe('the feed of events while others write', () => {
  it('gives no event while one with a lower number may still come, and then both in their order (row 169)', async () => {
    const from = await place();
    const [late, prompt] = [await connect(), await connect()];
    for (const insert of [insertEvent, insertOrder]) {
      await late.query('begin');
      const first = await insert(late);
      const second = await insertEvent(prompt);
      expect((await readAll(from)).ids).not.toContain(second);
      expect((await readAll(from, { by: other })).ids).not.toContain(second);
      await late.query('commit');
      expect((await readAll(from)).ids.slice(-2)).toEqual([first, second]);
      expect((await readAll(from, { by: other })).ids.slice(-2)).toEqual([first, second]);
    }
  });

  it('waits for no transaction that wrote elsewhere, and forgets one that was rolled back', async () => {
    const from = await place();
    const [late, prompt] = [await connect(), await connect()];
    await late.query('begin');
    await insertEvent(late);
    const kept = await insertEvent(prompt);
    await late.query('rollback');
    expect((await readAll(from)).ids).toEqual([kept]);
    await late.query('begin');
    await late.query(`update time_partitions set kept_from = kept_from`);
    const next = await insertEvent(prompt);
    expect((await readAll(from)).ids).toEqual([kept, next]);
    await late.query('rollback');
  });

  it('gives each event once and in one order to two programs, whatever order their writers commit in (row 169)', async () => {
    const from = await place();
    const done = new AbortController();
    const follow = async (by: TestProgram, limit: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let cursor = from, isLast = false; ; ) {
        const { body }: Answer<FeedPage> = await read(cursor, { by, limit });
        ids.push(...body.data.map(({ event_id: id }) => id));
        cursor = body.next_cursor;
        if (isLast && !body.has_more) return ids;
        isLast = done.signal.aborted;
      }
    };
    const readers = [follow(shop, 3), follow(other, 100)];
    const write = async (writer: number): Promise<string[]> => {
      const client = await connect();
      const ids: string[] = [];
      for (let round = 0; round < 12; round++) {
        await client.query('begin');
        const made = [await insertOrder(client), await insertEvent(client)];
        await pause(((writer * 7 + round * 13) % 10) * 12);
        made.push(await insertEvent(client));
        if ((writer + round) % 5 === 0) await client.query('rollback');
        else {
          await client.query('commit');
          ids.push(...made);
        }
      }
      return ids;
    };
    const written = (await Promise.all([0, 1, 2, 3, 4, 5].map(write))).flat();
    done.abort();
    const [mine = [], others = []] = await Promise.all(readers);
    expect(mine.toSorted()).toEqual(written.toSorted());
    expect(others).toEqual(mine);
    expect((await readAll(from)).ids).toEqual(mine);
  });
});

describe('the feed of events over time', () => {
  it('keeps its places when a player is erased, and no longer says who it was', async () => {
    const from = await place();
    await buy('erased_one');
    await buy('stays');
    const before = await readAll(from);
    expect(JSON.stringify(before.events)).toContain('erased_one');
    const middle = before.events[3]!.cursor;
    expect((await shop.call('DELETE', '/s2s/v1/players/erased_one')).status).toBe(200);
    const after = await readAll(from);
    expect(after.ids).toEqual(before.ids);
    expect(JSON.stringify(after.events)).not.toContain('erased_one');
    expect((await readAll(middle)).ids).toEqual(before.ids.slice(4));
  });

  it('says so when a cursor is newer than all that there is, as after the restore of a backup', async () => {
    const ahead = feedCursor(shop.program.parts.seal, shop.account.sandbox.environmentId, 99_999_999);
    expect(await read(ahead)).toMatchObject({ status: 410, body: { code: 'events_gone' } });
  });

  it('says so when events behind the cursor are no longer kept, and begins with those that are (row 169)', async () => {
    const { events } = await readAll('start');
    await shop.later(130 * DAY);
    expect(await read(events[0]!.cursor)).toMatchObject({ status: 410, body: { code: 'events_gone' } });
    const whole = await place();
    const orderId = await buy('afterwards');
    expect((await readAll(whole)).events[0]).toMatchObject({ order_id: orderId, event_type: 'order.created' });
    const kept = await readAll('start');
    expect(kept.events[0]).toMatchObject({ order_id: orderId, event_type: 'order.created' });
    expect((await readAll(kept.events[0]!.cursor, { by: other })).ids).toEqual(kept.ids.slice(1));
  });
});
