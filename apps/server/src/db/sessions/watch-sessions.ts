import type pg from 'pg';
import { steadyMs } from '../../kit/clock.ts';

export interface SessionFigures {
  /** How many sessions there were when another could not be had, until one can again; null: all that were wanted came. */
  shortAt: number | null;
  /** How long the connection that has waited longest was sent nothing at all: a slow database is not a silent one. */
  silentMs: number;
}

/** What a server says on the way to a session, and after each statement. */
const SERVER_WORDS = ['connect', 'authenticationSASL', 'authenticationSASLContinue', 'readyForQuery'] as const;

/** Follows the connections of a pool for readiness: how many sessions there are, and when each that waits last got an answer. */
export function watchSessions() {
  const lastSeenMs = new Map<pg.ClientBase, number>();
  const prepared = new WeakSet<pg.ClientBase>();
  let sessions = 0;
  let shortAt: number | null = null;
  const begin = (client: pg.ClientBase): void => void lastSeenMs.set(client, steadyMs());
  return {
    opened(client: pg.Client): void {
      begin(client);
      const note = (): void => {
        if (lastSeenMs.has(client)) begin(client);
      };
      for (const word of SERVER_WORDS) client.connection.on(word, note);
    },
    follow(pool: pg.Pool): void {
      pool.on('acquire', begin);
      pool.on('release', (_error, client) => void lastSeenMs.delete(client));
      pool.on('remove', client => {
        lastSeenMs.delete(client);
        if (prepared.delete(client)) sessions -= 1;
      });
    },
    prepared(client: pg.ClientBase): void {
      prepared.add(client);
      sessions += 1;
      if (shortAt !== null && sessions > shortAt) shortAt = null;
    },
    /** While others have a session the database is there: a pooler or the server has no more of them. */
    refused(): void {
      if (sessions > 0) shortAt = sessions;
    },
    figures: (): SessionFigures => ({ shortAt, silentMs: steadyMs() - Math.min(steadyMs(), ...lastSeenMs.values()) }),
  };
}
