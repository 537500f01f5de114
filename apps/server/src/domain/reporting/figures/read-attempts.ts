import type { DeliveryFigure, DeliverySpan } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { type DeliveryFigureRow, listDeliveryFigures, listFreshAttempts } from './delivery-figures.sql.ts';
import { figuresOver, SPANS, spanStart } from './delivery-figures.ts';

/** Rolled up as far as they are, and the last minutes counted from their rows. */
async function readAttempts(db: Queryable, environmentId: string, from: Date): Promise<DeliveryFigureRow[]> {
  const [rolledUp, fresh] = await Promise.all([
    listDeliveryFigures(db, environmentId, from),
    listFreshAttempts(db, environmentId),
  ]);
  return [...rolledUp, ...fresh];
}

/** How each webhook did in the last 24 hours. */
export const readRecentAttempts = (db: Queryable, environmentId: string, now: Date): Promise<DeliveryFigureRow[]> =>
  readAttempts(db, environmentId, spanStart('24h', now));

export interface FiguresQuery {
  span: DeliverySpan;
  /** Null for all of them. */
  subscriptionId: string | null;
  now: Date;
}

export async function readDeliveryFigures(
  db: Queryable,
  environmentId: string,
  { span, subscriptionId, now }: FiguresQuery,
): Promise<{ step_seconds: number; data: DeliveryFigure[] }> {
  const all = await readAttempts(db, environmentId, spanStart(span, now));
  const rows = subscriptionId === null ? all : all.filter(row => row.subscriptionId === subscriptionId);
  return { step_seconds: SPANS[span].stepMs / 1000, data: figuresOver(rows, span, now) };
}
