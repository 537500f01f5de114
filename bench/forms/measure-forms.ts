import { randomUUID } from 'node:crypto';
import pg from 'pg';
import {
  columnAt,
  driverValues,
  RowsWriter,
  rowTypeFor,
  sentColumn,
} from '../../apps/server/src/db/driver/sent-rows.ts';
import { cpuMsOf } from '../cpu-time.ts';
import { median } from '../statistics.ts';

const ORDERS = 960;
const ENVIRONMENT = 'env_forms';

type Columns = Readonly<Record<string, string>>;
type Row = Record<string, unknown>;

/** What one step of an order writes, as the program's statements have it. */
const TABLES = {
  orders: {
    environment_id: 'text',
    id: 'text',
    status: 'text',
    email: 'text',
    problem: 'json',
    attention: 'json',
    granted_at: 'timestamptz',
    paid_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'int',
  },
  payments: {
    environment_id: 'text',
    id: 'text',
    status: 'text',
    brand: 'text',
    last4: 'text',
    country: 'text',
    returned_minor: 'bigint',
    response_code: 'text',
    response_description: 'text',
    problem: 'json',
    attention: 'json',
    updated_at: 'timestamptz',
    version: 'int',
    authorized_at: 'timestamptz',
  },
  events: {
    environment_id: 'text',
    id: 'text',
    type: 'text',
    order_id: 'text',
    data: 'json',
    fan_out: 'boolean',
    created_at: 'timestamptz',
  },
} as const satisfies Record<string, Columns>;

type Table = keyof typeof TABLES;
type Step = Record<Table, Row[]>;

const NAMES = Object.keys(TABLES) as Table[];
const typesOf = (table: Table): Columns => TABLES[table];
const namesOf = (table: Table): string[] => Object.keys(TABLES[table]);
const typed = (table: Table): string =>
  Object.entries(TABLES[table])
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');

/** The rows are read from `source`, whatever form they came in. */
function statementOn(table: Table, source: string): string {
  const names = namesOf(table);
  if (table === 'events') return `insert into events (${names.join(', ')}) select ${names.join(', ')} from ${source}`;
  const set = names.filter(name => !['environment_id', 'id'].includes(name)).map(name => `${name} = t.${name}`);
  return `update ${table} o set ${set.join(', ')} from ${source} where o.environment_id = t.environment_id and o.id = t.id`;
}

const fromJson = (table: Table, parameter: string): string =>
  `(select * from json_to_recordset(${parameter}) as r (${typed(table)})) t`;

const functionOf = (name: string, parameters: string, source: (table: Table) => string): string =>
  `create function ${name}(${parameters}) returns void language plpgsql as $$ begin
     ${NAMES.map(table => `${statementOn(table, source(table))};`).join('\n')} end $$`;

const isText = (type: string): boolean => type === 'text';
const jsonOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A row of a composite type as text: every value in quotes, nothing for null. */
const compositeOf = (row: Row): string =>
  `(${Object.values(row)
    .map(value => (value === null ? '' : `"${jsonOf(value).replaceAll(/["\\]/g, '$&$&')}"`))
    .join(',')})`;

interface Form {
  name: string;
  setUp: string[];
  write(client: pg.Client, step: Step): Promise<unknown>;
}

const params = (count: number): string => Array.from({ length: count }, (_, i) => `$${i + 1}`).join(', ');

const statements: Form = {
  name: 'a statement for each table, begin and commit around them',
  setUp: [],
  async write(client, step) {
    const { stream } = client.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    const sent = NAMES.map(table => ({
      name: `each_${table}`,
      text: statementOn(table, fromJson(table, '$1')),
      values: [JSON.stringify(step[table])],
    }));
    await Promise.all([
      client.query('begin; set local lock_timeout = 250'),
      ...sent.map(one => client.query(one)),
      client.query('commit'),
    ]);
  },
};

const json: Form = {
  name: 'one function, a JSON for each table',
  setUp: [
    functionOf('step_json', NAMES.map(table => `of_${table} json`).join(', '), table => fromJson(table, `of_${table}`)),
  ],
  write: (client, step) =>
    client.query({
      name: 'json',
      text: `select step_json(${params(NAMES.length)})`,
      values: NAMES.map(table => JSON.stringify(step[table])),
    }),
};

const columnsOf = NAMES.flatMap(table => Object.entries(TABLES[table]).map(([name, type]) => ({ table, name, type })));

const arrays: Form = {
  name: 'one function, an array for each column',
  setUp: [
    functionOf(
      'step_arrays',
      columnsOf.map(({ table, name, type }) => `${table}_${name} ${type}[]`).join(', '),
      table =>
        `unnest(${namesOf(table)
          .map(name => `${table}_${name}`)
          .join(', ')}) as t (${namesOf(table).join(', ')})`,
    ),
  ],
  write: (client, step) =>
    client.query({
      name: 'arrays',
      text: `select step_arrays(${params(columnsOf.length)})`,
      values: columnsOf.map(({ table, name, type }) =>
        step[table].map(row => (row[name] === null || isText(type) ? row[name] : jsonOf(row[name]))),
      ),
    }),
};

const composites: Form = {
  name: 'one function, rows of a composite type',
  setUp: [
    ...NAMES.map(table => `create type row_of_${table} as (${typed(table)})`),
    functionOf(
      'step_rows',
      NAMES.map(table => `of_${table} row_of_${table}[]`).join(', '),
      table => `unnest(of_${table}) t`,
    ),
  ],
  write: (client, step) =>
    client.query({
      name: 'rows',
      text: `select step_rows(${params(NAMES.length)})`,
      values: NAMES.map(table => step[table].map(compositeOf)),
    }),
};

const sentColumnsOf = Object.fromEntries(
  NAMES.map(table => [table, Object.entries(TABLES[table]).map(([name, type]) => sentColumn(name, type))]),
);

/** The form of the program. */
const sentRows: Form = {
  name: 'a statement for each table, rows of texts in binary, begin and commit around them',
  setUp: [],
  async write(client, step) {
    const { stream } = client.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    const sent = NAMES.map(table => {
      const columns = sentColumnsOf[table]!;
      const writer = new RowsWriter(columns);
      for (const row of step[table]) writer.add(row);
      const read = columns.map(({ name }, i) => `${columnAt(i)}::${typesOf(table)[name]} as ${name}`);
      const source = `(select ${read.join(', ')} from unnest($1::${rowTypeFor(columns.length)}[])) t`;
      return {
        name: `sent_${table}`,
        text: statementOn(table, source),
        values: driverValues([writer.end()]),
      };
    });
    await Promise.all([
      client.query('begin; set local lock_timeout = 250'),
      ...sent.map(one => client.query(one)),
      client.query('commit'),
    ]);
  },
};

const FORMS = [statements, sentRows, json, arrays, composites];

const idOf = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(26, '0')}`;

