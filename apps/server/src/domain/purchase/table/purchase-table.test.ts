import { PAYMENT_STATUSES, type PaymentStatus } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { allowedCommands, NEXT_PHASE, ORDER_PHASES, type OrderPhase, type OrderPhaseName } from '../../order/order.ts';
import { NEXT_STATUS } from '../../payment/payment.ts';
import { PROVIDER_STATES, type ProviderState } from './provider-state.ts';
import { type PaymentPhase, type PaymentPhaseName, type Row, rowFor, type Step } from './purchase-table.ts';

const PAYMENTS = [...PAYMENT_STATUSES, 'orphaned'] as PaymentPhase[];

/** Pairs that the rules of order and payment never make, with the reason. Every other pair has a row. */
const IMPOSSIBLE: Partial<Record<PaymentPhaseName, { only: readonly OrderPhaseName[]; why: string }>> = {
  pending: { only: ['pending'], why: 'an order is pending exactly while an attempt is undecided' },
  requires_action: { only: ['pending'], why: 'an order is pending exactly while an attempt is undecided' },
  authorized: { only: ['authorized', 'granted', 'rejected'], why: 'a reservation waits for the game or for its end' },
  succeeded: {
    only: ['paid', 'rejected'],
    why: 'captured with the order, or before a rejection whose refund was refused',
  },
  refund_requested: {
    only: ['refund_requested', 'canceled_by_refund'],
    why: 'a refund is requested of both in one step',
  },
  refunded: {
    only: ['refunded', 'refunded_before_capture', 'rejected'],
    why: 'money goes back by a refund or after a rejection',
  },
  voided: {
    only: ['rejected', 'refunded', 'refunded_before_capture'],
    why: 'a reservation ends by a rejection or by a refund before the capture',
  },
  disputed: { only: ['disputed'], why: 'a dispute opens for both in one step' },
  charged_back: {
    only: ['charged_back', 'rejected'],
    why: 'a dispute is lost for both in one step, or after a rejection',
  },
};

const cells = ORDER_PHASES.flatMap(order => PAYMENTS.map(payment => ({ order, payment, row: rowFor(order, payment) })));

const stepText = ({ order, payment }: Step): string =>
  [payment && `payment ${payment}`, order && `order ${order}`].filter(Boolean).join(' + ');

const HOUR = 3_600;

const timeText = (seconds: number): string => {
  if (seconds === Number.POSITIVE_INFINITY) return 'always';
  return seconds < 24 * HOUR ? `for ${seconds / HOUR} h` : `for ${seconds / (24 * HOUR)} d`;
};

/** One provider state of a row; nothing where it changes nothing and never agrees. */
function stateText({ transitions, agrees }: Row, state: ProviderState): string[] {
  const steps = transitions[state]?.map(stepText).join(', then ');
  const limit = agrees[state];
  const parts = [steps, limit !== undefined && `agrees ${timeText(limit)}`].filter(Boolean);
  return parts.length > 0 ? [`    ${state}: ${parts.join('; ')}`] : [];
}

function rowText(name: string, row: Row): string {
  const date = row.usesProviderDate ? `${row.recheckAfter} or the provider's date` : row.recheckAfter;
  const states = PROVIDER_STATES.flatMap(state => stateText(row, state));
  return [`${name}: ask ${row.nextAction}, recheck ${date}`, ...states, '    else nothing, and a difference'].join(
    '\n',
  );
}

/** An attempt that is over has the same row beside every order. */
const ENDED = PAYMENTS.filter(payment => !(payment in IMPOSSIBLE));

describe('the table of a purchase', () => {
  it('is this', async () => {
    const live = cells.flatMap(({ order, payment, row }) =>
      row && payment in IMPOSSIBLE ? [rowText(`${order} / ${payment}`, row)] : [],
    );
    const ended = ENDED.map(payment => rowText(`any order / ${payment}`, rowFor(ORDER_PHASES[0]!, payment)!));
    const impossible = Object.entries(IMPOSSIBLE).map(
      ([payment, { only, why }]) => `${payment} beside no order but ${only.join(', ')}: ${why}`,
    );
    const text = [...live, ...ended, ...impossible].join('\n');
    await expect(`${text}\n`).toMatchFileSnapshot('purchase-table.txt');
  });

  it('has one row for an attempt that is over, whatever its order is', () => {
    expect(ENDED).toEqual(['declined', 'abandoned', 'orphaned']);
    for (const payment of ENDED) expect(new Set(ORDER_PHASES.map(order => rowFor(order, payment))).size).toBe(1);
  });

  it('has a row for every pair of order and payment that can be, and names why the others cannot', () => {
    for (const { order, payment, row } of cells) {
      const possible = IMPOSSIBLE[payment as PaymentPhaseName]?.only.includes(order) ?? true;
      expect(row !== null, `${order} / ${payment}`).toBe(possible);
    }
  });

  it('takes only steps that the rules of order and payment allow', () => {
    for (const { order, payment, row } of cells) {
      for (const steps of Object.values(row?.transitions ?? {})) {
        let at: { order: OrderPhaseName; payment: PaymentPhaseName } = { order, payment };
        for (const step of steps) {
          const orders: Partial<Record<string, OrderPhaseName>> = NEXT_PHASE[at.order];
          const payments: Partial<Record<string, PaymentStatus>> = NEXT_STATUS[at.payment as PaymentStatus];
          const next = {
            order: step.order ? orders[step.order] : at.order,
            payment: step.payment ? payments[step.payment] : at.payment,
          };
          expect(Object.values(next), `${at.order} / ${at.payment} by ${stepText(step)}`).not.toContain(undefined);
          at = { order: next.order!, payment: next.payment! };
        }
        expect(
          rowFor(at.order as OrderPhase, at.payment as PaymentPhase),
          `${at.order} / ${at.payment}`,
        ).not.toBeNull();
      }
    }
  });

  it('gives every purchase that is not over a date of its own or that of a delivery', () => {
    const FINAL: readonly string[] = ['declined', 'abandoned', 'voided', 'refunded', 'succeeded', 'charged_back'];
    for (const { order, payment, row } of cells) {
      const isOwed = order === 'rejected' && payment === 'succeeded';
      if (row) expect(row.recheckAfter === 'final', `${order} / ${payment}`).toBe(FINAL.includes(payment) && !isOwed);
      if (row?.recheckAfter === 'delivery')
        expect([order, payment, row.nextAction]).toEqual(['authorized', 'authorized', 'none']);
      if (row && row.recheckAfter !== 'delivery' && row.recheckAfter !== 'final')
        expect(row.nextAction).not.toBe('none');
    }
  });

  it('lets money be captured only for an order whose game said yes', () => {
    const asking = cells
      .filter(({ row }) => row?.nextAction === 'capture')
      .map(({ order, payment }) => `${order}/${payment}`);
    expect(asking).toEqual(['granted/authorized']);
    for (const { order, row } of cells) {
      const captures = PROVIDER_STATES.some(state => row?.transitions[state]?.some(step => step.order === 'capture'));
      if (captures) expect(allowedCommands(order)).toContain('capture');
    }
  });
});
