import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type CountOf, countInInventory } from '@coinslot/exam';

/** A receiver that the exam started itself, so that it can crash it and read its output. */
export interface ReceiverProcess {
  restart(): Promise<void>;
  stop(): Promise<void>;
  countOf: CountOf;
  printed(): string;
}

const REACHED_MS = 60_000;
const EVERY_MS = 100;
const SETTLE_MS = 1_500;
const CLOSED_MS = 1_000;

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

async function answers(url: URL, child: ChildProcess): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < REACHED_MS; waitedMs += EVERY_MS) {
    if (child.exitCode !== null || child.signalCode !== null) return false;
    const isUp = await fetch(url, { method: 'POST', signal: AbortSignal.timeout(5_000) }).then(
      () => true,
      () => false,
    );
    if (isUp) return true;
    await pause(EVERY_MS);
  }
  return false;
}

/** Finds the last count in a line such as `item.add player sku 3`, which our example receivers print. */
function lastCount(text: string, playerId: string, sku: string): number | null {
  const lines = text.split('\n').filter(line => line.includes(` ${playerId} ${sku} `));
  const count = Number(lines.at(-1)?.split(' ').at(-1));
  return lines.length === 0 || Number.isNaN(count) ? null : count;
}

export async function startReceiver(
  command: string,
  url: URL,
  env: Record<string, string | undefined>,
  cwd?: string,
): Promise<ReceiverProcess> {
  let text = '';
  let child: ChildProcess;
  const launch = async (): Promise<void> => {
    text = '';
    // The receiver gets its own process group, because a shell may run between it and the exam.
    child = spawn(command, { shell: true, detached: true, env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (text += String(chunk)));
    if (await answers(url, child)) return;
    await kill();
    throw new Error(`The receiver does not answer at ${url.href}. It printed:\n${text.slice(-2_000)}`);
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    // Waits for `close`, so that all output has been read. Another process may keep the output open, hence the limit.
    const gone = Promise.race([once(child, 'close'), once(child, 'exit').then(() => pause(CLOSED_MS))]);
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
    await gone;
  };
  await launch();
  return {
    async restart() {
      await kill();
      const before = text;
      await launch();
      text = before + text;
    },
    stop: kill,
    printed: () => text,
    async countOf(playerId, sku) {
      for (let waitedMs = 0; waitedMs < SETTLE_MS; waitedMs += EVERY_MS) {
        if (lastCount(text, playerId, sku) !== null) break;
        await pause(EVERY_MS);
      }
      // Output that was printed a moment ago may still be on its way.
      await pause(EVERY_MS);
      return lastCount(text, playerId, sku) ?? 0;
    },
  };
}

/** Reads `{ "sku": count }` from one of the game's addresses, which contains `{player_id}`. */
export const inventoryAt =
  (address: string): CountOf =>
  async (playerId, sku) => {
    const url = address.replaceAll('{player_id}', encodeURIComponent(playerId));
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    return countInInventory(response.status, await response.text(), sku);
  };
