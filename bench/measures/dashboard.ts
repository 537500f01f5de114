import pg from 'pg';
import { createDb, type Db } from '../../apps/server/src/db/db.ts';
import { countTransactions } from '../../apps/server/src/domain/reporting/lists/count-transactions.ts';
import { type TransactionQuery, transactionList } from '../../apps/server/src/domain/reporting/lists/transactions.ts';
import { idBound } from '../../apps/server/src/kit/ids.ts';
import type { Result } from '../result.ts';
import { median } from '../statistics.ts';

export const ENVIRONMENT = 'env_00000000000000000000000bench';
const DAYS = 365;
const PAGE = 50;
const ROUNDS = 5;
const MOST_MS = 50;

/** One statement. What is rare is rare: a country one in a hundred thousand, a brand one in ten thousand. */
const SEED = `
  with clock as (select (extract(epoch from date_trunc('second', now())) * 1000)::bigint as now_ms),
  drawn as (
    select n, now_ms - ($1::bigint - n) * ${DAYS * 86_400_000}::bigint / $1::bigint as ms,
           random() as r_status, random() as r_country, random() as r_brand, random() as r_currency, random() as r_amount,
           random() as r_code, random() as r_method, random() as r_player
    from clock, generate_series(1, $1::bigint) as n
  ), named as (
    select d.*, (select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * k)) & 31)::int + 1, 1), '' order by k desc)
            from generate_series(0, 9) as k) || substr(md5(n::text), 1, 16) as tail
    from drawn d
  ), made as (
    insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, created_at, expires_at,
                        updated_at, granted_at, paid_at)
    select '${ENVIRONMENT}', 'ord_' || tail, 'player_' || (power(r_player, 3) * 100000)::int,
           case when r_status < 0.88 then 'paid' when r_status < 0.98 then 'expired' else 'refunded' end, 499, 'USD', '[]', '{}',
           to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0 + 3600), to_timestamp(ms / 1000.0),
           case when r_status < 0.88 or r_status >= 0.98 then to_timestamp(ms / 1000.0) end,
           case when r_status < 0.88 or r_status >= 0.98 then to_timestamp(ms / 1000.0) end
    from named
  )
  insert into payments (environment_id, id, order_id, player_id, status, gateway, method, brand, last4, country, email,
                        amount_minor, currency, response_code, response_description, created_at, updated_at,
                        authorized_at, captured_at, refunded_at)
  select '${ENVIRONMENT}', 'pay_' || tail, 'ord_' || tail, 'player_' || (power(r_player, 3) * 100000)::int,
         -- No grant is waited for longer than three days.
         case when r_status < 0.1 and n > $1 - $1 * 3 / ${DAYS} then 'authorized'
              when r_status < 0.88 then 'succeeded' when r_status < 0.96 then 'declined' when r_status < 0.98 then 'abandoned'
              when r_status < 0.99 then 'refunded' when r_status < 0.996 then 'voided' when r_status < 0.999 then 'disputed'
              else 'charged_back' end,
         'simulator',
         case when r_method < 0.85 then 'card' when r_method < 0.95 then 'paypal' when r_method < 0.9999 then 'apple_pay'
              else 'blik' end,
         case when r_brand < 0.6 then 'visa' when r_brand < 0.9 then 'mastercard' when r_brand < 0.98 then 'amex'
              when r_brand < 0.9999 then 'jcb' else 'unionpay' end,
         lpad((n % 10000)::text, 4, '0'),
         case when r_country < 0.00001 then 'VA' when r_country < 0.4 then 'US' when r_country < 0.6 then 'GB'
              when r_country < 0.97 then 'DE' else 'BR' end,
         'player' || (power(r_player, 3) * 100000)::int || '@example.com',
         case when r_amount < 0.0001 then 50000 + (r_amount * 1e9)::bigint else 99 + (power(r_amount, 4) * 5000)::bigint end,
         -- One that was used long ago and is no more.
         case when n < $1 / 20 and r_currency < 0.5 then 'BGN' when r_currency < 0.7 then 'USD' when r_currency < 0.99 then 'EUR'
              when r_currency < 0.9999 then 'GBP' else 'KWD' end,
         case when r_status >= 0.88 and r_status < 0.96 then
           case when r_code < 0.6 then '16' when r_code < 0.9 then '2051' when r_code < 0.9995 then '2054' else '3043' end end,
         case when r_status >= 0.88 and r_status < 0.96 then 'declined' end,
         to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0),
         case when r_status < 0.88 or r_status >= 0.98 then to_timestamp(ms / 1000.0) end,
         case when r_status < 0.1 and n > $1 - $1 * 3 / ${DAYS} then null
              when r_status < 0.88 or r_status >= 0.996 then to_timestamp(ms / 1000.0) end,
         case when r_status >= 0.98 and r_status < 0.99 then to_timestamp(ms / 1000.0) end
  from named`;

