import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ErasedPlayer, PlayerExport } from '@coinslot/contract';
import { signedInMember } from '@coinslot/testing/dashboard';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { MASTER_KEY, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playerCommand } from '../../commands/player.ts';
import { readArchives } from '../../domain/retention/archive.ts';
import { createSeal } from '../../kit/seal.ts';

const DAY = 86_400;
const PLAYER = 'hero-of-the-north';
const EMAIL = 'hero@north.example';
const NEEDLES = [PLAYER, EMAIL, 'Sir Hero', 'guild-of-wolves', '"last4":"6884"', '"last4": "6884"'];
const CARD = '5490 5290 6876 6884';

let shop: TestProgram;
let game: Game;
let archive: string;
let exported: PlayerExport;

const query = <Row>(text: string): Promise<Row[]> => shop.database.db.query<Row>({ name: '', text, values: [] });

/** Every row of every table in which one of the words stands. */
async function found(): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'simulator')`,
  );
  const hits: string[] = [];
  for (const { name } of tables) {
    const rows = await query<{ line: string }>(`select row_to_json(t)::text as line from ${name} t`);
    for (const { line } of rows) if (NEEDLES.some(word => line.includes(word))) hits.push(`${name}: ${line}`);
  }
  for await (const line of readArchives(archive))
    if (NEEDLES.some(word => line.includes(word))) hits.push(`archive: ${line}`);
  return hits;
}

async function buy(): Promise<string> {
  const order = await shop.createOrder({
    player_id: PLAYER,
    email: EMAIL,
    player: { name: 'Sir Hero', attributes: { clan: 'guild-of-wolves' } },
    metadata: { clan: 'guild-of-wolves' },
  });
  await shop.pay(order.checkout_url, CARD, { email: EMAIL });
  await shop.until(order.order_id, 'paid');
  return order.order_id;
}

beforeAll(async () => {
  archive = await mkdtemp(join(tmpdir(), 'coinslot-archive-'));
  shop = await startProgram({ env: { ARCHIVE_DIR: archive } });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  const events = ['item.add', 'item.remove', 'order.*', 'payment.*'];
  const webhook = { url: game.url, events, description: 'all', method: 'POST', player_context_enabled: true };
  expect((await shop.call('POST', '/s2s/v1/webhooks', webhook)).status).toBe(201);
  await buy();
  await shop.later(5);
  exported = (await shop.call<PlayerExport>('GET', `/s2s/v1/players/${PLAYER}/export`)).body;
  await shop.later(130 * DAY);
  await buy();
  await shop.later(5);
}, 120_000);

afterAll(async () => {
  await shop?.close();
  await game?.close();
  await rm(archive, { recursive: true, force: true });
});

describe('a player', { timeout: 120_000 }, () => {
  it('gets everything that is known of them', async () => {
    expect(exported.player).toMatchObject({ player_id: PLAYER, name: 'Sir Hero', email: EMAIL });
    expect(exported.orders).toHaveLength(1);
    expect(exported.payments).toHaveLength(1);
    expect(exported.mails.map(({ recipient }) => recipient)).toContain(EMAIL);
    expect((await shop.call('GET', '/s2s/v1/players/unknown-player/export')).status).toBe(404);
  });

  it('gets all of it however much it is, in pieces, so that no other request waits for the whole (row 270)', async () => {
    const most = 10_050;
    await shop.database.db.query({
      name: '',
      text: `insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, created_at,
                                 expires_at, updated_at)
             select environment_id, 'ord_0' || lpad(n::text, 25, '0'), 'whale', 'expired', amount_minor, currency, items, details,
                    created_at, expires_at, updated_at
             from (select * from orders where player_id = $1 limit 1) o, generate_series(1, $2::int) n`,
      values: [PLAYER, most],
    });
    const whale = await shop.call<PlayerExport>('GET', '/s2s/v1/players/whale/export?unknown=1');
    expect(whale.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(whale.headers.has('content-length')).toBe(false);
    expect(new Set(whale.body.orders.map(({ order_id: id }) => id)).size).toBe(most);
    expect(whale.body).toMatchObject({ player: null, payments: [], saved_methods: [], mails: [] });
    await query(`delete from orders where player_id = 'whale'`);
  });

  it('is not erased while money is on its way', async () => {
    game.answerAlways({ status: 500 });
    const order = await shop.createOrder({ player_id: 'busy-player' });
    await shop.pay(order.checkout_url);
    expect((await shop.call('DELETE', '/s2s/v1/players/busy-player')).status).toBe(409);
    game.answerAlways(null);
  });

  it('is erased from every table and archive, and the books stay', async () => {
    expect((await found()).length).toBeGreaterThan(10);
    const amounts = 'select sum(amount_minor)::text as sum, count(1)::int as count from payments';
    const before = await query(amounts);
    const { status, body } = await shop.call<ErasedPlayer>('DELETE', `/s2s/v1/players/${PLAYER}`);
    expect(status).toBe(200);
    expect(body.orders).toBe(2);
    expect(body.archived_lines).toBeGreaterThan(5);
    expect(await found()).toEqual([]);
    expect(await query(amounts)).toEqual(before);
    expect(await query('select sum(amount_minor) as sum from ledger_entries having sum(amount_minor) <> 0')).toEqual(
      [],
    );
    const orders = await query(`select player_id from orders where player_id = '${body.digest}'`);
    expect(orders).toHaveLength(2);
  });

  it('is unknown afterwards', async () => {
    expect((await shop.call('GET', `/s2s/v1/players/${PLAYER}`)).status).toBe(404);
    expect((await shop.call('DELETE', `/s2s/v1/players/${PLAYER}`)).status).toBe(404);
  });

  it('can be exported and erased in the dashboard, by an owner alone', async () => {
    await buy();
    const path = `/games/${shop.account.gameId}/sandbox/players/${PLAYER}`;
    const { browser: developer } = await signedInMember(shop, 'developer');
    expect((await developer.call('GET', `${path}/export`)).status).toBe(403);
    expect((await developer.call('DELETE', path)).status).toBe(403);
    const { browser, userId } = await signedInMember(shop, 'owner');
    const all = await browser.call<PlayerExport>('GET', `${path}/export`);
    expect(all).toMatchObject({ status: 200, body: { player: { email: EMAIL } } });
    expect(all.body.orders).toHaveLength(1);
    const { status, body } = await browser.call<ErasedPlayer>('DELETE', path);
    expect([status, body.orders]).toEqual([200, 1]);
    expect(await found()).toEqual([]);
    expect(
      await query(`select user_id from audit_entries where kind = 'player.erased' and user_id is not null`),
    ).toEqual([{ user_id: userId }]);
    expect((await browser.call('DELETE', path)).status).toBe(404);
  });

  it('can be exported and erased by an operator, by command', async () => {
    await buy();
    const said: string[] = [];
    const seal = createSeal(MASTER_KEY);
    const deps = { db: shop.database.db, seal, archiveDir: archive, checkoutUrlOf: () => 'https://x' };
    const run = (...argv: string[]): Promise<number> =>
      playerCommand.run(argv, {
        ...deps,
        write: text => void said.push(text),
        writeError: text => void said.push(text),
      });
    const { environmentId } = shop.account.sandbox;
    expect(await run('export', environmentId, PLAYER)).toBe(0);
    expect(said.at(-1)).toContain(EMAIL);
    expect(await run('erase', environmentId, PLAYER)).toBe(0);
    expect(await found()).toEqual([]);
    expect(await run('erase', environmentId)).toBe(2);
    expect(await run('export', 'env_x', PLAYER)).toBe(1);
  });
});
