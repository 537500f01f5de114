import type pg from 'pg';
import { steadyMs } from '../../kit/clock.ts';
import { MONEY_LIMITS } from './session.ts';

/** Which open connections a caller may still be given. */
export interface Trust {
  opened(client: pg.ClientBase): void;
  openedReadOnly(client: pg.ClientBase): void;
  cutWhenDistrusted(client: pg.ClientBase, cut: () => void): void;
  closed(client: pg.ClientBase): void;
  /** Asked when a caller is to be given the connection. */
  isTrusted(client: pg.ClientBase): boolean;
  distrustAll(): void;
  /** A statement had no answer at all. */
  distrustSilent(): void;
}

/** An answer that is on its way still comes. What waits for one longer would wait for all of its limit. */
const CUT_AFTER_MS = 1_000;

/** One socket that fell silent, or one session that turned read-only, says that the others opened before it are no better. */
export function createTrust(): Trust {
  let generation = 0;
  let silentAtMs = Number.NEGATIVE_INFINITY;
  const openedIn = new WeakMap<pg.ClientBase, number>();
  const readOnly = new WeakSet<pg.ClientBase>();
  const cuts = new Map<pg.ClientBase, () => void>();

  function cutOlder(than: number): void {
    for (const [client, cut] of cuts) if ((openedIn.get(client) ?? 0) < than) cut();
  }

  function distrustAll(): void {
    generation += 1;
    const than = generation;
    setTimeout(() => cutOlder(than), CUT_AFTER_MS).unref();
  }

  return {
    opened: client => void openedIn.set(client, generation),
    openedReadOnly: client => void readOnly.add(client),
    cutWhenDistrusted: (client, cut) => void cuts.set(client, cut),
    closed: client => void cuts.delete(client),
    isTrusted(client) {
      const isTrusted = openedIn.get(client) === generation;
      // A read-only session serves one caller: by the next the database may take writes again, and an open session does not learn of it.
      if (readOnly.has(client)) openedIn.delete(client);
      return isTrusted;
    },
    distrustAll,
    distrustSilent() {
      // What was sent before the last time is answered late on connections that are distrusted already; newer ones need not go.
      if (steadyMs() < silentAtMs + MONEY_LIMITS.answerMs) return;
      silentAtMs = steadyMs();
      distrustAll();
    },
  };
}
