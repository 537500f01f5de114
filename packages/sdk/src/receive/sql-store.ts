import { checkNames, invalidArgument } from '../coinslot-error.ts';
import { webCrypto } from './web-crypto.ts';
import { type Begun, type Known, lostClaim, type SqlQuery, type WebhookStore } from './webhook-store.ts';

export interface SqlStoreOptions {
  /** Runs one statement and returns its rows, such as `(text, values) => pool.query(text, values)`. */
  query: SqlQuery;
  /** Name of the table; defaults to `coinslot_webhooks`. */
  table?: string;
  /** How placeholders and upserts are written; defaults to `postgresql`. */
  dialect?: 'postgresql' | 'sqlite' | 'mysql';
  /** How long an unfinished claim lasts, in seconds; defaults to 60. Make it longer than your slowest handler. */
  leaseSeconds?: number;
}

export interface SqlStore extends WebhookStore {
  /** Creates the table if it is missing. Or run the statement of `sqlStoreTable()` as a migration. */
  createTable(): Promise<void>;
}

interface Row {
  claim: string;
  state: 'running' | 'done';
  /** Some drivers return large numbers as text. */
  lease_until: number | string;
  declined: string | null;
}

const TABLE = 'coinslot_webhooks';
const LONGEST_REASON = 1_000;

/** The statement that creates the table. */
export function sqlStoreTable(table: string = TABLE, dialect: SqlStoreOptions['dialect'] = 'postgresql'): string {
  const mysql = dialect === 'mysql';
  return `create table if not exists ${table} (
  idempotency_key ${mysql ? 'varbinary' : 'varchar'}(255) primary key,
  claim varchar(64) not null,
  state varchar(8) not null,
  lease_until bigint not null,
  declined varchar(${LONGEST_REASON}),
  updated_at bigint not null,
  subject ${mysql ? 'varbinary' : 'varchar'}(255),
  unique (subject, idempotency_key)
)${mysql ? ' engine = innodb default charset = utf8mb4' : ''}`;
}

function statementsFor(table: string, dialect: SqlStoreOptions['dialect']) {
  const mysql = dialect === 'mysql';
  // Not "insert ignore", which would also truncate a key that is too long, with only a warning.
  const unlessThere = mysql ? 'on duplicate key update claim = claim' : 'on conflict (idempotency_key) do nothing';
  const find = `select claim, state, lease_until, declined from ${table} where idempotency_key = ?`;
  const written = {
    insert: `insert into ${table} (idempotency_key, claim, state, lease_until, declined, updated_at, subject) values (?, ?, 'running', ?, null, ?, ?) ${unlessThere}`,
    find,
    findSubject: `select claim, state, lease_until, declined from ${table} where subject = ?`,
    // A MySQL transaction keeps seeing its first snapshot; only a locking read shows that another process took over.
    findNow: mysql ? `${find} for update` : find,
    takeOver: `update ${table} set claim = ?, lease_until = ?, updated_at = ? where idempotency_key = ? and state = 'running' and lease_until < ?`,
    finish: `update ${table} set state = 'done', declined = ?, updated_at = ? where idempotency_key = ? and claim = ?`,
    fail: `delete from ${table} where idempotency_key = ? and claim = ? and state = 'running'`,
  };
  if (dialect !== 'postgresql') return written;
  const numbered = Object.entries(written).map(([name, text]) => {
    let count = 0;
    return [name, text.replaceAll('?', () => `$${++count}`)];
  });
  return Object.fromEntries(numbered) as typeof written;
}

/** `{ rows }` of pg, `[rows, fields]` of mysql2, or the rows alone. */
function rowsOf(result: unknown): Row[] {
  if (Array.isArray(result)) return (Array.isArray(result[0]) ? result[0] : result) as Row[];
  return (result as { rows?: Row[] } | null | undefined)?.rows ?? [];
}

function checkOptions(options: Partial<SqlStoreOptions>): void {
  checkNames('sqlStore', options, ['query', 'table', 'dialect', 'leaseSeconds']);
  const { query, table = TABLE, dialect = 'postgresql', leaseSeconds = 60 } = options;
  if (typeof query !== 'function')
    throw invalidArgument(
      'sqlStore',
      'query must be a function: sqlStore({ query: (text, values) => pool.query(text, values) })',
    );
  if (!/^[A-Za-z_][A-Za-z0-9_.]*$/.test(table))
    throw invalidArgument('sqlStore', `table must be a plain name, such as ${TABLE}`);
  if (!['postgresql', 'sqlite', 'mysql'].includes(dialect))
    throw invalidArgument('sqlStore', 'dialect must be postgresql, sqlite or mysql');
  if (!(leaseSeconds > 0)) throw invalidArgument('sqlStore', 'leaseSeconds must be above 0');
}

/**
 * Remembers handled webhooks in a table, for any number of processes. With `finishIn` in a handler the mark is part of the
 * transaction that grants the items, and then a crash at any point neither loses nor duplicates a grant.
 */
export function sqlStore(options: SqlStoreOptions): SqlStore {
  checkOptions(options ?? {});
  const { query, table = TABLE, dialect = 'postgresql', leaseSeconds = 60 } = options;
  const statements = statementsFor(table, dialect);

  async function find(key: string): Promise<Row | undefined> {
    return rowsOf(await query(statements.find, [key]))[0];
  }

  function judge(row: Row | undefined, claim: string): Begun | undefined {
    if (row?.state === 'done') return { state: 'done', outcome: { declined: row.declined } };
    return row?.claim === claim ? { state: 'run', claim } : undefined;
  }

  return {
    async createTable() {
      await query(sqlStoreTable(table, dialect), []);
    },
    async begin(key, subject = null) {
      const claim = (await webCrypto()).randomUUID();
      const nowMs = Date.now();
      const leaseUntil = nowMs + Math.ceil(leaseSeconds * 1000);
      await query(statements.insert, [key, claim, leaseUntil, nowMs, subject]);
      const row = await find(key);
      const begun = judge(row, claim);
      if (begun) return begun;
      if (!row || Number(row.lease_until) >= nowMs) return { state: 'busy' };
      // The process that claimed it died. Of several that notice, the update lets only one take over.
      await query(statements.takeOver, [claim, leaseUntil, nowMs, key, nowMs]);
      return judge(await find(key), claim) ?? { state: 'busy' };
    },
    async find(subject): Promise<Known> {
      const rows = rowsOf(await query(statements.findSubject, [subject]));
      const done = rows.find(({ state }) => state === 'done');
      if (done) return { state: 'done', outcome: { declined: done.declined } };
      return rows.some(row => Number(row.lease_until) >= Date.now()) ? { state: 'busy' } : { state: 'none' };
    },
    async finish(key, claim, { declined }, run = query) {
      const reason = declined === null ? null : Array.from(declined).slice(0, LONGEST_REASON).join('');
      await run(statements.finish, [reason, Date.now(), key, claim]);
      const row = rowsOf(await run(statements.findNow, [key]))[0];
      if (row?.claim !== claim) throw lostClaim(key);
    },
    async fail(key, claim) {
      await query(statements.fail, [key, claim]);
    },
  };
}
