import type { Tx } from '../../db/db.ts';
import type { NumberedReader } from '../../db/read-numbered.sql.ts';
import { readNumbered, type Span } from '../../db/read-numbered.ts';
import type { Seal } from '../../kit/seal.ts';
import type { Shop } from '../shop.ts';
import {
  findLastLink,
  findUnlinked,
  insertLinks,
  listAuditDigests,
  listLinksToCheck,
  NUMBERED_AUDIT,
} from './audit-chain.sql.ts';

export const AUDIT_READER: NumberedReader = { name: 'audit', table: NUMBERED_AUDIT };
const PURPOSE = 'audit chain';
const FIRST: Buffer = Buffer.alloc(32);
const BATCH = 5_000;

async function linkEntries(tx: Tx, seal: Seal, span: Span): Promise<void> {
  const entries = await listAuditDigests(tx, span);
  let previous = (await findLastLink(tx))?.mac ?? FIRST;
  const links = entries.map(({ seq, digest }) => {
    previous = seal.mac(Buffer.concat([previous, digest]), PURPOSE);
    return { seq, mac: previous };
  });
  if (links.length > 0) await insertLinks(tx, links);
}

/**
 * Links new entries to the chain, in the order of their numbers. Writers do nothing for it and wait for nothing: a worker
 * reads behind them, once each transaction that may still bring a lower number has ended. True: there may be more at once.
 */
export const extendAuditChain = ({ db, seal }: Pick<Shop, 'db' | 'seal'>): Promise<boolean> =>
  readNumbered(db, AUDIT_READER, (tx, span) => linkEntries(tx, seal, span), BATCH);

export type ChainFault = 'changed' | 'missing' | 'added';

export interface ChainState {
  entries: number;
  /** The end of the chain. An operator who keeps it elsewhere sees when the newest entries were cut off. */
  head: string;
  fault: { kind: ChainFault; seq: number } | null;
  unlinked: number;
  oldestUnlinkedSeconds: number;
}

/** Goes through the whole chain and says where it breaks first. */
export async function checkAuditChain({ db, seal }: Pick<Shop, 'db' | 'seal'>, batch = BATCH): Promise<ChainState> {
  const last = await findLastLink(db);
  const upTo = last?.seq ?? 0;
  let previous = FIRST;
  let entries = 0;
  let fault: ChainState['fault'] = null;
  for (let after = 0; after < upTo && !fault; after += batch) {
    for (const { seq, mac, digest } of await listLinksToCheck(db, { after, upTo: Math.min(upTo, after + batch) })) {
      if (mac === null) fault = { kind: 'added', seq };
      else if (digest === null) fault = { kind: 'missing', seq };
      else if (!seal.isMac(Buffer.concat([previous, digest]), PURPOSE, mac)) fault = { kind: 'changed', seq };
      if (fault || mac === null) break;
      previous = mac;
      entries += 1;
    }
  }
  const { count, oldestSeconds } = await findUnlinked(db, upTo);
  return {
    entries,
    head: previous.toString('hex').slice(0, 16),
    fault,
    unlinked: count,
    oldestUnlinkedSeconds: oldestSeconds,
  };
}