function stepOf(from: number, count: number, version: number): Step {
  const now = new Date().toISOString();
  const orders = Array.from({ length: count }, (_, i) => from + i);
  const common = { environment_id: ENVIRONMENT, updated_at: now, version, problem: null, attention: null };
  const facts = { payment_id: idOf('pay', from), player_id: 'p1', status: 'authorized', method: 'card', brand: 'visa' };
  const data = { ...facts, last4: '4242', country: 'GB', amount: 100, currency: 'USD', created_at: 1_794_911_532 };
  return {
    orders: orders.map(n => ({
      environment_id: ENVIRONMENT,
      id: idOf('ord', n),
      status: 'authorized',
      email: 'player@example.com',
      problem: null,
      attention: null,
      granted_at: null,
      paid_at: null,
      updated_at: now,
      version,
    })),
    payments: orders.map(n => ({
      environment_id: ENVIRONMENT,
      id: idOf('pay', n),
      status: 'authorized',
      brand: 'visa',
      last4: '4242',
      country: 'GB',
      returned_minor: 0,
      response_code: '0',
      response_description: 'Approved',
      problem: null,
      attention: null,
      updated_at: common.updated_at,
      version,
      authorized_at: now,
    })),
    events: orders.flatMap(n =>
      ['payment.authorized', 'item.add'].map(type => ({
        environment_id: ENVIRONMENT,
        id: `evt_${randomUUID()}`,
        type,
        order_id: idOf('ord', n),
        data,
        fan_out: false,
        created_at: now,
      })),
    ),
  };
}

const SEED = [
  `insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, created_at, expires_at, updated_at)
   select '${ENVIRONMENT}', 'ord_' || lpad(n::text, 26, '0'), 'p' || n, 'pending', 100, 'USD', '[]', '{}', now(), now() + interval '1 hour', now()
   from generate_series(0, ${ORDERS - 1}) n`,
  `insert into payments (environment_id, id, order_id, player_id, status, gateway, method, amount_minor, currency, created_at, updated_at, next_check_at)
   select environment_id, 'pay' || substr(id, 4), id, player_id, 'pending', 'simulator', 'card', 100, 'USD', now(), now(), now() from orders
   where environment_id = '${ENVIRONMENT}'`,
];

export interface FormCost {
  form: string;
  together: number;
  /** Microseconds of processor time for one order. */
  node: number;
  postgres: number;
}

const BATCHES = [6, 24];

/** What a step costs in each form in which its rows can travel, for one order. In turns, on one connection. */
export async function measureForms(url: string, rounds: number): Promise<FormCost[]> {
  const client = new pg.Client({ connectionString: url, pipeline: true });
  await client.connect();
  for (const text of [...SEED, ...FORMS.flatMap(form => form.setUp)]) await client.query(text);
  // Waiting for the disk takes no processor time, and the commits are the same in each form.
  await client.query('set plan_cache_mode = force_generic_plan; set synchronous_commit = off');
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  let version = 1;
  const run = async (form: Form, together: number) => {
    version++;
    const before = [process.cpuUsage(), await cpuMsOf(rows[0]!.pid)] as const;
    for (let from = 0; from < ORDERS; from += together) await form.write(client, stepOf(from, together, version));
    const { user, system } = process.cpuUsage(before[0]);
    return { node: (user + system) / ORDERS, postgres: ((await cpuMsOf(rows[0]!.pid)) - before[1]) * (1_000 / ORDERS) };
  };
  const costs = FORMS.flatMap(form =>
    BATCHES.map(together => ({ form, together, seen: [] as Omit<FormCost, 'form' | 'together'>[] })),
  );
  for (let round = 0; round <= rounds; round++) {
    for (const one of costs) {
      const cost = await run(one.form, one.together);
      // The first round warms up.
      if (round > 0) one.seen.push(cost);
    }
    await client.query('vacuum orders, payments');
  }
  await client.end();
  return costs.map(({ form, together, seen }) => ({
    form: form.name,
    together,
    node: median(seen.map(({ node }) => node)),
    postgres: median(seen.map(({ postgres }) => postgres)),
  }));
}
