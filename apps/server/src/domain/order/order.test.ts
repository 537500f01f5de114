import { ORDER_STATUSES } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import {
  allowedCommands,
  decide,
  isFinal,
  NEXT_PHASE,
  type Order,
  type OrderCommand,
  type OrderPhase,
  phaseOf,
  statusAt,
} from './order.ts';

const CREATED = new Date('2026-01-01T00:00:00Z');
const EXPIRES = new Date('2026-01-02T00:00:00Z');
const BEFORE = new Date('2026-01-01T23:59:59.900Z');

const HIDDEN = { granted: 'authorized', called_off: 'refund_requested', returned: 'refunded' } as const;
const PHASES: readonly OrderPhase[] = [...ORDER_STATUSES, 'granted', 'called_off', 'returned'];
const WAS_PAID: readonly OrderPhase[] = ['paid', 'refund_requested', 'refunded', 'disputed', 'charged_back'];

const orderIn = (phase: OrderPhase): Order => ({
  environmentId: 'env_1',
  id: 'ord_1',
  playerId: 'p',
  status: HIDDEN[phase as keyof typeof HIDDEN] ?? phase,
  amountMinor: 100,
  currency: 'USD',
  items: [],
  details: { country: null, locale: null, theme: 'auto', backToGameUrl: null, backToStoreUrl: null, metadata: {} },
  email: null,
  problem: null,
  attention: null,
  grantedAt: phase === 'granted' ? CREATED : null,
  paidAt: WAS_PAID.includes(phase) ? CREATED : null,
  createdAt: CREATED,
  expiresAt: EXPIRES,
  updatedAt: CREATED,
  version: 1,
});

const COMMANDS = [...new Set(PHASES.flatMap(allowedCommands))];

describe.each(PHASES)('an order that is %s', phase => {
  it.each(COMMANDS)('answers %s by the table and nothing else', command => {
    const now = command === 'expire' ? EXPIRES : BEFORE;
    const expected = (NEXT_PHASE[phase] as Partial<Record<OrderCommand, OrderPhase>>)[command];
    const decision = decide(orderIn(phase), command, now);
    if (!expected) {
      expect(decision).toEqual({ refused: 'wrong_status' });
      return;
    }
    expect(decision).toMatchObject({ order: { version: 2, updatedAt: now } });
    expect('order' in decision && phaseOf(decision.order)).toBe(expected);
  });
});

describe('the table', () => {
  it('reaches every phase from created', () => {
    const seen = new Set<OrderPhase>(['created']);
    for (const phase of seen) for (const next of Object.values(NEXT_PHASE[phase])) seen.add(next);
    expect([...seen].toSorted()).toEqual([...PHASES].toSorted());
  });

  it('lets nothing leave a final status', () => {
    for (const status of ['rejected', 'canceled', 'expired', 'charged_back'] as const) {
      expect(allowedCommands(status)).toEqual([]);
    }
    expect(PHASES.filter(isFinal)).toEqual(['rejected', 'canceled', 'expired', 'refunded', 'charged_back', 'returned']);
  });

  it('takes a refund back only when it failed at the bank (row 96)', () => {
    expect(allowedCommands('refunded')).toEqual(['fail_refund']);
  });

  it('completes an order only after its grant, so no redirect can come before the game said yes (row 42)', () => {
    const sources = PHASES.filter(phase => allowedCommands(phase).includes('capture'));
    expect(sources).toEqual(['granted']);
  });

  it('grants an order once and says when', () => {
    expect(decide(orderIn('authorized'), 'grant', BEFORE)).toMatchObject({
      order: { status: 'authorized', grantedAt: BEFORE },
      event: null,
    });
    expect(decide(orderIn('granted'), 'grant', BEFORE)).toEqual({ refused: 'wrong_status' });
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
