import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import { systemClock } from '../kit/clock.ts';
import { COUNT_MS, isProcessMessage, type ProcessMessage, withinMs } from './process-messages.ts';
import { untilStopped } from './until-stopped.ts';

/** A process that dies sooner than this is replaced after a pause. */
const LEAST_LIFE_MS = 10_000;
const RESTART_PAUSE_MS = 1_000;

export interface SupervisorOptions {
  count: number;
  stopDelaySeconds: number;
  say: (text: string) => void;
  onReady: () => void;
}

/** Resolves when the process serves, or with false when it ended before. */
function untilReady(worker: Worker): Promise<boolean> {
  return new Promise(resolve => {
    worker.on('message', (message: unknown) => {
      if (isProcessMessage(message) && message.kind === 'coinslot:ready') resolve(true);
    });
    worker.once('exit', () => resolve(false));
  });
}

const ended = (worker: Worker): Promise<void> =>
  worker.isDead() ? Promise.resolve() : new Promise(resolve => void worker.once('exit', () => resolve()));

type Counted = NonNullable<Extract<ProcessMessage, { kind: 'coinslot:count' }>['counted']>;

/** Answers any process that asks for metrics with the sum over all of them. */
function answerMetrics(ready: ReadonlySet<Worker>): void {
  const waiting = new Map<string, (counted: Counted | null) => void>();
  let asked = 0;
  const ask = async (worker: Worker, id: number): Promise<Counted | null> => {
    const answer = new Promise<Counted | null>(resolve => void waiting.set(`${worker.id} ${id}`, resolve));
    worker.send({ kind: 'coinslot:count', id } satisfies ProcessMessage);
    return answer;
  };
  const addUp = async (): Promise<string | null> => {
    asked += 1;
    const id = asked;
    const workers = [...ready].filter(worker => worker.isConnected());
    const all = await withinMs(COUNT_MS, Promise.all(workers.map(worker => ask(worker, id))));
    for (const worker of workers) waiting.delete(`${worker.id} ${id}`);
    if (!all?.every(counted => counted !== null)) return null;
    // The default metrics of the library do not say how to aggregate them, so they are summed.
    for (const metric of all.flat()) metric.aggregator ??= 'sum';
    return AggregatorRegistry.aggregate(all).metrics();
  };
  cluster.on('message', (worker, message: unknown) => {
    if (!isProcessMessage(message)) return;
    if (message.kind === 'coinslot:count') waiting.get(`${worker.id} ${message.id}`)?.(message.counted ?? null);
    if (message.kind !== 'coinslot:metrics') return;
    const answer = (text: string | null): void => {
      if (worker.isConnected())
        worker.send({ kind: 'coinslot:metrics', id: message.id, text } satisfies ProcessMessage);
    };
    void addUp().then(answer, () => answer(null));
  });
}

/** Runs several processes on one port, replaces one that dies, and resolves when all have ended. */
export async function superviseProcesses({
  count,
  stopDelaySeconds,
  say,
  onReady,
}: SupervisorOptions): Promise<number> {
  const running = new Set<Worker>();
  const leaving = new Set<Worker>();
  const ready = new Set<Worker>();
  let isStopping = false;
  answerMetrics(ready);

  function start(): Worker {
    const worker = cluster.fork();
    const bornMs = systemClock.nowMs();
    running.add(worker);
    void untilReady(worker).then(isReady => isReady && ready.add(worker));
    worker.once('exit', (code, signal) => {
      running.delete(worker);
      ready.delete(worker);
      if (isStopping || leaving.delete(worker)) return;
      say(`Process ${worker.process.pid} ended with ${signal ?? code}; another one is started.`);
      void replace(systemClock.nowMs() - bornMs < LEAST_LIFE_MS ? RESTART_PAUSE_MS : 0);
    });
    return worker;
  }

  async function replace(waitMs: number): Promise<void> {
    if (waitMs > 0) await pause(waitMs);
    if (!isStopping) start();
  }

  /** Starts each new process before it stops the old one, so that there are never fewer. */
  async function replaceAll(): Promise<void> {
    const before = Array.from(running);
    for (const old of before) {
      if (isStopping || !(await untilReady(start()))) return;
      leaving.add(old);
      ready.delete(old);
      old.process.kill('SIGTERM');
      await ended(old);
    }
    say('All processes were replaced.');
  }

  let rolling = Promise.resolve();
  process.on('SIGHUP', () => {
    rolling = rolling.then(replaceAll);
  });

  const stopped = untilStopped(say, stopDelaySeconds);
  const first = Array.from({ length: count }, start);
  // A problem that stops the first processes would stop all others too, and each has printed it.
  const isUp = (await Promise.all(first.map(untilReady))).every(Boolean);
  if (isUp) {
    onReady();
    await stopped;
  }
  isStopping = true;
  const workers = [...running];
  for (const worker of workers) worker.process.kill('SIGTERM');
  await Promise.all(workers.map(ended));
  return isUp ? 0 : 1;
}

export const isSupervisor = (count: number): boolean => count > 1 && cluster.isPrimary;
