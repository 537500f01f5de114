import type { Attributes, Span } from '@opentelemetry/api';
import type { Db, StatementRunner, Tx } from '../db/db.ts';
import type { LoadedTracer } from './load-tracer.ts';

export type InSpan = <T>(
  name: string,
  kind: number,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
) => Promise<T>;

/** Wraps a transaction so that it notes the names of its statements. */
function noting(tx: Tx, names: string[]): Tx {
  const noted = (runner: StatementRunner): StatementRunner => ({
    ...runner,
    query: statement => {
      names.push(statement.name);
      return runner.query(statement);
    },
  });
  return {
    ...noted(tx),
    last: noted(tx.last),
    write: statement => {
      names.push(statement.name);
      tx.write(statement);
    },
    queryRow: (statement, row) => {
      names.push(statement.name);
      return tx.queryRow(statement, row);
    },
    writeRows: (statement, rows) => {
      names.push(statement.name);
      tx.writeRows(statement, rows);
    },
    afterCommit: later => tx.afterCommit(later),
  };
}

/** Makes spans for statements and transactions that belong to a request or a piece of work. */
export function dbWatcher({ api }: LoadedTracer, inSpan: InSpan): (db: Db, pool: string) => Db {
  const { context, trace } = api;
  const hasParent = (): boolean => trace.getActiveSpan() !== undefined;
  return (db, pool) => {
    const attributes = { 'db.system.name': 'postgresql', 'coinslot.pool': pool };
    const inTransaction = <T>(run: (work: (tx: Tx) => Promise<T>) => Promise<T>, work: (tx: Tx) => Promise<T>) =>
      inSpan('db transaction', api.SpanKind.CLIENT, attributes, async span => {
        const here = context.active();
        const names: string[] = [];
        try {
          // The first caller of a shared commit runs the work of all, so each piece restores its own context.
          return await run(tx => context.with(here, () => work(noting(tx, names))));
        } finally {
          span.setAttribute('coinslot.statements', names.join(' '));
        }
      });
    return {
      ...db,
      // Loops poll every second, and a poll without a request is not worth a trace.
      query: statement =>
        hasParent()
          ? inSpan(`db ${statement.name || 'query'}`, api.SpanKind.CLIENT, attributes, () => db.query(statement))
          : db.query(statement),
      transaction: work => (hasParent() ? inTransaction(db.transaction, work) : db.transaction(work)),
      shared: (key, work) => (hasParent() ? inTransaction(inner => db.shared(key, inner), work) : db.shared(key, work)),
    };
  };
}
