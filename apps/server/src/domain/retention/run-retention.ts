import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Tx } from '../../db/db.ts';
import type { Shop } from '../shop.ts';
import { writeArchive } from './archive.ts';
import {
  deleteLateAttempts,
  deleteLateEvents,
  deleteOldMails,
  detachPartition,
  dropDetached,
  findExpiredPartition,
  findNewestSeqIn,
  isPartitionRead,
  keepOpenEvents,
  listPartitionRows,
  lockRetention,
  makeMissingPartitions,
  type OldRow,
  type RetentionKind,
  updateKeptFrom,
  updateRemovedSeq,
} from './retention.sql.ts';

/** In days; 0 keeps forever. */
export interface RetentionDays {
  deliveries: number;
  events: number;
  mails: number;
}

/** What is removed goes into the archive before. */
type Archiving = Pick<Shop, 'db' | 'archiveDir'>;

const BATCH = 1_000;
const FIRST_PLACE = '(0,0)';

async function* rowsOf(tx: Tx, name: string): AsyncGenerator<string> {
  for (let after = FIRST_PLACE; ; ) {
    const rows = await listPartitionRows(tx, name, after, BATCH);
    for (const { line } of rows) yield `${line}\n`;
    if (rows.length < BATCH) return;
    after = rows.at(-1)!.place;
  }
}

/** The oldest expired month of a kind: into the archive, then away, whole. True when there may be another. */
const dropExpired = ({ db, archiveDir }: Archiving, kind: RetentionKind, days: number): Promise<boolean> =>
  db.transaction(async tx => {
    if (days === 0 || !(await lockRetention(tx, kind))) return false;
    const expired = await findExpiredPartition(tx, kind, days);
    if (!expired) return false;
    if (kind === 'events') {
      const newestSeq = await findNewestSeqIn(tx, expired.name);
      if (!(await isPartitionRead(tx, expired.name, newestSeq))) return false;
      await updateRemovedSeq(tx, kind, newestSeq);
    }
    if (archiveDir) await writeArchive(archiveDir, expired.name, rowsOf(tx, expired.name));
    await detachPartition(tx, expired.parent, expired.name);
    if (kind === 'events') await keepOpenEvents(tx, expired.name);
    await dropDetached(tx, expired.name);
    await updateKeptFrom(tx, kind, expired.keptFrom);
    return true;
  });

const DELETE_OLD = { mails: deleteOldMails, attempts: deleteLateAttempts, events: deleteLateEvents } as const;

/** Few rows, deleted by age. The archive is named by the first of them, so each batch has a file of its own. */
const deleteOld = ({ db, archiveDir }: Archiving, kind: keyof typeof DELETE_OLD, days: number): Promise<boolean> =>
  db.transaction(async tx => {
    if (days === 0 || !(await lockRetention(tx, kind))) return false;
    const rows = await DELETE_OLD[kind](tx, days, BATCH);
    const [first] = rows;
    if (!first) return false;
    const lines = rows.map(({ line }) => `${line}\n`);
    if (archiveDir) await writeArchive(archiveDir, nameOf(kind, first), Readable.from(lines));
    // Late attempts and events do not move the date: the others of their time went with their month.
    if (kind === 'mails') await updateKeptFrom(tx, kind, new Date(Math.max(...rows.map(({ at }) => at.getTime()))));
    return rows.length === BATCH;
  });

const nameOf = (kind: string, { line, at }: OldRow): string =>
  `${kind}_${at.toISOString().slice(0, 10)}_${createHash('sha256').update(line).digest('hex').slice(0, 12)}`;

/** Partitions for what comes, and away with what is no longer kept. True when there may be more at once. */
export async function runRetention(shop: Archiving, days: RetentionDays): Promise<boolean> {
  await makeMissingPartitions(shop.db);
  // One after the other, each in a short transaction of its own.
  const more = [
    await dropExpired(shop, 'attempts', days.deliveries),
    await deleteOld(shop, 'attempts', days.deliveries),
    await dropExpired(shop, 'deliveries', days.deliveries),
    await dropExpired(shop, 'events', days.events),
    await deleteOld(shop, 'events', days.events),
    await deleteOld(shop, 'mails', days.mails),
  ];
  return more.includes(true);
}
