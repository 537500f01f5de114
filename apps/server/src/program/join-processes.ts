import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import { AppError } from '../kit/app-error.ts';
import { isProcessMessage, METRICS_MS, type ProcessMessage, withinMs } from './process-messages.ts';

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
  const send = (message: ProcessMessage): void => void (process.connected && process.send?.(message));
  process.on('message', (message: unknown) => {
    if (!isProcessMessage(message)) return;
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
