import { describe, expect, it } from 'vitest';
import {
  allowedCommands,
  decideOrder,
  isFinal,
  ORDER_PHASES,
  type Order,
  type OrderCommand,
  type OrderPhaseName,
  orderIs,
  phaseOf,
  statusAt,
} from './order.ts';

const CREATED = new Date('2026-01-01T00:00:00Z');
const EXPIRES = new Date('2026-01-02T00:00:00Z');
const BEFORE = new Date('2026-01-01T23:59:59.900Z');

/**
 * Every legal transition, written by hand from the contract's life of an order and never computed: a slip in the table of
 * `order.ts` must disagree with this list.
 */
const LEGAL: readonly (readonly [OrderPhaseName, OrderCommand, OrderPhaseName])[] = [
  // Waiting for the player.
  ['created', 'pay', 'pending'],
  ['created', 'claim', 'authorized'],
  ['created', 'cancel', 'canceled'],
  ['created', 'expire', 'expired'],
  // One attempt is under way.
  ['pending', 'authorize', 'authorized'],
  ['pending', 'reopen', 'created'],
  // The money is reserved and the game is asked.
  ['authorized', 'grant', 'granted'],
  ['authorized', 'reject', 'rejected'],
  ['authorized', 'request_refund', 'canceled_by_refund'],
  // The game said yes.
  ['granted', 'capture', 'paid'],
  ['granted', 'reject', 'rejected'],
  ['granted', 'request_refund', 'canceled_by_refund'],
  // Complete.
  ['paid', 'request_refund', 'refund_requested'],
  ['paid', 'open_dispute', 'disputed'],
  // The provider is asked for a refund, of what was complete and of what never was.
  ['refund_requested', 'complete_refund', 'refunded'],
  ['refund_requested', 'refuse_refund', 'paid'],
  ['canceled_by_refund', 'complete_refund', 'refunded_before_capture'],
  ['canceled_by_refund', 'refuse_refund', 'rejected'],
  // The bank did not take the money after all.
  ['refunded', 'fail_refund', 'paid'],
  ['refunded_before_capture', 'fail_refund', 'rejected'],
  // A bank questions the payment.
  ['disputed', 'win_dispute', 'paid'],
  ['disputed', 'lose_dispute', 'charged_back'],
  ['disputed', 'request_refund', 'refund_requested'],
];

const COMMANDS: readonly OrderCommand[] = [
  'pay',
  'claim',
  'cancel',
  'expire',
  'authorize',
  'reopen',
  'grant',
  'reject',
  'capture',
  'request_refund',
  'complete_refund',
  'refuse_refund',
  'fail_refund',
  'open_dispute',
  'win_dispute',
  'lose_dispute',
];

/** An order in each phase, also by hand. */
const PHASES: Readonly<Record<OrderPhaseName, Pick<Order, 'status' | 'grantedAt' | 'paidAt'>>> = {
  created: { status: 'created', grantedAt: null, paidAt: null },
  pending: { status: 'pending', grantedAt: null, paidAt: null },
  authorized: { status: 'authorized', grantedAt: null, paidAt: null },
  granted: { status: 'authorized', grantedAt: CREATED, paidAt: null },
  paid: { status: 'paid', grantedAt: CREATED, paidAt: CREATED },
  rejected: { status: 'rejected', grantedAt: null, paidAt: null },
  canceled: { status: 'canceled', grantedAt: null, paidAt: null },
  expired: { status: 'expired', grantedAt: null, paidAt: null },
  refund_requested: { status: 'refund_requested', grantedAt: CREATED, paidAt: CREATED },
  canceled_by_refund: { status: 'refund_requested', grantedAt: CREATED, paidAt: null },
  refunded: { status: 'refunded', grantedAt: CREATED, paidAt: CREATED },
  refunded_before_capture: { status: 'refunded', grantedAt: CREATED, paidAt: null },
  disputed: { status: 'disputed', grantedAt: CREATED, paidAt: CREATED },
  charged_back: { status: 'charged_back', grantedAt: CREATED, paidAt: CREATED },
};
const TRAITS = ['under_way', 'open', 'grantable', 'unpaid', 'refund_begun', 'money_back'] as const;
const NAMES = Object.keys(PHASES) as OrderPhaseName[];

const orderIn = (phase: OrderPhaseName): Order => ({
  environmentId: 'env_1',
  id: 'ord_1',
  playerId: 'p',
  amountMinor: 100,
  currency: 'USD',
  items: [],
  details: { country: null, locale: null, theme: 'auto', backToGameUrl: null, backToStoreUrl: null, metadata: {} },
  email: null,
  problem: null,
  attention: null,
  createdAt: CREATED,
  expiresAt: EXPIRES,
  updatedAt: CREATED,
  version: 1,
  ...PHASES[phase],
});

