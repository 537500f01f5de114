import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../apps/server/src/config.ts';
import { syncPayment } from '../../apps/server/src/domain/fulfillment/sync-payment.ts';
import type { ChargeRef } from '../../apps/server/src/domain/payment/gateways/gateway.ts';
import { MASTER_KEY } from '../../apps/server/src/testing/program.ts';
import { wire } from '../../apps/server/src/wire.ts';
import { type BuiltProgram, buildCrashingProgram, startProcess } from '../nothing-is-lost/program-process.ts';
import { labParts } from './lab-parts.ts';
import type { World } from './outside.ts';
import type { Defect } from './planted.ts';

export type Order =
  | { what: 'drain' | 'refresh' }
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
  databaseUrl: string;
  world: World;
  defect: Defect | null;
}

/** Live, because only live money has a ledger; the lab's provider stands where the simulator is. */
const SIMULATED = { LIVE_GATEWAY: 'simulator' };

/** In this process, without workers of its own: it works when it is told. */
export async function startHere({ databaseUrl, world, defect }: ProgramOptions): Promise<LabProgram> {
  const config = loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'silent',
    ...SIMULATED,
  });
  const replace = labParts(world, defect, null);
  const program = wire({ config, databaseUrl, masterKey: MASTER_KEY, version: '0.0.0-test', replace });
  await program.start();
  await program.app.listen({ port: 0, host: '127.0.0.1' });
  const obey = async (order: Order): Promise<void> => {
    if (order.what === 'refresh') await program.parts.clock.refresh();
    if (order.what === 'hear') await syncPayment(program.fulfillment, order.ref);
    if (order.what === 'drain') {
      await program.workers.drain();
      await program.parts.background.settle();
    }
  };
  return {
    url: `http://127.0.0.1:${(program.app.server.address() as AddressInfo).port}`,
    isDead: false,
    obey: order =>
      obey(order)
        .then(() => true)
        .catch(() => false),
    stop: () => program.stop(),
  };
}

const ENTRY = join(dirname(fileURLToPath(import.meta.url)), 'lab-program.ts');

export const buildLabProgram = (): Promise<BuiltProgram> => buildCrashingProgram(ENTRY);

/** In a process of its own, which can be killed. */
export async function startMortal(built: BuiltProgram, options: ProgramOptions): Promise<LabProgram> {
  const { databaseUrl, world, defect } = options;
  const env = { ...SIMULATED, LAB_WORLD_URL: world.url, ...(defect && { LAB_DEFECT: defect }) };
  const child = startProcess(built, { databaseUrl, env });
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
