import { ORDER_STATUSES, type OrderStatus } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { allowedCommands, decide, NEXT_STATUS, type Order, type OrderCommand, statusAt } from './order.ts';

const CREATED = new Date('2026-01-01T00:00:00Z');
const EXPIRES = new Date('2026-01-02T00:00:00Z');
const BEFORE = new Date('2026-01-01T23:59:59.900Z');

const orderIn = (status: OrderStatus): Order => ({
  environmentId: 'env_1',
  id: 'ord_1',
  playerId: 'p',
  status,
  amountMinor: 100,
  currency: 'USD',
  items: [],
  details: { country: null, locale: null, theme: 'auto', backToGameUrl: null, backToStoreUrl: null, metadata: {} },
  email: null,
  problem: null,
  grantedAt: null,
  paidAt: null,
  createdAt: CREATED,
  expiresAt: EXPIRES,
  updatedAt: CREATED,
  version: 1,
});

const COMMANDS = [...new Set(ORDER_STATUSES.flatMap(allowedCommands))];

describe.each(ORDER_STATUSES)('an order that is %s', status => {
  it.each(COMMANDS)('answers %s by the table and nothing else', command => {
    const now = command === 'expire' ? EXPIRES : BEFORE;
    const expected = (NEXT_STATUS[status] as Partial<Record<OrderCommand, OrderStatus>>)[command];
    const decision = decide(orderIn(status), command, now);
    if (!expected) expect(decision).toEqual({ refused: 'wrong_status' });
    else expect(decision).toMatchObject({ order: { status: expected, version: 2, updatedAt: now } });
  });
});

describe('the table', () => {
  it('reaches every status from created', () => {
    const seen = new Set<OrderStatus>(['created']);
    for (const status of seen) for (const next of Object.values(NEXT_STATUS[status])) seen.add(next);
    expect([...seen].toSorted()).toEqual([...ORDER_STATUSES].toSorted());
  });

  it('lets nothing leave a final status', () => {
    for (const status of ['rejected', 'canceled', 'expired', 'refunded', 'charged_back'] as const) {
      expect(allowedCommands(status)).toEqual([]);
    }
  });

  it('completes an order only from authorized, so no redirect can come before the game said yes', () => {
    const sources = ORDER_STATUSES.filter(status => allowedCommands(status).includes('capture'));
    expect(sources).toEqual(['authorized']);
  });
});

describe('time', () => {
  it.each(['pay', 'claim', 'cancel'] as const)('is over at the very second for %s', command => {
    expect(decide(orderIn('created'), command, EXPIRES)).toEqual({ refused: 'time_over' });
    expect(decide(orderIn('created'), command, BEFORE)).toHaveProperty('order');
  });

  it('does not let an order lapse early', () => {
    expect(decide(orderIn('created'), 'expire', BEFORE)).toEqual({ refused: 'not_yet' });
  });

  it('lets a payment begun in time complete after it', () => {
    expect(decide(orderIn('pending'), 'authorize', EXPIRES)).toMatchObject({ order: { status: 'authorized' } });
  });

  it('lapses an order whose attempt failed after its time', () => {
    expect(decide(orderIn('pending'), 'reopen', EXPIRES)).toMatchObject({
      order: { status: 'expired' },
      event: 'order.expired',
    });
  });

  it('shows an unpaid order as expired before any sweep', () => {
    expect(statusAt(orderIn('created'), EXPIRES)).toBe('expired');
    expect(statusAt(orderIn('pending'), EXPIRES)).toBe('pending');
  });
});
