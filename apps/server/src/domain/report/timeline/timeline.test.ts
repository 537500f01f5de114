import { expect, it } from 'vitest';
import type { Attempt } from '../../webhook/attempt.sql.ts';
import type { Delivery } from '../../webhook/delivery.sql.ts';
import { timelineOf } from './timeline.ts';

it('dates an attempt at its end, when its outcome was known', () => {
  const started = new Date('2026-01-01T12:00:00Z');
  const ended = new Date('2026-01-01T12:00:09Z');
  const timeline = timelineOf({
    orderCreatedAt: new Date('2026-01-01T11:00:00Z'),
    events: [],
    deliveries: [
      { id: 'dlv_1', kind: 'item.add', status: 'succeeded', lastError: null, finishedAt: ended } as Delivery,
    ],
    attempts: [{ deliveryId: 'dlv_1', attempt: 1, startedAt: started, durationMs: 9_000, status: 200 } as Attempt],
    payments: [],
    receipts: [],
    audit: [],
  });
  const at = ended.getTime() / 1000;
  expect(timeline.slice(1).map(entry => [entry.kind, entry.at])).toEqual([
    ['item.add.attempt', at],
    ['item.add.end', at],
  ]);
});
