import { readArchives, rewriteArchives } from '../retention/archive.ts';
import type { PlayerTraces } from './player-data.sql.ts';

export interface ArchivedSubject extends PlayerTraces {
  environmentId: string;
  playerId: string;
  digest: string;
}

/** As far as an archived row of any table has them. */
interface ArchivedRow {
  environment_id?: string;
  id?: string;
  kind?: string;
  order_id?: string | null;
  delivery_id?: string;
  about?: string;
  recipient?: string;
  event_id?: string;
  data?: Record<string, unknown>;
  body?: string | null;
  response_body?: string | null;
}

const { parse } = JSON;
const rowIn = (line: string): ArchivedRow => parse(line) as ArchivedRow;

/** Orders that were erased before are known by their digest in the tables only, so an order is found by its events too. */
const isOf = (subject: ArchivedSubject, orderIds: ReadonlySet<string>, row: ArchivedRow): boolean =>
  row.environment_id === subject.environmentId &&
  (row.data?.player_id === subject.playerId || (typeof row.order_id === 'string' && orderIds.has(row.order_id)));

function withoutPlayer({ digest }: ArchivedSubject, row: ArchivedRow): ArchivedRow {
  if (row.data) {
    const { metadata: _metadata, reason: _reason, last4: _last4, ...data } = row.data;
    return { ...row, data: { ...data, player_id: digest } };
  }
  return { ...row, body: null };
}

const isMailTo = ({ paymentIds, emails }: ArchivedSubject, { about, recipient }: ArchivedRow): boolean =>
  (about !== undefined && paymentIds.some(id => about === `receipt ${id}`)) ||
  (recipient !== undefined && emails.includes(recipient));

/** Two passes: attempts name their delivery, and only the delivery names the order. */
export async function eraseFromArchives(folder: string, subject: ArchivedSubject): Promise<number> {
  const orderIds = new Set(subject.orderIds);
  const deliveryIds = new Set(subject.deliveryIds);
  for await (const line of readArchives(folder)) {
    const row = rowIn(line);
    if (!isOf(subject, orderIds, row)) continue;
    if (row.order_id) orderIds.add(row.order_id);
    if (row.event_id && row.id) deliveryIds.add(row.id);
  }
  return rewriteArchives(folder, line => {
    const row = rowIn(line);
    if (row.environment_id !== subject.environmentId) return line;
    if (isOf(subject, orderIds, row)) return JSON.stringify(withoutPlayer(subject, row));
    if (row.delivery_id && deliveryIds.has(row.delivery_id)) return JSON.stringify({ ...row, response_body: null });
    if (isMailTo(subject, row))
      return JSON.stringify({ id: row.id, environment_id: row.environment_id, kind: row.kind, erased: true });
    return line;
  });
}
