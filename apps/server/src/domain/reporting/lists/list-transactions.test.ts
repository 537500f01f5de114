import type { PaymentStatus } from '@coinslot/contract';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idBound } from '../../../kit/ids.ts';
import type { Payment } from '../../payment/payment.ts';
import { countTransactions } from './count-transactions.ts';
import { exportTransactions, type TransactionQuery, transactionList } from './transactions.ts';

const OURS = 'env_ours';
const THEIRS = 'env_theirs';
const START_MS = Date.UTC(2026, 0, 1);
const ROWS = 1_500;
const NOW = new Date(START_MS + ROWS * 60_000);

const STATUSES: PaymentStatus[] = [
  'succeeded',
  'declined',
  'pending',
  'refunded',
  'authorized',
  'succeeded',
  'requires_action',
];

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;

const facts = (n: number) => ({
  id: `${idBound('pay', START_MS + n * 60_000)}${String(n).padStart(16, '0')}`,
  orderId: `${idBound('ord', START_MS + n * 60_000)}${String(n).padStart(16, '0')}`,
  playerId: n % 50 === 0 ? `rare%_${n}` : `player_${n % 9}`,
  status: pick(STATUSES, n),
  method: pick(['card', 'paypal', 'card'], n),
  brand: n % 4 === 0 ? null : pick(['visa', 'mastercard', 'jcb'], n),
  country: n % 5 === 0 ? null : pick(['GB', 'US', 'DE', 'VA'], n * 7),
  email: n % 6 === 0 ? null : `Player${n % 11}@Example.com`,
  amountMinor: 100 + (n % 40),
  currency: n < 100 ? 'BGN' : pick(['USD', 'EUR'], n),
  responseCode: pick(STATUSES, n) === 'declined' ? pick(['16', '2051'], n) : null,
  problem: n % 5 === 2 ? 'A member must look.' : null,
});

let database: TestDatabase;
const oracle = Array.from({ length: ROWS }, (_, n) => facts(n)).toReversed();

async function insert(environmentId: string, numbers: number[]): Promise<void> {
  const rows = numbers.map(facts);
  const insertRows = (text: string) =>
    database.db.query({ name: '', text, values: [environmentId, JSON.stringify(rows)] });
  const from = `from json_to_recordset($2::json) as r (id text, "orderId" text, "playerId" text, status text, method text,
    brand text, country text, email text, "amountMinor" bigint, currency text, "responseCode" text, problem text)`;
  await insertRows(`insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details,
      granted_at, paid_at, created_at, expires_at, updated_at)
    select $1, "orderId", "playerId", 'paid', 100, 'USD', '[]', '{}', app_now(), app_now(), app_now(), app_now(), app_now() ${from}`);
  await insertRows(`insert into payments (environment_id, id, order_id, player_id, status, gateway, method, brand, country,
      email, amount_minor, currency, response_code, attention, created_at, updated_at,
      authorized_at, captured_at, refunded_at)
    select $1, id, "orderId", "playerId", status, 'simulator', method, brand, country, email, "amountMinor", currency,
           "responseCode", case when problem is not null then json_build_object('code', 'amount_differs', 'since', app_now(),
             'detail', json_build_array(json_build_object('key', 'silent')), 'isFinal', true, 'nextCheckAt', null) end, app_now(), app_now(),
           case when status not in ('pending', 'requires_action', 'declined', 'abandoned') then app_now() end,
           case when status in ('succeeded', 'disputed', 'charged_back') then app_now() end,
           case when status = 'refunded' then app_now() end ${from}`);
}

beforeAll(async () => {
  database = await testDatabase();
  await insert(OURS, [...Array(ROWS).keys()]);
  await insert(THEIRS, [...Array(300).keys()]);
});

afterAll(() => database?.drop());

async function readAll(filter: TransactionQuery, limit: number, mostScanned: number): Promise<Payment[]> {
  const rows: Payment[] = [];
  for (let before: string | null = null, pages = 0; ; pages++) {
    expect(pages).toBeLessThan(2_000);
    const page = await transactionList.page(database.db, OURS, filter, { before, limit, mostScanned });
    rows.push(...page.rows);
    if (page.nextBefore === null) return rows;
    before = page.nextBefore;
  }
}

type Row = (typeof oracle)[number];

const needsAttention = ({ problem }: Row): boolean => problem !== null;

