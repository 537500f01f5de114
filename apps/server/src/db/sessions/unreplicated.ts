import type pg from 'pg';

/**
 * PostgreSQL answers a commit with success and a warning when something ends its wait for the standby: the rows are on
 * this machine alone, and gone if another one takes the lead. So for us such a commit is not known.
 */
const WAIT_ENDED = /synchronous replication/;

const warned = new WeakSet<pg.ClientBase>();

export function watchReplication(client: pg.ClientBase): void {
  client.on('notice', ({ message }) => {
    if (WAIT_ENDED.test(message ?? '')) warned.add(client);
  });
}

export class UnreplicatedError extends Error {
  /** PostgreSQL's own for a transaction whose end is not known. */
  readonly code = '08007';
  constructor() {
    super('the commit was not confirmed by the standby');
  }
}

/** To be called when a commit was answered with success, before any caller learns of it. */
export function assertReplicated(client: pg.ClientBase): void {
  if (warned.delete(client)) throw new UnreplicatedError();
}
