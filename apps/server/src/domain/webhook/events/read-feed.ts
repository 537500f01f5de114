import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable } from '../../../db/db.ts';
import { findNewestSeq } from '../../../db/read-numbered.sql.ts';
import { settle } from '../../../db/read-numbered.ts';
import { AppError } from '../../../kit/app-error.ts';
import type { Shop } from '../../shop.ts';
import { FEED_TABLES, type FeedEvent, findReadByAll, findRemovedSeq, listFeedEvents } from './feed.sql.ts';
import { seqOfCursor } from './feed-cursor.ts';

/** Numbers that one look reads, of all environments, and how many looks one call makes before it answers with what it has. */
const NUMBERS = 5_000;
const LOOKS = 4;

/** Transactions take milliseconds; a call waits this often for those that are open. */
const PATIENCE = 40;
const PAUSE_MS = 25;

export interface FeedPage {
  events: FeedEvent[];
  /** Everything up to here was given. */
  upTo: number;
  hasMore: boolean;
}

/**
 * Up to which number every event can be seen. A number is drawn before its transaction commits, so those that are open are
 * waited for; when one takes too long, what the roll-ups have waited for is the limit.
 */
async function findHorizon(db: Queryable): Promise<number> {
  const readByAll = await findReadByAll(db);
  let position = await settle(db, FEED_TABLES, { seq: readByAll, nextSeq: null, waitsFor: [] });
  for (let wait = 0; position.waitsFor.length > 0 && wait < PATIENCE; wait++) {
    await pause(PAUSE_MS);
    position = await settle(db, FEED_TABLES, position);
  }
  return position.waitsFor.length === 0 && position.nextSeq !== null ? position.nextSeq : readByAll;
}

/** Behind a place must be all that ever came: not so when a month was removed, or an older backup was restored. */
async function isWhole(db: Queryable, after: number): Promise<boolean> {
  const removedSeq = await findRemovedSeq(db);
  const newestSeq = await findNewestSeq(db, FEED_TABLES);
  return after >= removedSeq && after <= Math.max(newestSeq ?? 0, removedSeq);
}

async function readFrom(db: Queryable, environmentId: string, begin: number | null, limit: number): Promise<FeedPage> {
  const horizon = await findHorizon(db);
  let upTo = begin ?? horizon;
  const events: FeedEvent[] = [];
  for (let look = 0; look < LOOKS && upTo < horizon && events.length < limit; look++) {
    const span = { after: upTo, upTo: Math.min(upTo + NUMBERS, horizon), limit: limit - events.length };
    const found = await listFeedEvents(db, environmentId, span);
    events.push(...found);
    upTo = found.length === span.limit ? found.at(-1)!.seq : span.upTo;
  }
  return { events, upTo, hasMore: upTo < horizon };
}

/** Every event of an environment once, in the order of their numbers, from a cursor on. */
export async function readFeed(
  { db, seal }: Pick<Shop, 'seal'> & { db: Queryable },
  environmentId: string,
  { after, limit }: { after: string; limit: number },
): Promise<FeedPage> {
  if (after === 'now') return readFrom(db, environmentId, null, limit);
  const begin = after === 'start' ? await findRemovedSeq(db) : seqOfCursor(seal, environmentId, after);
  const page = await readFrom(db, environmentId, begin, limit);
  // Asked after the events were read: a month that went meanwhile may be missing among them.
  if (await isWhole(db, begin)) return page;
  throw new AppError('events_gone');
}
