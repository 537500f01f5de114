import type { AddressInfo } from 'node:net';
import type { Db, Tx } from '../../apps/server/src/db/db.ts';
import type { Parts } from '../../apps/server/src/program/parts.ts';
import { wire } from '../../apps/server/src/program/wire.ts';
import { loadConfig } from '../../apps/server/src/settings/config.ts';
import { monotonicMs, serveParent } from './serve-parent.ts';

export type TimedServerQuestion = { start: { databaseUrl: string; masterKey: string } } | 'commits';

/** By idempotency key: when PostgreSQL's word that the grant is durable reached the program. */
const committedMs = new Map<string, number>();

const QUEUES_GRANT = 'delivery_insert_item';

function watch(db: Db): Db {
  const watchTx = (tx: Tx): Tx => ({
    ...tx,
    writeRows(statement, rows) {
      tx.writeRows(statement, rows);
      if (statement.name !== QUEUES_GRANT) return;
      for (const row of rows as readonly { idempotencyKey?: string }[]) {
        tx.afterCommit(() => committedMs.set(row.idempotencyKey!, monotonicMs()));
      }
    },
  });
  return {
    ...db,
    transaction: work => db.transaction(tx => work(watchTx(tx))),
    shared: (key, work) => db.shared(key, tx => work(watchTx(tx))),
  };
}

/** The whole program as it ships, with a clock held to the commit of each grant. */
async function start(databaseUrl: string, masterKey: string): Promise<number> {
  const config = loadConfig({ PORT: '0', HOST: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'error' });
  const replace = (parts: Parts): Parts => ({ ...parts, moneyDb: watch(parts.moneyDb) });
  const program = wire({ config, databaseUrl, masterKey: Buffer.from(masterKey, 'base64'), version: 'bench', replace });
  await program.start();
  program.workers.start();
  await program.app.listen({ port: 0, host: '127.0.0.1' });
  return (program.app.server.address() as AddressInfo).port;
}

serveParent((question: TimedServerQuestion) => {
  if (question === 'commits') return Object.fromEntries(committedMs);
  return start(question.start.databaseUrl, question.start.masterKey);
});
