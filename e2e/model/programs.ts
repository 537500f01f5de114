import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '@coinslot/testing/database';
import { PAYPAL_KEYS_OF_DOUBLE } from '@coinslot/testing/paypal-double/paypal-double';
import { MASTER_KEY } from '@coinslot/testing/program';
import { TEST_KEYS } from '@coinslot/testing/stripe-double/stripe-double';
import { sql } from '../../apps/server/src/db/sql.ts';
import { rollUpLedger } from '../../apps/server/src/domain/ledger/roll-up-ledger.ts';
import type { ChargeRef } from '../../apps/server/src/domain/payment/providers/base/gateway.ts';
import { syncPayment } from '../../apps/server/src/domain/purchase/engine/sync-payment.ts';
import { wire } from '../../apps/server/src/program/wire.ts';
import { loadConfig } from '../../apps/server/src/settings/config.ts';
import { type BuiltProgram, buildCrashingProgram, startProcess } from '../nothing-is-lost/program-process.ts';
import { labParts } from './lab-parts.ts';
import type { Defect } from './planted.ts';
import type { World } from './world/outside.ts';
import { PAYPAL_WEBHOOK } from './world/paypal-bank.ts';

export type Order =
  | { what: 'refresh' }
  /** `isWhole`: the books and the cleaning too. They take most of the time, and no order waits for them. */
  | { what: 'drain'; isWhole?: boolean }
  | { what: 'roll up' }
  | { what: 'hear'; ref: ChargeRef }
  | { what: 'die'; afterStatements: number };

/** One of the programs that share the database. */
export interface LabProgram {
  readonly url: string;
  readonly isDead: boolean;
  /** False: it failed, or the program died over it. */
  obey(order: Order): Promise<boolean>;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  database: TestDatabase;
  world: World;
  defect: Defect | null;
}

/** Live, because only live money has a ledger. The lab's provider stands where the simulator is, and the doubles of Stripe and PayPal behind. */
const settingsOf = ({ stripe, paypal }: World) => ({
  DATABASE_CONNECTIONS: '12',
  STRIPE_API_BASE: stripe.url,
  STRIPE_SECRET_KEY: TEST_KEYS.secret,
  STRIPE_PUBLISHABLE_KEY: TEST_KEYS.publishable,
  STRIPE_WEBHOOK_SECRET: TEST_KEYS.callback,
  PAYPAL_API_BASE: paypal.url,
  PAYPAL_MODE: 'sandbox',
  PAYPAL_CLIENT_ID: PAYPAL_KEYS_OF_DOUBLE.clientId,
  PAYPAL_CLIENT_SECRET: PAYPAL_KEYS_OF_DOUBLE.secret,
  PAYPAL_WEBHOOK_ID: PAYPAL_WEBHOOK,
});

/** What a program in this process still may do. Once it is dead, nothing that it tries reaches anything. */
function createLife(onDeath: () => void) {
  let passesLeft = Number.POSITIVE_INFINITY;
  let isDead = false;
  return {
    get isDead() {
      return isDead;
    },
    dieAfter(passes: number): void {
      passesLeft = passes;
    },
    pass(): void {
      if (!isDead && passesLeft-- <= 0) {
        isDead = true;
        onDeath();
      }
      if (isDead) throw new Error('the program is dead');
    },
  };
}

let programs = 0;

function named(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', name);
  return url.href;
}

/**
 * In this process, without workers of its own: it works when it is told. It dies by being cut off: from one statement on it
 * reaches neither the database nor anything else, and what it had open is rolled back.
 */
export async function startHere({ database, world, defect }: ProgramOptions): Promise<LabProgram> {
  const config = loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'silent',
    ...settingsOf(world),
  });
  const name = `lab_${++programs}`;
  let stopping: Promise<void> | undefined;
  const life = createLife(() => {
    program.app.server.closeAllConnections();
    program.app.server.on('connection', socket => void socket.destroy());
    const cutting = database.db.query(sql('lab_cut')`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`);
    stopping = cutting.then(() => program.stop()).catch(() => {});
  });
  const program = wire({
    config,
    databaseUrl: named(database.url, name),
    masterKey: MASTER_KEY,
    version: '0.0.0-test',
    replace: labParts(world, defect, life.pass),
  });
  await program.start();
  await program.app.listen({ port: 0, host: '127.0.0.1' });
  const obey = async (order: Order): Promise<void> => {
    if (order.what === 'die') life.dieAfter(order.afterStatements);
    if (order.what === 'refresh') await program.parts.clock.refresh();
    if (order.what === 'hear') await syncPayment(program.purchasing, order.ref);
    if (order.what === 'roll up') while (await rollUpLedger(program.purchasing));
    if (order.what === 'drain') {
      await program.workers.drain(order.isWhole ? 'all' : 'orders');
      await program.parts.background.settle();
    }
  };
  return {
    url: `http://127.0.0.1:${(program.app.server.address() as AddressInfo).port}`,
    get isDead() {
      return life.isDead;
    },
    obey: order =>
      obey(order)
        .then(() => !life.isDead)
        .catch(() => false),
    stop: () => stopping ?? program.stop(),
  };
}

const ENTRY = join(dirname(fileURLToPath(import.meta.url)), 'lab-program.ts');

export const buildLabProgram = (): Promise<BuiltProgram> => buildCrashingProgram(ENTRY);

/** In a process of its own, which can be killed. */
export async function startMortal(built: BuiltProgram, options: ProgramOptions): Promise<LabProgram> {
  const { database, world, defect } = options;
  const env = { ...settingsOf(world), LAB_WORLD_URL: world.url, ...(defect && { LAB_DEFECT: defect }) };
  const child = startProcess(built, { databaseUrl: database.url, env });
  const waiting = new Map<number, (done: boolean) => void>();
  let orders = 0;
  child.onMessage(message => {
    const { id, done } = message as { id?: number; done?: boolean };
    if (id !== undefined) waiting.get(id)?.(done === true);
  });
  void child.ended.then(() => {
    for (const answer of waiting.values()) answer(false);
  });
  await child.settled;
  if (child.url === null) throw new Error(`the program did not start: ${child.log()}`);
  const { url } = child;
  return {
    url,
    get isDead() {
      return child.hasEnded;
    },
    obey(order) {
      if (child.hasEnded) return Promise.resolve(false);
      const id = ++orders;
      return new Promise<boolean>(resolve => {
        waiting.set(id, done => {
          waiting.delete(id);
          resolve(done);
        });
        child.send({ id, ...order });
      });
    },
    async stop() {
      child.signal('SIGKILL');
      await child.ended;
    },
  };
}
