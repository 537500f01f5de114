// The program as it is started by `main.ts`, with one difference: it can be told to kill itself at a named point. The
// product knows nothing of it: every point is made here, around the parts that `wire` lets a test replace.
import type { AddressInfo } from 'node:net';
import type { Db, Tx } from '../../apps/server/src/db/db.ts';
import type { Statement } from '../../apps/server/src/db/sql.ts';
import type { FindLiveRouting, LiveProvider } from '../../apps/server/src/domain/payment/methods/live-routing.ts';
import type { Gateway } from '../../apps/server/src/domain/payment/providers/base/gateway.ts';
import type { Simulator } from '../../apps/server/src/domain/payment/providers/simulator/simulator.ts';
import type { Sender } from '../../apps/server/src/domain/webhook/sending/send.ts';
import type { Parts } from '../../apps/server/src/program/parts.ts';
import { untilStopped } from '../../apps/server/src/program/until-stopped.ts';
import { wire } from '../../apps/server/src/program/wire.ts';
import { loadConfig } from '../../apps/server/src/settings/config.ts';
import type { CrashPlan, Report } from './crash-plan.ts';

const plan = JSON.parse(process.argv[2] ?? 'null') as CrashPlan | null;
const passings = new Map<string, number>();

const report = (message: Report): void => void process.send?.(message);

function count(point: string): number {
  const passing = (passings.get(point) ?? 0) + 1;
  passings.set(point, passing);
  return passing;
}

function dieAt(point: string, passing: number): void {
  if (plan?.point === point && plan.passing === passing) process.kill(process.pid, plan.signal ?? 'SIGKILL');
}

function pass(point: string): void {
  const passing = count(point);
  if (passing === 1) report({ passed: point });
  dieAt(point, passing);
}

const around =
  <In extends unknown[], Out>(what: string, work: (...input: In) => Promise<Out>) =>
  async (...input: In): Promise<Out> => {
    pass(`before ${what}`);
    const output = await work(...input);
    pass(`after ${what}`);
    return output;
  };

const mayWrite = (statement: Pick<Statement, 'text'>): boolean =>
  /^\s*(insert|update|delete|with)\b/.test(statement.text);
/** A shared commit writes what its orders happen to need, so these statements alone give it its name. */
const BATCHES = ['event_claim_fan_out', 'delivery_outcomes'];

const nameOf = (written: Set<string>): string =>
  BATCHES.find(batch => written.has(batch)) ?? [...written].toSorted().join(' + ');

/** On a busy machine one commit does what several asked for: a plan means the first that does at least what its own does. */
function passCommit(side: 'before' | 'after', written: Set<string>): void {
  const name = nameOf(written);
  if (name === '') return;
  pass(`${side} commit of ${name}`);
  const [planned, steps] = plan?.point.split(' commit of ') ?? [];
  if (planned !== side || steps === undefined || steps === name) return;
  if (steps.split(' + ').every(step => written.has(step))) dieAt(plan!.point, count(plan!.point));
}

/** Workers ask every second whether something is due; an empty answer changed nothing. */
const isClaim = (statement: Statement): boolean => statement.name.includes('claim');

function watchedTx(tx: Tx, written: Set<string>): Tx {
  return {
    ...tx,
    async query<Row>(statement: Statement) {
      const rows = await tx.query<Row>(statement);
      if (mayWrite(statement) && (rows.length > 0 || !isClaim(statement))) written.add(statement.name);
      return rows;
    },
    async queryRow(statement, row) {
      const answer = await tx.queryRow(statement, row);
      if (mayWrite(statement) && answer !== undefined) written.add(statement.name);
      return answer;
    },
    write(statement) {
      if (mayWrite(statement)) written.add(statement.name);
      tx.write(statement);
    },
    writeRows(statement, rows) {
      if (mayWrite(statement) && rows.length > 0) written.add(statement.name);
      tx.writeRows(statement, rows);
    },
  };
}

async function watchCommit<T>(
  work: (tx: Tx) => Promise<T>,
  commit: (work: (tx: Tx) => Promise<T>) => Promise<T>,
): Promise<T> {
  let written = new Set<string>();
  const result = await commit(async tx => {
    written = new Set();
    const output = await work(watchedTx(tx, written));
    passCommit('before', written);
    return output;
  });
  passCommit('after', written);
  return result;
}

/** Every commit of the shop, named by what it writes. */
function watchedDb(db: Db): Db {
  return {
    ...db,
    async query<Row>(statement: Statement) {
      if (!mayWrite(statement)) return db.query<Row>(statement);
      if (!isClaim(statement)) pass(`before commit of ${statement.name}`);
      const rows = await db.query<Row>(statement);
      if (rows.length > 0 || !isClaim(statement)) pass(`after commit of ${statement.name}`);
      return rows;
    },
    transaction: work => watchCommit(work, run => db.transaction(run)),
    shared: (key, work) => watchCommit(work, run => db.shared(key, run)),
  };
}

const watchedProvider = (simulator: Simulator): Simulator => ({
  ...simulator,
  authorize: around('authorize', simulator.authorize),
  capture: around('capture', simulator.capture),
  void: around('void', simulator.void),
  refund: around('refund', simulator.refund),
  lookUp: around('look up', simulator.lookUp),
  answerChallenge: around('answer of a challenge', simulator.answerChallenge),
});

/** The points of each provider: a test of live strikes there. */
function watchedLive(live: Parts['live']): Parts['live'] {
  const watched = new Map<string, Gateway>();
  const list = live.list.map(connection => {
    const { gateway, title, name } = connection.provider;
    watched.set(name, {
      ...gateway,
      authorize: around(`authorize at ${title}`, gateway.authorize),
      capture: around(`capture at ${title}`, gateway.capture),
      void: around(`void at ${title}`, gateway.void),
      refund: around(`refund at ${title}`, gateway.refund),
      lookUp: around(`look up at ${title}`, gateway.lookUp),
    });
    return { ...connection, provider: { ...connection.provider, gateway: watched.get(name)! } };
  });
  const findRouting: FindLiveRouting = async environmentId => {
    const routing = await live.findRouting(environmentId);
    const asWatched = (one: LiveProvider): LiveProvider => ({ ...one, gateway: watched.get(one.gateway.name)! });
    return routing && { ...routing, providers: routing.providers.map(asWatched) };
  };
  return { ...live, list, gateways: Object.fromEntries(watched), findRouting };
}

function watchedSender(sender: Sender): Sender {
  return {
    ...sender,
    send(request) {
      const kind = (JSON.parse(String(request.body)) as { event_type: string }).event_type;
      const what = kind.startsWith('item.') ? `delivery of ${kind}` : 'delivery to an observer';
      return around(what, sender.send)(request);
    },
  };
}

const watchedParts = (parts: Parts): Parts => ({
  ...parts,
  db: watchedDb(parts.db),
  moneyDb: watchedDb(parts.moneyDb),
  simulator: watchedProvider(parts.simulator),
  live: watchedLive(parts.live),
  sender: watchedSender(parts.sender),
});

const config = loadConfig();
const program = wire({
  config,
  databaseUrl: config.databaseUrl!,
  masterKey: config.masterKey!,
  version: '0.0.0-test',
  replace: watchedParts,
});
// A function, because what is started from a cache is no module that could wait at its top.
async function main(): Promise<void> {
  await program.start();
  program.workers.start();
  await program.app.listen({ port: config.port, host: config.host });
  report({ port: (program.app.server.address() as AddressInfo).port });
  // The channel to the test must not keep the program alive.
  process.channel?.unref();
  await untilStopped(() => {});
  await program.stop();
}

void main();
