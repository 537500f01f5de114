import type pg from 'pg';
import { steadyMs } from '../kit/clock.ts';
import { APPLICATION_NAME, nameConnection } from './listening-client.ts';

/** How many slots there are in all, and how many of them this process uses right now. */
export interface Slots {
  most: number;
  inUse: () => number;
}

export interface Balance {
  /** What this process may use from now on. */
  usable: number;
  /** What the other processes must take as used by it: more than `usable` while older uses still end. */
  held: number;
}

/**
 * A process that comes later gets nothing before the others have given some back, so all together never have more than
 * there is.
 */
export function balance(slots: Slots, held: number, others: readonly number[]): Balance {
  const processes = others.length + 1;
  if (processes > slots.most) return { usable: 1, held: 1 };
  const free = slots.most - others.reduce((sum, one) => sum + one, 0);
  const wanted = Math.max(0, Math.min(Math.floor(slots.most / processes), free));
  return { usable: Math.min(wanted, held), held: Math.max(wanted, Math.min(held, slots.inUse())) };
}

/** What a process holds is part of its connection's name, so that it ends with the connection. */
export const nameWith = (held: number): string => `${APPLICATION_NAME} ${held}`;

/** Each process asks at least this often how many others there are. */
export const ASK_EVERY_MS = 3_000;
/** A process that is suspended keeps its connection. Once it runs again, it uses no slots before it has asked again … */
const ANSWER_HOLDS_MS = 2 * ASK_EVERY_MS;
/** … and the others no longer count it by then. */
const SILENT_SECONDS = (3 * ASK_EVERY_MS) / 1_000;

async function heldByOthers(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ held: number }>(
    `select coalesce(nullif(split_part(application_name, ' ', 2), '')::int, 0) as held from pg_stat_activity
     where datname = current_database() and application_name like '${APPLICATION_NAME}%' and pid <> pg_backend_pid()
       and state_change > clock_timestamp() - make_interval(secs => ${SILENT_SECONDS})`,
  );
  return rows.map(({ held }) => held);
}

/**
 * Announces what it wants to hold, then looks again before it uses it: of two processes that grow at the same time, one sees the
 * other.
 */
async function shareSlots(client: pg.Client, slots: Slots, heldBefore: number): Promise<Balance> {
  const { held } = balance(slots, heldBefore, await heldByOthers(client));
  if (held !== heldBefore) await nameConnection(client, nameWith(held));
  const { usable } = balance(slots, held, await heldByOthers(client));
  return { usable, held };
}

/** A part of what this process holds is still in use, or was promised to another: so it asks again soon. */
const ASK_SOON_MS = 100;
/** The others hold everything, and one of them may stand still: its part is free as soon as it has been silent for long enough. */
const ASK_WITH_NOTHING_MS = 500;

interface Keeper {
  client: () => pg.Client | undefined;
  onChange: () => void;
  onError: (error: Error) => void;
}

/** Keeps what this process may use in step with the other processes. */
export function createShareKeeper({ client, onChange, onError }: Keeper) {
  let slots: Slots = { most: 1, inUse: () => 0 };
  let now: Balance = { usable: 0, held: 0 };
  let askedAt = Number.NEGATIVE_INFINITY;
  let asked = Promise.resolve();
  let again: NodeJS.Timeout | undefined;
  let isLate = false;

  function usable(): number {
    if (steadyMs() - askedAt < ANSWER_HOLDS_MS) return now.usable;
    // A caller that is refused because the last answer is too old is woken by the next one, even if it was requested before.
    isLate = true;
    return 0;
  }

  /** An unanswered question ends the connection, and its end opens the next one. */
  async function askNow(): Promise<void> {
    const connection = client();
    if (!connection) return;
    const before = now;
    const startedAt = steadyMs();
    now = await shareSlots(connection, slots, before.held);
    askedAt = startedAt;
    const isChanged = isLate || now.held !== before.held || now.usable > before.usable;
    isLate = false;
    if (isChanged) onChange();
    if (now.held > now.usable) askIn(ASK_SOON_MS);
    else if (now.held === 0) askIn(ASK_WITH_NOTHING_MS);
  }

  function askIn(ms: number): void {
    clearTimeout(again);
    again = setTimeout(() => void ask(), ms).unref();
  }

  function ask(): Promise<void> {
    asked = asked.then(askNow).catch(onError);
    return asked;
  }

  return {
    ask,
    held: () => now.held,
    of(wanted: Slots): () => number {
      slots = wanted;
      return usable;
    },
  };
}
