import type pg from 'pg';
import { PreparedQuery } from '../driver/prepared-query.ts';

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
  /** A pooler gives us another session for each transaction, so nothing may be left in one. */
  byTransaction: boolean;
}

const settingsOf = (options: Pick<SessionOptions, 'limits' | 'fixedPlans'>): Record<string, string | number> => ({
  ...INDEXED_PLANS,
  ...(options.fixedPlans && { plan_cache_mode: 'force_generic_plan' }),
  lock_timeout: options.limits.lockMs,
  statement_timeout: options.limits.statementMs,
  idle_in_transaction_session_timeout: STALLED_MS,
});

/** What is sent, made fit for a session that is ours for one transaction: its settings come with it, and no statement is kept. */
export function forTransactionPooler(sent: unknown, options: Pick<SessionOptions, 'limits' | 'fixedPlans'>): unknown {
  if (typeof sent === 'string') {
    const settings = Object.entries(settingsOf(options)).map(([name, value]) => `set local ${name} = '${value}'`);
    return sent.replace(/^begin\b/, `begin; ${settings.join('; ')}`);
  }
  if (sent instanceof PreparedQuery) return sent.forget();
  return typeof sent === 'object' && sent !== null && 'name' in sent ? { ...sent, name: undefined } : sent;
}

/**
 * Given by statement after connecting, because a pooler between us passes no startup options on.
 * Answers whether the session takes writes.
 */
export async function prepareSession(client: pg.ClientBase, options: SessionOptions): Promise<boolean> {
  const { byTransaction } = options;
  const calls = Object.entries(settingsOf(options)).map(
    ([name, value]) => `set_config('${name}', '${value}', ${byTransaction})`,
  );
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
