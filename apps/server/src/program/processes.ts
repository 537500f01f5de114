import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';
import { AppError } from '../kit/app-error.ts';
import { systemClock } from '../kit/clock.ts';
import { untilStopped } from './until-stopped.ts';

/** A process that dies sooner than this is replaced after a pause. */
const LEAST_LIFE_MS = 10_000;
const RESTART_PAUSE_MS = 1_000;
/** Both are shorter than the ten seconds that Prometheus waits. */
const COUNT_MS = 8_000;
const METRICS_MS = 9_000;

type Message =
  | { kind: 'coinslot:ready' }
  /** A process asks the supervisor for the sum of all; the answer has the same kind. */
  | { kind: 'coinslot:metrics'; id: number; text?: string | null }
  /** The supervisor asks each process for its own metrics; the answer has the same kind. */
  | { kind: 'coinslot:count'; id: number; counted?: MetricObjectWithValues<MetricValue<string>>[] | null };

const isOurs = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'kind' in message && String(message.kind).startsWith('coinslot:');

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
      if (isOurs(message) && message.kind === 'coinslot:ready') resolve(true);
    });
    worker.once('exit', () => resolve(false));
  });
}

const ended = (worker: Worker): Promise<void> =>
  worker.isDead() ? Promise.resolve() : new Promise(resolve => void worker.once('exit', () => resolve()));

/** Returns null after the limit: metrics of only some processes would look like a restart of the counters. */
async function withinMs<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const limit = new AbortController();
  const late = pause(ms, null, { signal: limit.signal }).catch(() => null);
  try {
    return await Promise.race([work, late]);
  } finally {
    limit.abort();
  }
}

type Counted = NonNullable<Extract<Message, { kind: 'coinslot:count' }>['counted']>;

/** Answers any process that asks for metrics with the sum over all of them. */
function answerMetrics(ready: ReadonlySet<Worker>): void {
  const waiting = new Map<string, (counted: Counted | null) => void>();
  let asked = 0;
  const ask = async (worker: Worker, id: number): Promise<Counted | null> => {
    const answer = new Promise<Counted | null>(resolve => void waiting.set(`${worker.id} ${id}`, resolve));
    worker.send({ kind: 'coinslot:count', id } satisfies Message);
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
    if (!isOurs(message)) return;
    if (message.kind === 'coinslot:count') waiting.get(`${worker.id} ${message.id}`)?.(message.counted ?? null);
    if (message.kind !== 'coinslot:metrics') return;
    const answer = (text: string | null): void => {
      if (worker.isConnected()) worker.send({ kind: 'coinslot:metrics', id: message.id, text } satisfies Message);
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

export interface Membership {
  /** Adds the metrics of this process to those of the others. */
  share(own: Registry, onError: (error: unknown) => void): void;
  readMetrics(): Promise<string>;
  ready(): void;
  /** Disconnects from the supervisor, so that this process can end. */
  leave(): void;
}

/** Connects this process to its supervisor; null when the process runs alone. */
export function joinProcesses(): Membership | null {
  if (!cluster.isWorker) return null;
  const waiting = new Map<number, (text: string | null) => void>();
  let asked = 0;
  let shared: Registry | undefined;
  let onError: (error: unknown) => void = () => {};
  const send = (message: Message): void => void (process.connected && process.send?.(message));
  process.on('message', (message: unknown) => {
    if (!isOurs(message)) return;
    if (message.kind === 'coinslot:metrics') waiting.get(message.id)?.(message.text ?? null);
    if (message.kind !== 'coinslot:count' || !shared) return;
    const { id } = message;
    void shared.getMetricsAsJSON().then(
      counted => send({ kind: 'coinslot:count', id, counted }),
      error => {
        onError(error);
        send({ kind: 'coinslot:count', id, counted: null });
      },
    );
  });
  // Without its supervisor, nothing else would stop this process.
  const stop = (): void => void process.kill(process.pid, 'SIGTERM');
  process.once('disconnect', stop);
  return {
    share(own, onOwnError) {
      shared = own;
      onError = onOwnError;
    },
    async readMetrics() {
      asked += 1;
      const id = asked;
      const answer = new Promise<string | null>(resolve => void waiting.set(id, resolve));
      send({ kind: 'coinslot:metrics', id });
      const text = await withinMs(METRICS_MS, answer);
      waiting.delete(id);
      if (text === null) throw new AppError('unavailable', { detail: 'Not every process answered.' });
      return text;
    },
    ready: () => send({ kind: 'coinslot:ready' }),
    leave() {
      process.off('disconnect', stop);
      if (process.connected) process.disconnect();
    },
  };
}

export const isSupervisor = (count: number): boolean => count > 1 && cluster.isPrimary;
