import type pg from 'pg';

/** How long one session may take for what. What is beyond it ends with an error, never with silence. */
export interface SessionLimits {
  /** For a row that another session holds. */
  lockMs: number;
  /** For one statement, by PostgreSQL's clock. */
  statementMs: number;
  /** For an answer, by ours: a little more, so that only a database that says nothing at all gets there. */
  answerMs: number;
}

export const MONEY_LIMITS: SessionLimits = { lockMs: 3_000, statementMs: 8_000, answerMs: 8_500 };
/** The dashboard's lists, exports and roll-ups read more than an order does. */
export const REPORT_LIMITS: SessionLimits = { lockMs: 3_000, statementMs: 30_000, answerMs: 31_000 };

/**
 * Every statement here finds its rows by index. A plan made while a table was nearly empty would read it whole, stay with
 * the prepared statement, and get slower with every row; so the planner may not choose such a plan at all.
 */
const INDEXED_PLANS = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
};

/**
 * A transaction here never waits for anything but the database. One that does nothing for this long belongs to a process
 * that stands still, and the orders it has locked are needed by the others.
 */
const STALLED_MS = 10_000;
const ANSWER_MS = 3_000;

export interface SessionOptions {
  limits: SessionLimits;
  fixedPlans: boolean;
  mustBeWritable: boolean;
}

/**
 * Given by statement after connecting, because a pooler between us passes no startup options on.
 * Answers whether the session takes writes.
 */
export async function prepareSession(client: pg.ClientBase, options: SessionOptions): Promise<boolean> {
  const settings = {
    ...INDEXED_PLANS,
    ...(options.fixedPlans && { plan_cache_mode: 'force_generic_plan' }),
    lock_timeout: options.limits.lockMs,
    statement_timeout: options.limits.statementMs,
    idle_in_transaction_session_timeout: STALLED_MS,
  };
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  const text = `select ${calls.join(', ')},
    pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as readonly`;
  const { rows } = await client.query({ text, query_timeout: ANSWER_MS } as pg.QueryConfig);
  if (options.mustBeWritable && rows[0].readonly) throw new ReadOnlySessionError('this host takes no writes');
  return !rows[0].readonly;
}

export class ReadOnlySessionError extends Error {
  /** PostgreSQL's own for the same. */
  readonly code = '25006';
}
