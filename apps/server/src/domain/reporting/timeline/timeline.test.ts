import { expect, it } from 'vitest';
import type { Attempt } from '../../webhook/delivery/attempt.sql.ts';
import type { Delivery } from '../../webhook/delivery/delivery.sql.ts';
import type { EventRow } from '../../webhook/events/event-rows.sql.ts';
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
    log: {
      attempts: [{ deliveryId: 'dlv_1', attempt: 1, startedAt: started, durationMs: 9_000, status: 200 } as Attempt],
      bodies: new Map(),
      keptFrom: null,
    },
    keptFrom: null,
    payments: [],
    receipts: [],
    audit: [],
    disputes: [],
  });
  const at = ended.getTime() / 1000;
  expect(timeline.slice(1).map(entry => [entry.kind, entry.at])).toEqual([
    ['item.add.attempt', at],
    ['item.add.end', at],
  ]);
});

it('says that the steps of an old order are no longer kept', () => {
  const nothing = { events: [], deliveries: [], payments: [], receipts: [], audit: [], disputes: [] };
  const log = { attempts: [], bodies: new Map(), keptFrom: null };
  const orderCreatedAt = new Date('2026-01-01T11:00:00Z');
  const kindsWith = (keptFrom: Date | null): string[] =>
    timelineOf({ ...nothing, log, orderCreatedAt, keptFrom }).map(({ kind }) => kind);
  expect(kindsWith(null)).toEqual(['order.created']);
  expect(kindsWith(new Date('2025-12-01'))).toEqual(['order.created']);
  expect(kindsWith(new Date('2026-02-01'))).toEqual(['order.created', 'not_kept']);
});

it.each([
  ['some milliseconds behind, as another clock has them', 7, ['payment.authorized', 'item.add', 'order.paid']],
  ['hours behind, as of a clock that was set again', 7_200_000, ['item.add', 'payment.authorized', 'order.paid']],
])('events stand in the order in which they happened where one is %s (row 257)', (_, behindMs, kinds) => {
  const orderCreatedAt = new Date('2026-01-01T09:00:00Z');
  const paidAt = new Date('2026-01-01T12:00:00Z').getTime();
  const events = [
    ['payment.authorized', 0],
    ['item.add', -behindMs],
    ['order.paid', 4],
  ].map(([kind, ms]) => ({ kind, data: {}, createdAt: new Date(paidAt + Number(ms)) }) as EventRow);
  const log = { attempts: [], bodies: new Map(), keptFrom: null };
  const nothing = { deliveries: [], payments: [], receipts: [], audit: [], disputes: [] };
  const timeline = timelineOf({ ...nothing, events, log, orderCreatedAt, keptFrom: null });
  expect(timeline.slice(1).map(({ kind }) => kind)).toEqual(kinds);
});
