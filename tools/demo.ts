/** `npm run demo`: Coinslot and a small game beside it, with data of their own that is gone when they stop. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { serveGame } from '../examples/game/src/serve-game.ts';

const PROGRAM = fileURLToPath(new URL('../apps/server/dist/main.js', import.meta.url));
const EMAIL = 'demo@crystal-hollow.example';
const START_MS = 60_000;
/** `npm run demo -- --receiver python`: items are granted by a receiver of examples/receivers. */
const RECEIVER = parseArgs({ options: { receiver: { type: 'string' } } }).values.receiver;

interface Registered {
  game_id: string;
  sandbox: { s2s_key: string };
}

/** The port people expect, or any free one when another program has it. */
async function freePort(wanted: number): Promise<number> {
  for (const port of [wanted, 0]) {
    const server = createServer();
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    const { port: free } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return free;
  }
  throw new Error('There is no free port on 127.0.0.1.');
}

function portFrom(name: 'PORT' | 'GAME_PORT', usual: number): number {
  const text = process.env[name];
  if (!text) return usual;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`${name} is a port number, such as ${usual}; not ${JSON.stringify(text)}.`);
}

async function untilReady(child: ChildProcess): Promise<void> {
  let log = '';
  await new Promise<void>((ready, failed) => {
    const timer = setTimeout(() => failed(new Error(`Coinslot did not start:\n${log}`)), START_MS);
    const hear = (chunk: Buffer): void => {
      log += chunk.toString();
      if (!log.includes(' is running at ')) return;
      clearTimeout(timer);
      ready();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', code => failed(new Error(`Coinslot ended with ${code}:\n${log}`)));
  });
}

async function register(env: NodeJS.ProcessEnv, password: string): Promise<Registered> {
  const command = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [PROGRAM, ...args], { env })).stdout;
  const account = JSON.parse(
    await command(
      'setup',
      `--email=${EMAIL}`,
      `--password=${password}`,
      '--company=Hollow Games',
      '--game-url=https://play.google.com/store/apps/details?id=com.example.crystalhollow',
      '--game-name=Crystal Hollow',
      '--json',
    ),
  ) as Registered;
  await command('game', `--game=${account.game_id}`, '--accent=#7c5cff', '--json');
  return account;
}

const welcome = (gameUrl: string, coinslotUrl: string, password: string): string => `
  The game is open at   ${gameUrl}

  Pay with              4242 4242 4242 4242, any future date, any CVV, any postal code
  Dashboard             ${coinslotUrl}/dashboard
    sign in as          ${EMAIL}
    password            ${password}
  Stop                  Ctrl-C. Everything in it is forgotten then.
`;

/** From the first moment on, and for good: a second Ctrl-C must not leave a database behind. */
const stopped = new Promise<void>(resolve => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function run(dataDir: string, atEnd: (() => unknown)[]): Promise<void> {
  const port = await freePort(portFrom('PORT', 4242));
  const coinslotUrl = `http://localhost:${port}`;
  // Nothing of the caller's settings: a DATABASE_URL in the shell must not turn this into a demo on real data.
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: coinslotUrl };
  const password = `hollow lamp by the river ${randomInt(100_000, 1_000_000)}`;
  console.log('Starting Coinslot and the game …');
  // Out of reach of the terminal's Ctrl-C: it takes a second signal as "at once", and would leave its database running.
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  atEnd.unshift(() => end(child));
  await untilReady(child);
  const { sandbox } = await register(env, password);
  const game = await serveGame({
    s2sKey: sandbox.s2s_key,
    coinslotUrl,
    port: await freePort(portFrom('GAME_PORT', 4300)),
    ...(RECEIVER && { receiver: { name: RECEIVER, port: await freePort(4301) } }),
  });
  atEnd.unshift(() => game.stop().catch(() => {}));
  console.log(welcome(game.url, coinslotUrl, password));
  await once(child, 'exit');
  throw new Error('Coinslot ended by itself.');
}

async function demo(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'coinslot-demo-'));
  const atEnd: (() => unknown)[] = [() => rm(dataDir, { recursive: true, force: true })];
  try {
    await Promise.race([run(dataDir, atEnd), stopped]);
  } finally {
    for (const step of atEnd) await step();
  }
}

demo().then(
  // What was under way when it was stopped must not keep it alive.
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