const commandsIn = (phase: OrderPhaseName): OrderCommand[] => allowedCommands(phaseOf(orderIn(phase)));

describe.each(NAMES)('an order that is %s', phase => {
  it.each(COMMANDS)('answers %s as the contract says and in no other way', command => {
    const now = command === 'expire' ? EXPIRES : BEFORE;
    const legal = LEGAL.find(([from, by]) => from === phase && by === command);
    const decision = decideOrder(orderIn(phase), command, now);
    if (!legal) {
      expect(decision).toEqual({ refused: 'wrong_status' });
      return;
    }
    expect(decision).toMatchObject({ order: { version: 1, updatedAt: now } });
    expect('order' in decision && phaseOf(decision.order)).toBe(legal[2]);
  });

  it('is offered exactly what is legal', () => {
    expect(phaseOf(orderIn(phase))).toBe(phase);
    expect(commandsIn(phase)).toEqual(LEGAL.filter(([from]) => from === phase).map(([, by]) => by));
  });
});

describe('the table', () => {
  it('has 23 transitions', () => {
    expect(LEGAL).toHaveLength(23);
    expect(new Set(LEGAL.map(([from, by]) => `${from} ${by}`)).size).toBe(23);
    expect([...ORDER_PHASES].toSorted()).toEqual(NAMES.toSorted());
  });

  it('is this', async () => {
    const rows = ORDER_PHASES.map(phase => {
      const steps = allowedCommands(phase).map(command => {
        const decision = decideOrder(orderIn(phase), command, command === 'expire' ? EXPIRES : BEFORE);
        if ('refused' in decision) return `    ${command}: refused, ${decision.refused}`;
        return `    ${command}: ${phaseOf(decision.order)}${decision.event ? `, emits ${decision.event}` : ''}`;
      });
      const { status } = orderIn(phase);
      const traits = TRAITS.filter(trait => orderIs(status, trait)).join(', ');
      return [`${phase} (${status}${traits && `: ${traits}`})`, ...steps].join('\n');
    });
    await expect(`${rows.join('\n')}\n`).toMatchFileSnapshot('order.txt');
  });

  it('reaches every phase from created', () => {
    const seen = new Set<OrderPhaseName>(['created']);
    for (const phase of seen) for (const [from, , to] of LEGAL) if (from === phase) seen.add(to);
    expect([...seen].toSorted()).toEqual(NAMES.toSorted());
  });

  it('lets nothing leave a final status', () => {
    for (const phase of ['rejected', 'canceled', 'expired', 'charged_back'] as const) {
      expect(commandsIn(phase)).toEqual([]);
    }
    expect(ORDER_PHASES.filter(isFinal).toSorted()).toEqual(
      ['rejected', 'canceled', 'expired', 'refunded', 'charged_back', 'refunded_before_capture'].toSorted(),
    );
  });

  it('takes a refund back only when it failed at the bank (row 96)', () => {
    expect(commandsIn('refunded')).toEqual(['fail_refund']);
  });

  it('completes an order only after its grant, so no redirect can come before the game said yes (row 42)', () => {
    const sources = ORDER_PHASES.filter(phase => allowedCommands(phase).includes('capture'));
    expect(sources).toEqual(['granted']);
  });

  it('grants an order once and says when', () => {
    expect(decideOrder(orderIn('authorized'), 'grant', BEFORE)).toMatchObject({
      order: { status: 'authorized', grantedAt: BEFORE },
      event: null,
    });
    expect(decideOrder(orderIn('granted'), 'grant', BEFORE)).toEqual({ refused: 'wrong_status' });
  });
});

describe('time', () => {
  it.each(['pay', 'claim', 'cancel'] as const)('is over at the very second for %s', command => {
    expect(decideOrder(orderIn('created'), command, EXPIRES)).toEqual({ refused: 'time_over' });
    expect(decideOrder(orderIn('created'), command, BEFORE)).toHaveProperty('order');
  });

  it('does not let an order lapse early', () => {
    expect(decideOrder(orderIn('created'), 'expire', BEFORE)).toEqual({ refused: 'not_yet' });
  });

  it('lets a payment begun in time complete after it', () => {
    expect(decideOrder(orderIn('pending'), 'authorize', EXPIRES)).toMatchObject({ order: { status: 'authorized' } });
  });

  it('lapses an order whose attempt failed after its time', () => {
    expect(decideOrder(orderIn('pending'), 'reopen', EXPIRES)).toMatchObject({
      order: { status: 'expired' },
      event: 'order.expired',
    });
  });

  it('shows an unpaid order as expired before any sweep', () => {
    expect(statusAt(orderIn('created'), EXPIRES)).toBe('expired');
    expect(statusAt(orderIn('pending'), EXPIRES)).toBe('pending');
  });
});
