import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startEmbedded } from '../../apps/server/src/db/embedded/start-embedded.ts';
import { freePort } from '../free-port.ts';
import type { Account } from '../start-coinslot.ts';

const PROGRAM = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url));
const START_MS = 120_000;

/** One of several processes; it can be replaced by a new one in the same place, as an update does. */
export interface Replaceable {
  name: string;
  /** SIGTERM, wait for its end, start the next, wait until it is ready: what a deployment script does. */
  replace(): Promise<void>;
  kill(): Promise<void>;
}

export interface Fleet {
  databaseUrl: string;
  /** The port that all serving ones listen on, each at its own address. */
  port: number;
  processes: readonly Replaceable[];
  account: Account;
  stop(): Promise<void>;
}

async function isReady(opsUrl: string): Promise<boolean> {
  return fetch(`${opsUrl}/readyz`).then(
    answer => answer.ok,
    () => false,
  );
}

async function startReplaceable(name: string, command: string, env: NodeJS.ProcessEnv): Promise<Replaceable> {
  // Asked for nothing else, a process answers for its health on loopback, wherever it serves.
  const opsUrl = `http://127.0.0.1:${env.OPS_PORT}`;
  let child: ChildProcess;
  async function start(): Promise<void> {
    child = spawn(process.execPath, [PROGRAM, command], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr?.on('data', chunk => (said += String(chunk)));
    const deadline = Date.now() + START_MS;
    while (!(await isReady(opsUrl))) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${name} does not start:\n${said}`);
      await pause(50);
    }
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }
  const started = start();
  return started.then(() => ({
    name,
    kill: () => end('SIGKILL'),
    async replace() {
      await end('SIGTERM');
      await start();
    },
  }));
}

/** A process at each address that answers requests, and some that work, on one database, with the settings that they have by default. */
export async function startFleet(
  dataDir: string,
  addresses: readonly string[],
  workers: number,
  settings: NodeJS.ProcessEnv,
): Promise<Fleet> {
  const database = await startEmbedded({ dataDir, log: () => {} });
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    MASTER_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'error',
    // The default in production, where no game on this machine could be reached.
    STOP_DELAY_SECONDS: '2',
    ...settings,
  };
  const owner = ['--email=owner@studio.example', '--password=orange lamp on the roof', '--company=Northwind Games'];
  const game = ['--game-url=https://apps.apple.com/us/app/castle-quest/id1234567890', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, 'setup', ...owner, ...game], { env });
  const processes = await Promise.all([
    ...addresses.map(async (HOST, i) =>
      startReplaceable(`serve ${i + 1}`, 'serve', {
        ...env,
        HOST,
        PORT: String(port),
        OPS_PORT: String(await freePort()),
      }),
    ),
    ...Array.from({ length: workers }, async (_, i) =>
      startReplaceable(`work ${i + 1}`, 'work', { ...env, HOST: '127.0.0.1', OPS_PORT: String(await freePort()) }),
    ),
  ]);
  return {
    databaseUrl: database.url,
    port,
    processes,
    account: JSON.parse(stdout) as Account,
    async stop() {
      await Promise.all(processes.map(one => one.kill()));
      await database.stop();
    },
  };
}

/** Whether a second loopback address can be listened on; Linux has all of them, macOS one. */
export async function hasAddress(address: string): Promise<boolean> {
  const socket = createConnection({ host: '127.0.0.1', port: 1, localAddress: address });
  const [error] = (await once(socket, 'error').catch(cause => [cause])) as [NodeJS.ErrnoException];
  return error.code === 'ECONNREFUSED';
}
