/** What a file of statements needs, from one place. */
export * from './sql.ts';
export * from './table.ts';
export type { Queryable, StatementRunner, Tx } from './transaction.ts';
