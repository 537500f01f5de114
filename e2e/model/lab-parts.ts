import type { Db, Tx } from '../../apps/server/src/db/db.ts';
import { simulatedProvider } from '../../apps/server/src/domain/payment/methods/live-routing.ts';
import type { Parts } from '../../apps/server/src/program/parts.ts';
import { type Defect, plantedDb, plantedOutside } from './planted.ts';
import { exchangeOf } from './world/moody-game.ts';
import type { Outside } from './world/outside.ts';

/** Told before every statement, commit and call to the outside: a program can die between any two. It throws in a dead one. */
export type Pass = () => void;

const countedTx = (tx: Tx, pass: Pass): Tx => ({
  ...tx,
  query: statement => {
    pass();
    return tx.query(statement);
  },
  queryRow: (statement, row) => {
    pass();
    return tx.queryRow(statement, row);
  },
  write: statement => {
    pass();
    tx.write(statement);
  },
  writeRows: (statement, rows) => {
    pass();
    tx.writeRows(statement, rows);
  },
});

function countedDb(db: Db, pass: Pass): Db {
  const counted = async <T>(work: (tx: Tx) => Promise<T>, run: (work: (tx: Tx) => Promise<T>) => Promise<T>) => {
    const result = await run(async tx => {
      const output = await work(countedTx(tx, pass));
      pass();
      return output;
    });
    pass();
    return result;
  };
  return {
    ...db,
    query: statement => {
      pass();
      return db.query(statement);
    },
    queryRow: (statement, row) => {
      pass();
      return db.queryRow(statement, row);
    },
    transaction: work => counted(work, run => db.transaction(run)),
    shared: (key, work) => counted(work, run => db.shared(key, run)),
    coalesce: options => {
      const run = db.coalesce(options);
      return async item => {
        pass();
        return run(item);
      };
    },
  };
}

/** A dead program asks no one any more. */
function countedOutside({ provider, deliver, isWired }: Outside, pass: Pass): Outside {
  const asking = <Args extends unknown[], T>(ask: (...args: Args) => Promise<T>) => {
    return async (...args: Args): Promise<T> => {
      pass();
      return ask(...args);
    };
  };
  return {
    deliver: asking(deliver),
    isWired,
    provider: {
      authorize: asking(provider.authorize),
      capture: asking(provider.capture),
      void: asking(provider.void),
      refund: asking(provider.refund),
      lookUp: asking(provider.lookUp),
      answerChallenge: asking(provider.answerChallenge),
      saveMethod: asking(provider.saveMethod),
    },
  };
}

/** The program as it is wired, with the lab's provider and game outside, and perhaps one planted defect. */
export function labParts(outside: Outside, defect: Defect | null, pass: Pass | null) {
  const { provider, deliver } = plantedOutside(pass ? countedOutside(outside, pass) : outside, defect);
  const dbOf = (db: Db): Db => {
    const planted = plantedDb(db, defect);
    return pass ? countedDb(planted, pass) : planted;
  };
  return (parts: Parts): Parts => {
    const simulator = { ...parts.simulator, ...provider };
    const findSimulated = simulatedProvider(simulator);
    const findConnected = parts.live.findRouting;
    return {
      ...parts,
      db: dbOf(parts.db),
      moneyDb: dbOf(parts.moneyDb),
      providerDb: dbOf(parts.providerDb),
      reportDb: dbOf(parts.reportDb),
      simulator,
      live: {
        ...parts.live,
        findRouting: async id => ((await outside.isWired(id)) ? findConnected(id) : findSimulated(id)),
      },
      sender: {
        async send({ body }) {
          const startedAtMs = Date.now();
          return exchangeOf(await deliver(String(body)), startedAtMs);
        },
        close: () => parts.sender.close(),
      },
      random: () => 0.5,
    };
  };
}
