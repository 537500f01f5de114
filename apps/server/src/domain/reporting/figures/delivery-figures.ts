import type { DeliveryFigure, DeliverySpan } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import { groupBy } from '../../../kit/collections.ts';
import {
  type DeliveryFigureRow,
  LATENCY_STEPS_MS,
  listDeliveryFigures,
  listFreshAttempts,
} from './delivery-figures.sql.ts';

const MINUTE_MS = 60_000;

export const SPANS: Readonly<Record<DeliverySpan, { stepMs: number; count: number }>> = {
  '24h': { stepMs: 15 * MINUTE_MS, count: 96 },
  '7d': { stepMs: 60 * MINUTE_MS, count: 168 },
  '30d': { stepMs: 24 * 60 * MINUTE_MS, count: 30 },
};

/** The end of the step in which the share of attempts is reached; the last step has no end, so its beginning. */
function latencyAt(rows: readonly DeliveryFigureRow[], share: number): number | null {
  const total = rows.reduce((sum, { attempts }) => sum + attempts, 0);
  if (total === 0) return null;
  const byStep = Array.from({ length: LATENCY_STEPS_MS.length + 1 }, () => 0);
  for (const { latency, attempts } of rows) byStep[latency]! += attempts;
  let seen = 0;
  for (const [step, attempts] of byStep.entries()) {
    seen += attempts;
    if (seen >= total * share) return LATENCY_STEPS_MS[step] ?? LATENCY_STEPS_MS.at(-1)!;
  }
  return null;
}

export function figureOf(rows: readonly DeliveryFigureRow[]): Omit<DeliveryFigure, 'at'> {
  return {
    attempts: rows.reduce((sum, { attempts }) => sum + attempts, 0),
    succeeded: rows.reduce((sum, { succeeded }) => sum + succeeded, 0),
    p50_ms: latencyAt(rows, 0.5),
    p95_ms: latencyAt(rows, 0.95),
  };
}

export const spanStart = (span: DeliverySpan, now: Date): Date => {
  const { stepMs, count } = SPANS[span];
  return new Date((Math.floor(now.getTime() / stepMs) - count + 1) * stepMs);
};

export function figuresOver(rows: readonly DeliveryFigureRow[], span: DeliverySpan, now: Date): DeliveryFigure[] {
  const { stepMs, count } = SPANS[span];
  const first = spanStart(span, now).getTime();
  const bySpan = groupBy(rows, ({ at }) => Math.floor((at.getTime() - first) / stepMs));
  return Array.from({ length: count }, (_, index) => ({
    at: toUnixSeconds(new Date(first + index * stepMs)),
    ...figureOf(bySpan.get(index) ?? []),
  }));
}

/** Rolled up as far as they are, and the last minutes counted from their rows. */
async function readAttempts(db: Queryable, environmentId: string, from: Date): Promise<DeliveryFigureRow[]> {
  const [rolledUp, fresh] = await Promise.all([
    listDeliveryFigures(db, environmentId, from),
    listFreshAttempts(db, environmentId),
  ]);
  return [...rolledUp, ...fresh];
}

export const readRecentAttempts = (db: Queryable, environmentId: string, now: Date): Promise<DeliveryFigureRow[]> =>
  readAttempts(db, environmentId, spanStart('24h', now));

export interface DeliveryFiguresQuery {
  span: DeliverySpan;
  subscriptionId: string | null;
  now: Date;
}

export async function readDeliveryFigures(
  db: Queryable,
  environmentId: string,
  { span, subscriptionId, now }: DeliveryFiguresQuery,
): Promise<{ step_seconds: number; data: DeliveryFigure[] }> {
  const all = await readAttempts(db, environmentId, spanStart(span, now));
  const rows = subscriptionId === null ? all : all.filter(row => row.subscriptionId === subscriptionId);
  return { step_seconds: SPANS[span].stepMs / 1000, data: figuresOver(rows, span, now) };
}
