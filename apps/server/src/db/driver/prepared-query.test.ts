import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PreparedQuery } from './prepared-query.ts';
import { timeReader } from './read-time.ts';
import { parserOf, types } from './value-types.ts';

let database: TestDatabase;
let client: pg.Client;
let described = 0;

const ask = <Row>(name: string, text: string, values: unknown[] = []): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const statement = { name, text, values };
    void client.query(new PreparedQuery(statement, (error, rows) => (error ? reject(error) : resolve(rows as Row[]))));
  });

beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url, pipeline: true, types });
  client.connection.on('rowDescription', () => described++);
  await client.connect();
});

beforeEach(() => {
  described = 0;
});

afterAll(async () => {
  await client?.end();
  await database?.drop();
});

describe('a prepared statement', () => {
  it('is described once for each connection, and its rows are the same ever after', async () => {
    const text = `select n, 'n' || n as text, null::text as nothing, n::bigint as big, (n > 1) as more, to_timestamp(n) as at,
      array['a', n::text] as list, json_build_object('n', n) as json from generate_series(1, $1::int) n order by n`;
    const rows = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        n: i + 1,
        text: `n${i + 1}`,
        nothing: null,
        big: i + 1,
        more: i > 0,
        at: new Date((i + 1) * 1000),
        list: ['a', String(i + 1)],
        json: { n: i + 1 },
      }));
    for (const count of [2, 1, 0, 3]) expect(await ask('series', text, [count])).toEqual(rows(count));
    expect(described).toBe(1);
  });

  it('reads every kind of value that it is given as the driver writes it, and as we do', async () => {
    const text =
      'select $1::text as t, $2::bigint as n, $3::boolean as b, $4::timestamptz as at, $5::text[] as list, $6::bytea as bytes';
    const at = new Date('2026-02-28T23:59:59.123Z');
    const list = ['', 'a "b" \\\\ {c},', 'NULL', null, 'é😀'];
    const given: unknown[][] = [
      ['é"\\n', 2 ** 40, true, at, list, null],
      [null, null, null, null, null, Buffer.from([0, 255])],
      ['', -1, false, new Date('0001-01-01T00:00:00Z'), [], null],
      ['x', 1.5e3, true, new Date(Date.UTC(12_000, 0)), [1, true], Buffer.from([])],
    ];
    const byDriver = await Promise.all(given.map(values => client.query(text, values)));
    for (const values of given) await ask('kinds', text, values);
    for (const [i, values] of given.entries()) expect(await ask('kinds', text, values)).toEqual(byDriver[i]!.rows);
  });

  it('that answers nothing is not asked about it again either', async () => {
    let asked = 0;
    client.connection.on('noData', () => asked++);
    await ask('make', 'create temporary table notes (id int primary key)');
    for (const id of [1, 2, 3]) expect(await ask('note', 'insert into notes (id) values ($1)', [id])).toEqual([]);
    expect(asked).toBe(2);
  });

  it('of several under way at once gets its own rows', async () => {
    const all = [1, 2, 3, 4, 5, 6].map(n =>
      n % 2 === 0 ? ask('even', 'select $1::int as even', [n]) : ask('odd', 'select $1::text as odd, true as yes', [n]),
    );
    const odd = (n: number) => [{ odd: String(n), yes: true }];
    expect(await Promise.all(all)).toEqual([odd(1), [{ even: 2 }], odd(3), [{ even: 4 }], odd(5), [{ even: 6 }]]);
  });

  it('whose answer has changed since is refused and never read by the old columns', async () => {
    await ask('', 'create temporary table shapes (a int)');
    await ask('', 'insert into shapes values (1)');
    expect(await ask('shape', 'select * from shapes')).toEqual([{ a: 1 }]);
    await ask('', 'alter table shapes add column b int');
    await expect(ask('shape', 'select * from shapes')).rejects.toThrow('cached plan must not change result type');
  });

  it('under a name that the connection has for another text is refused', async () => {
    expect(await ask('taken', 'select 1 as one')).toEqual([{ one: 1 }]);
    await expect(ask('taken', 'select 2 as two')).rejects.toThrow('must be unique');
    expect(await ask('taken', 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('that fails leaves the connection to the next one', async () => {
    const text = 'select 6 / $1::int as each';
    expect(await ask('division', text, [2])).toEqual([{ each: 3 }]);
    const failed = ask('division', text, [0]);
    const next = ask('division', text, [3]);
    await expect(failed).rejects.toThrow('division by zero');
    expect(await next).toEqual([{ each: 2 }]);
  });

  it('with a value that cannot be read fails, and the connection goes on', async () => {
    types.setTypeParser(pg.types.builtins.MONEY, () => {
      throw new Error('unreadable');
    });
    await expect(ask('money', 'select 1::money as m')).rejects.toThrow('unreadable');
    expect(await ask('fine', 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('a time', () => {
  const drivers = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text') as (text: string) => Date;
  const read = timeReader(text => {
    throw new Error(`not plain: ${text}`);
  });

  it.each([
    '2026-11-18 23:32:47+00',
    '2026-11-18 23:32:47.1+00',
    '2026-11-18 23:32:47.12+00',
    '2026-01-31 00:00:00.123+00',
    '2024-02-29 12:00:59.001999+00',
    '1970-01-01 00:00:00+00',
    '9999-12-31 23:59:59.999999+00',
  ])('%s is read to the millisecond', text => {
    expect(read(text)).toEqual(
      new Date(
        text
          .replace(/(\.\d{3})\d*/, '$1')
          .replace(' ', 'T')
          .replace(/\.?\+00$/, 'Z'),
      ),
    );
  });

  it.each([
    'infinity',
    '2026-11-18 23:32:47+01',
    '2026-11-18 23:32:47.5+05:30',
    '0099-12-31 23:59:59+00',
    '10000-01-01 00:00:00+00',
    '0044-03-15 00:00:00+00 BC',
  ])('%s is left to the driver', text => {
    expect(parserOf(pg.types.builtins.TIMESTAMPTZ)!(text)).toEqual(drivers(text));
    expect(() => read(text)).toThrow('not plain');
  });
});
