import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type CountOf, countInInventory, type ExamProcess } from '@coinslot/exam';

/** A receiver that the exam started itself, so that it can crash it and read its output. */
export interface ReceiverProcess extends ExamProcess {
  stop(): Promise<void>;
  /** Everything that it has printed, also before a crash. */
  printed(): string;
}

const REACHED_MS = 60_000;
const EVERY_MS = 100;
/** A receiver that will not serve without a secret has ended by then, or says so in its answers. */
const WITHOUT_SECRET_MS = 15_000;
const CLOSED_MS = 1_000;

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function answers(url: URL, child: ChildProcess, limitMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += EVERY_MS) {
    if (hasEnded(child)) return false;
    const isUp = await fetch(url, { method: 'POST', signal: AbortSignal.timeout(5_000) }).then(
      () => true,
      () => false,
    );
    if (isUp) return true;
    await pause(EVERY_MS);
  }
  return false;
}

export async function startReceiver(
  command: string,
  url: URL,
  env: Record<string, string | undefined>,
  cwd?: string,
): Promise<ReceiverProcess> {
  let text = '';
  let child: ChildProcess;
  const launch = async (secret = env.WEBHOOK_SECRET, limitMs = REACHED_MS): Promise<boolean> => {
    // The receiver gets its own process group, because a shell may run between it and the exam.
    const options = { shell: true, detached: true, cwd, env: { ...env, WEBHOOK_SECRET: secret } };
    child = spawn(command, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (text += String(chunk)));
    return answers(url, child, limitMs);
  };
  const kill = async (): Promise<void> => {
    if (hasEnded(child)) return;
    // Waits for `close`, so that all output has been read. Another process may keep the output open, hence the limit.
    const gone = Promise.race([once(child, 'close'), once(child, 'exit').then(() => pause(CLOSED_MS))]);
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
    await gone;
  };
  const start = async (): Promise<void> => {
    const before = text.length;
    if (await launch()) return;
    await kill();
    throw new Error(`The receiver does not answer at ${url.href}. It printed:\n${text.slice(before).slice(-2_000)}`);
  };
  await start();
  return {
    async crash() {
      await kill();
      await start();
    },
    async startWith(secret) {
      await kill();
      return launch(secret, WITHOUT_SECRET_MS);
    },
    ended: () =>
      hasEnded(child) ? (child.signalCode === null ? `exit code ${child.exitCode}` : child.signalCode) : null,
    stop: kill,
    printed: () => text,
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
