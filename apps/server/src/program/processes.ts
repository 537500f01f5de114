import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';
import { AppError } from '../kit/app-error.ts';
import { systemClock } from '../kit/clock.ts';
import { untilStopped } from './until-stopped.ts';

/** One that dies at once again is not started over and over. */
const LEAST_LIFE_MS = 10_000;
const RESTART_PAUSE_MS = 1_000;
/** Less than the ten seconds that Prometheus waits. */
const COUNT_MS = 8_000;
const METRICS_MS = 9_000;

type Message =
  | { kind: 'coinslot:ready' }
  /** One process asks the supervisor for the sum of all, and is answered by the same name. */
  | { kind: 'coinslot:metrics'; id: number; text?: string | null }
  /** The supervisor asks each process for its own, and is answered by the same name. */
  | { kind: 'coinslot:count'; id: number; counted?: MetricObjectWithValues<MetricValue<string>>[] | null };

const isOurs = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'kind' in message && String(message.kind).startsWith('coinslot:');

export interface SupervisorOptions {
  count: number;
  stopDelaySeconds: number;
  say: (text: string) => void;
  /** All of them serve. */
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

/** A part of the whole would look like a restart of the counters: rather none. */
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

/** Adds up what all processes counted, for whichever of them is asked. */
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
    // What counts by itself, without saying how it is added up, is summed.
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

/** Several processes on one port, one of them replaced when it dies. Ends with all of them. */
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

  /** The next one serves before the one it replaces leaves, so there are never fewer. */
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
  // What keeps the first ones from starting would keep all others too; each has said what it is.
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
  /** What this process counts is added to what the others do. */
  share(own: Registry, onError: (error: unknown) => void): void;
  /** Of all processes together. */
  readMetrics(): Promise<string>;
  ready(): void;
  /** So that this process can end by itself. */
  leave(): void;
}

/** What a process of several does beside its work; null: it is alone. */
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
  // Without the one that started it, no other would stop it.
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