const CASES: [string, TransactionQuery, (row: Row) => boolean][] = [
  ['everything', {}, () => true],
  ['one status', { status: 'declined' }, row => row.status === 'declined'],
  [
    'statuses in progress and settled',
    { status: 'pending,refunded,authorized' },
    row => ['pending', 'refunded', 'authorized'].includes(row.status),
  ],
  ['a method', { method: 'paypal' }, row => row.method === 'paypal'],
  ['a brand', { brand: 'jcb' }, row => row.brand === 'jcb'],
  ['a country', { country: 'VA' }, row => row.country === 'VA'],
  ['a currency', { currency: 'BGN' }, row => row.currency === 'BGN'],
  ['a currency that no payment used', { currency: 'JPY' }, () => false],
  ['exactly an amount', { amount_from: 117, amount_to: 117 }, row => row.amountMinor === 117],
  ['at least an amount', { amount_from: 138 }, row => row.amountMinor >= 138],
  ['at most an amount', { amount_to: 101 }, row => row.amountMinor <= 101],
  ['a response code', { response_code: '2051' }, row => row.responseCode === '2051'],
  ['a player', { player_id: 'player_3' }, row => row.playerId === 'player_3'],
  ['what needs attention', { attention: 'true' }, needsAttention],
  [
    'what needs attention, with other filters',
    { attention: 'true', method: 'paypal', status: 'pending,succeeded' },
    row => needsAttention(row) && row.method === 'paypal' && ['pending', 'succeeded'].includes(row.status),
  ],
  [
    'what is held, of few amounts',
    { attention: 'true', amount_from: 138 },
    row => needsAttention(row) && row.amountMinor >= 138,
  ],
  [
    'search: what needs attention',
    { attention: 'true', q: 'player10@' },
    row => needsAttention(row) && row.email === 'Player10@Example.com',
  ],
  [
    'a span of time',
    { created_from: START_MS / 1000 + 600, created_to: START_MS / 1000 + 1_200 },
    row => row.id >= idBound('pay', START_MS + 600_000) && row.id < idBound('pay', START_MS + 1_200_000),
  ],
  [
    'five filters at once',
    { status: 'succeeded,pending', method: 'card', brand: 'visa', currency: 'USD', amount_from: 110 },
    row =>
      ['succeeded', 'pending'].includes(row.status) &&
      row.method === 'card' &&
      row.brand === 'visa' &&
      row.currency === 'USD' &&
      row.amountMinor >= 110,
  ],
  ['what never meets', { status: 'succeeded', response_code: '16' }, () => false],
  ['search: a player exactly', { q: 'player_3' }, row => row.playerId === 'player_3'],
  ['search: the beginning of few players', { q: 'rare%_1' }, row => row.playerId.startsWith('rare%_1')],
  ['search: the beginning of most players', { q: 'player_' }, row => row.playerId.startsWith('player_')],
  ['search: an e-mail in other letters', { q: 'PLAYER7@example.com' }, row => row.email === 'Player7@Example.com'],
  ['search: the beginning of an e-mail', { q: 'player10@' }, row => row.email === 'Player10@Example.com'],
  ['search: an order', { q: facts(7).orderId }, row => row.orderId === facts(7).orderId],
  [
    'search: the beginning of an order',
    { q: facts(7).orderId.slice(0, -2) },
    row => row.orderId.startsWith(facts(7).orderId.slice(0, -2)),
  ],
  ['search: a payment', { q: facts(7).id }, row => row.id === facts(7).id],
  ['search: the beginning of all payments', { q: 'pay_' }, () => true],
  [
    'search with a filter',
    { q: 'player_3', status: 'declined' },
    row => row.playerId === 'player_3' && row.status === 'declined',
  ],
  ['search: no match', { q: 'stranger' }, () => false],
  ['search: wildcards are letters', { q: '%' }, () => false],
  ['search: an underscore is a letter', { q: 'player3' }, row => row.email === 'Player3@Example.com'],
  ['search: SQL is text', { q: `'; drop table payments; --` }, () => false],
  ['search: backslashes and parameters are text', { q: '\\$1 ?::text' }, () => false],
  ['search: the last letter there is', { q: '\u{10ffff}' }, () => false],
];

describe('the list of transactions', () => {
  it.each(CASES)('finds %s, all of it, once and newest first', async (_, filter, isWanted) => {
    const wanted = oracle.filter(isWanted).map(({ id }) => id);
    for (const [limit, mostScanned] of [
      [100, 2_500],
      [7, 200],
    ] as const) {
      const found = await readAll(filter, limit, mostScanned);
      expect(found.map(({ id }) => id)).toEqual(wanted);
    }
  });

  it.each(CASES)('counts %s', async (_, filter, isWanted) => {
    const counted = await countTransactions(database.db, OURS, filter, NOW, 100_000);
    expect(counted).toEqual({ count: oracle.filter(isWanted).length, isExact: true });
  });

  it('estimates what is too much to count', async () => {
    const filter = { method: 'card' };
    const { count, isExact } = await countTransactions(database.db, OURS, filter, NOW, 200);
    expect(isExact).toBe(false);
    expect(count).toBeGreaterThan(700);
    expect(count).toBeLessThan(1_400);
  });

  it('says when a page is short because looking on would take too long', async () => {
    const filter = { status: 'succeeded', response_code: '16' };
    const page = await transactionList.page(database.db, OURS, filter, { before: null, limit: 20, mostScanned: 50 });
    expect(page).toMatchObject({ rows: [], isShort: true });
    expect(page.nextBefore).toBe(oracle.filter(({ responseCode }) => responseCode === '16')[49]!.id);
  });

  it('stays where it is while rows arrive', async () => {
    const filter = { status: 'succeeded' };
    const first = await transactionList.page(database.db, THEIRS, filter, { before: null, limit: 10 });
    const wanted = await transactionList.page(database.db, THEIRS, filter, { before: first.nextBefore, limit: 10 });
    await insert(THEIRS, [2_000, 2_001, 2_002, 2_003, 2_004, 2_005, 2_006]);
    const second = await transactionList.page(database.db, THEIRS, filter, { before: first.nextBefore, limit: 10 });
    expect(second.rows.map(({ id }) => id)).toEqual(wanted.rows.map(({ id }) => id));
  });
});

describe('the export', () => {
  it('holds every row of the filter, batch by batch', async () => {
    const filter = { method: 'card' };
    const chunks: string[] = [];
    for await (const chunk of exportTransactions(database.db, { id: OURS, mode: 'live' }, filter, [
      'payment_id',
      'player_id',
    ]))
      chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(2);
    const lines = chunks.join('').slice(0, -2).split('\r\n');
    expect(lines[0]).toBe('\u{feff}payment_id,player_id');
    const wanted = oracle.filter(({ method }) => method === 'card').map(({ id, playerId }) => `${id},${playerId}`);
    expect(lines.slice(1)).toEqual(wanted);
  });
});
