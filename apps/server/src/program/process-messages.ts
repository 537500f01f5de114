import { setTimeout as pause } from 'node:timers/promises';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** Both are shorter than the ten seconds that Prometheus waits. */
export const COUNT_MS = 8_000;
export const METRICS_MS = 9_000;

/** What a process and its supervisor tell each other. */
export type ProcessMessage =
  | { kind: 'coinslot:ready' }
  /** A process asks the supervisor for the sum of all; the answer has the same kind. */
  | { kind: 'coinslot:metrics'; id: number; text?: string | null }
  /** The supervisor asks each process for its own metrics; the answer has the same kind. */
  | { kind: 'coinslot:count'; id: number; counted?: MetricObjectWithValues<MetricValue<string>>[] | null };

export const isProcessMessage = (message: unknown): message is ProcessMessage =>
  typeof message === 'object' && message !== null && 'kind' in message && String(message.kind).startsWith('coinslot:');

/** Returns null after the limit: metrics of only some processes would look like a restart of the counters. */
export async function withinMs<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const limit = new AbortController();
  const late = pause(ms, null, { signal: limit.signal }).catch(() => null);
  try {
    return await Promise.race([work, late]);
  } finally {
    limit.abort();
  }
}