export async function seedPayments(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set work_mem = '256MB'`);
    await client.query(SEED, [count]);
    await client.query('vacuum analyze payments');
    await client.query('vacuum analyze orders');
  } finally {
    await client.end();
  }
}

const daysAgo = (days: number): number => Math.floor(Date.now() / 1000) - days * 86_400;

const CASES: Record<string, TransactionQuery> = {
  'no filter': {},
  'status succeeded': { status: 'succeeded' },
  'status charged_back': { status: 'charged_back' },
  'status declined, abandoned, refunded, disputed': { status: 'declined,abandoned,refunded,disputed' },
  'status authorized': { status: 'authorized' },
  'status pending, of which there is none': { status: 'pending' },
  'method card': { method: 'card' },
  'method that is rare': { method: 'blik' },
  'brand visa': { brand: 'visa' },
  'brand that is rare': { brand: 'unionpay' },
  'country US': { country: 'US' },
  'country that is rare': { country: 'VA' },
  'currency EUR': { currency: 'EUR' },
  'currency that is rare': { currency: 'KWD' },
  'currency used only long ago': { currency: 'BGN' },
  'currency never used': { currency: 'JPY' },
  'amount exactly': { amount_from: 499, amount_to: 499 },
  'amount between': { amount_from: 1_000, amount_to: 2_000 },
  'amount very large': { amount_from: 60_000 },
  'amount never': { amount_from: 900_000_000 },
  'response code': { response_code: '16' },
  'response code that is rare': { response_code: '3043' },
  'player with much': { player_id: 'player_0' },
  'player with little': { player_id: 'player_99999' },
  'last 7 days': { created_from: daysAgo(7) },
  'one day half a year ago': { created_from: daysAgo(181), created_to: daysAgo(180) },
  'rare country in one old month': { country: 'VA', created_from: daysAgo(210), created_to: daysAgo(180) },
  'brand and country': { brand: 'amex', country: 'BR' },
  'country and currency that never meet': { country: 'VA', currency: 'KWD' },
  'status and code that never meet': { status: 'succeeded', response_code: '16' },
  'six filters': {
    status: 'declined',
    method: 'card',
    brand: 'visa',
    country: 'GB',
    currency: 'USD',
    response_code: '2051',
  },
  'search player': { q: 'player_77' },
  'search beginning of a player': { q: 'player_9999' },
  'search beginning of nearly all players': { q: 'player_' },
  'search e-mail': { q: 'player4242@example.com' },
  'search beginning of an e-mail': { q: 'player4242@' },
  'search beginning of nearly all e-mails': { q: 'pla' },
  'search what is not there': { q: 'nobody' },
  'search beginning of an order id': { q: 'ord_01' },
  'search hostile text': { q: `%'; drop table payments; --\\_%` },
};

interface Scan {
  times: number[];
  rows: number;
  short: number;
}

/** The first pages, then jumps through the depth of the list: what a reader does who pages on and on. */
async function scan(db: Db, filter: TransactionQuery): Promise<Scan> {
  const result: Scan = { times: [], rows: 0, short: 0 };
  const read = async (before: string | null): Promise<string | null> => {
    const start = performance.now();
    const page = await transactionList.page(db, ENVIRONMENT, filter, { before, limit: PAGE });
    result.times.push(performance.now() - start);
    result.rows += page.rows.length;
    if (page.isShort) result.short += 1;
    return page.nextBefore;
  };
  // As after the first minute of use: what is new is in memory. What is old is read from the disk or its cache.
  await transactionList.page(db, ENVIRONMENT, filter, { before: null, limit: PAGE });
  for (let round = 0; round < ROUNDS; round++) {
    let before: string | null = null;
    for (let page = 0; page < 3; page++) {
      before = await read(before);
      if (before === null) break;
    }
  }
  for (const days of [30, 120, 240, 350]) await read(idBound('pay', daysAgo(days) * 1000));
  return result;
}

const resultOf = (what: string, { times, rows, short }: Scan): Result => ({
  what,
  measured: `p50 ${median(times).toFixed(1)} ms, ${rows} rows${short > 0 ? `, ${short} of ${times.length} pages short` : ''}`,
  value: Math.max(...times),
  unit: 'ms',
  target: { atMost: MOST_MS },
});

export async function measureDashboard(url: string): Promise<Result[]> {
  const db = createDb({ url, maxConnections: 2, onError: () => {} });
  try {
    const results: Result[] = [];
    for (const [what, filter] of Object.entries(CASES)) {
      results.push(resultOf(what, await scan(db, filter)));
    }
    const counted: Scan = { times: [], rows: 0, short: 0 };
    for (const filter of Object.values(CASES)) {
      const start = performance.now();
      await countTransactions(db, ENVIRONMENT, filter, new Date());
      counted.times.push(performance.now() - start);
    }
    results.push(resultOf('count of every filter above', counted));
    return results;
  } finally {
    await db.close();
  }
}
