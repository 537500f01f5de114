/** The receivers of examples/, each in a process of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { signRecipe } from '../../tools/signature-vectors.ts';
import { freePort } from '../free-port.ts';
import { patience } from '../game-studio.ts';
import { MONO, MONO_LIBRARIES, missing } from './debian-packages.ts';

const FOLDER = fileURLToPath(new URL('../../examples/receivers/', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'coinslot-receivers-'));

export interface Receiver {
  language: string;
  /** What must be on the PATH. */
  needs: string[];
  /** Fails where the language is only partly installed, such as Mono without its libraries. */
  probe?: () => void;
  build?: () => void;
  command: (port: number) => [string, ...string[]];
}

const at = (file: string): string => join(FOLDER, file);
const compiled = join(scratch, 'receiver-in-go');
const compiledForMono = join(scratch, 'Receiver.exe');

const quietly = (program: string, ...args: string[]): void =>
  void execFileSync(program, args, { stdio: 'ignore', timeout: 60_000 });

const noMono = await missing(MONO);

/** For programs that end after seconds: the first compiler alone, and one thread for garbage. */
export const QUICK_JAVA = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

const RECEIVERS: Receiver[] = [
  { language: 'Node', needs: ['node'], command: () => [process.execPath, at('node/receiver.mjs')] },
  {
    language: 'Python',
    needs: ['python3'],
    probe: () => quietly('python3', '-c', 'import hashlib, hmac, http.server'),
    command: () => ['python3', at('python/receiver.py')],
  },
  { language: 'Java', needs: ['javac'], command: () => ['java', ...QUICK_JAVA, at('java/Receiver.java')] },
  {
    language: 'Go',
    needs: ['go'],
    build: () => void execFileSync('go', ['build', '-o', compiled, at('go/receiver.go')]),
    command: () => [compiled],
  },
  {
    language: 'PHP',
    needs: ['php'],
    probe: () => quietly('php', '-r', 'hash_hmac("sha256", "a", json_encode([1]));'),
    command: port => ['php', '-S', `127.0.0.1:${port}`, at('php/receiver.php')],
  },
  {
    language: 'Ruby',
    needs: ['ruby'],
    probe: () => quietly('ruby', '-ropenssl', '-rjson', '-rsocket', '-e', '1'),
    command: () => ['ruby', at('ruby/receiver.rb')],
  },
  {
    language: 'C# (.NET)',
    needs: ['dotnet'],
    build: () => void execFileSync('dotnet', ['build', at('csharp'), '-o', join(scratch, 'csharp')]),
    command: () => ['dotnet', join(scratch, 'csharp', 'Receiver.dll')],
  },
  {
    language: 'C# (Mono)',
    needs: ['mcs', 'mono'],
    probe: () => {
      if (noMono !== null) throw new Error(noMono);
    },
    build: () => void execFileSync('mcs', [MONO_LIBRARIES, `-out:${compiledForMono}`, at('csharp/Receiver.cs')]),
    command: () => ['mono', compiledForMono],
  },
];

export const onPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, program)));

function isWhole({ probe }: Receiver): boolean {
  try {
    probe?.();
    return true;
  } catch {
    return false;
  }
}

const onThisMachine = RECEIVERS.filter(({ needs }) => needs.every(onPath));
/** Receivers whose language can be run here, as a whole. */
export const here = onThisMachine.filter(isWhole);
const partly = onThisMachine.filter(receiver => !here.includes(receiver));
const absent = RECEIVERS.filter(receiver => !onThisMachine.includes(receiver));
const names = (some: Receiver[]): string => some.map(({ language }) => language).join(', ');
const aside = (what: string, some: Receiver[]): string => (some.length > 0 ? `; ${what}: ${names(some)}` : '');

/** Which languages are tried, and which are not and why. */
export const whatRuns = `${names(here)}${aside('not on this machine and so not run', absent)}${aside('only partly installed and so not run', partly)}`;

export const cleanUp = (): void => rmSync(scratch, { recursive: true, force: true });

export interface Running {
  url: string;
  /** What it printed: a line for each item, `item.add player sku count`. */
  log(): string[];
  stop(): Promise<void>;
}

interface Started {
  url: string;
  child: ChildProcess;
  printed(): string;
  stop(): Promise<void>;
}

async function startReceiver({ language, build, command }: Receiver, secret: string): Promise<Started> {
  build?.();
  const port = await freePort();
  const [program, ...args] = command(port);
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    // What they print of a player's name.
    LC_ALL: 'C.UTF-8',
    PORT: String(port),
    WEBHOOK_SECRET: secret,
    STATE_FILE: join(scratch, `${language}.json`),
    JOURNAL: join(scratch, `${language}.journal`),
  };
  const child: ChildProcess = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (printed += String(chunk)));
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    child,
    printed: () => printed,
    async stop() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

export async function runReceiver(receiver: Receiver, secret: string): Promise<Running> {
  const { url, printed, stop } = await startReceiver(receiver, secret);
  await vi
    .waitFor(() => fetch(url, { method: 'POST' }), patience)
    .catch(async (error: unknown) => {
      await stop();
      throw new Error(`the receiver in ${receiver.language} does not answer:\n${printed()}`, { cause: error });
    });
  return {
    url,
    log: () =>
      printed()
        .split('\n')
        .filter(line => /^item\.(?:add|remove) /.test(line)),
    stop,
  };
}

/** What `coinslot exam --start` needs for it. */
export function examinedBy(receiver: Receiver, port: number): { command: string; env: Record<string, string> } {
  receiver.build?.();
  const words = receiver.command(port).map(word => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  const { PATH = '', HOME = '' } = process.env;
  const state = join(scratch, `${receiver.language}-exam`);
  return {
    command: `exec ${words.join(' ')}`,
    env: { PATH, HOME, LC_ALL: 'C.UTF-8', STATE_FILE: state, JOURNAL: `${state}.journal` },
  };
}

/** Whether it ends at once, or answers even what is signed with its secret by an error of its own. */
export async function refusesToServe(receiver: Receiver, secret: string): Promise<boolean> {
  const { url, child, stop } = await startReceiver(receiver, secret);
  const body = '{"event_type":"webhook.test","idempotency_key":"weak","event_data":{}}';
  const headers = signRecipe({ secret, timestamp: String(Math.floor(Date.now() / 1000)), body });
  try {
    return await vi.waitFor(async () => {
      if (child.exitCode !== null) return child.exitCode !== 0;
      return (await fetch(url, { method: 'POST', body, headers })).status >= 500;
    }, patience);
  } finally {
    await stop();
  }
}
