import type { Fragment, Queryable } from '../db/statement.ts';
import { dueStatement, findDue } from './lookout.sql.ts';

/** A loop or a sweep that is woken when there is something for it. */
export interface Watched {
  /** In SQL: true whenever it would find something. If it is true too often, that costs a look of its own. */
  isDue: Fragment;
  /** Is looked for four times as often. */
  isUrgent?: boolean;
  wake(): void;
}

export interface LookoutOptions {
  db: Queryable;
  watched: readonly Watched[];
  onError: (error: unknown, source: string) => void;
  /** Tests shorten it. */
  everyMs?: number;
}

export interface Lookout {
  start(): void;
  stop(): Promise<void>;
}

const EVERY_MS = 250;
/** Each loop is looked for once a second. */
const LOOKS_TO_WHOLE = 4;

/**
 * One look a second for all loops and sweeps, in place of one for each: a program that has nothing to do asks the database
 * little. When the look fails or does not come back, each is woken and looks for itself, so no loop waits for another's
 * connection.
 */
export function createLookout({ db, watched, onError, everyMs = EVERY_MS }: LookoutOptions): Lookout {
  const groupOf = (name: string, group: readonly Watched[]) => ({
    group,
    statement: dueStatement(
      name,
      group.map(({ isDue }) => isDue),
    ),
  });
  const whole = groupOf('work_find_due', watched);
  const urgent = groupOf(
    'work_find_urgent',
    watched.filter(({ isUrgent }) => isUrgent),
  );
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isStopped = false;
  let ticks = 0;

  function wakeAll(group: readonly Watched[]): void {
    if (!isStopped) for (const one of group) one.wake();
  }

  async function look({ group, statement }: typeof whole): Promise<void> {
    try {
      const due = await findDue(db, statement);
      wakeAll(group.filter((_, i) => due[i]));
    } catch (error) {
      onError(error, 'look for work');
      wakeAll(group);
    }
  }

  function tick(): void {
    const isWhole = ++ticks % LOOKS_TO_WHOLE === 0;
    if (looking) {
      if (isWhole) wakeAll(watched);
      return;
    }
    looking = look(isWhole ? whole : urgent).finally(() => {
      looking = undefined;
    });
  }

  return {
    start() {
      wakeAll(watched);
      timer = setInterval(tick, everyMs);
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await looking;
    },
  };
}
