import { ORDER_STATUSES, PAYMENT_STATUSES } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { allowedCommands, type OrderPhase } from '../../order/order.ts';
import { HELD, type PaymentPhase, type Row, rowFor, type Step } from './purchase-table.ts';

const ORDERS: readonly OrderPhase[] = [...ORDER_STATUSES, 'granted', 'called_off', 'returned'];
const PAYMENTS: readonly PaymentPhase[] = [...PAYMENT_STATUSES, 'stray'];

/** Pairs that the rules of order and payment never make, with the reason. Every other pair has a row. */
const IMPOSSIBLE: Partial<Record<PaymentPhase, { only: readonly OrderPhase[]; why: string }>> = {
  pending: { only: ['pending'], why: 'an order is pending exactly while an attempt is undecided' },
  requires_action: { only: ['pending'], why: 'an order is pending exactly while an attempt is undecided' },
  authorized: { only: ['authorized', 'granted', 'rejected'], why: 'a reservation waits for the game or for its end' },
  succeeded: {
    only: ['paid', 'rejected'],
    why: 'captured with the order, or before a rejection whose refund was refused',
  },
  refund_requested: { only: ['refund_requested', 'called_off'], why: 'a refund is requested of both in one step' },
  refunded: { only: ['refunded', 'returned', 'rejected'], why: 'money goes back by a refund or after a rejection' },
  voided: {
    only: ['rejected', 'refunded', 'returned'],
    why: 'a reservation ends by a rejection or by a refund before the capture',
  },
  disputed: { only: ['disputed'], why: 'a dispute opens for both in one step' },
  charged_back: {
    only: ['charged_back', 'rejected'],
    why: 'a dispute is lost for both in one step, or after a rejection',
  },
};

const cells = ORDERS.flatMap(order => PAYMENTS.map(payment => ({ order, payment, row: rowFor(order, payment) })));

const stepText = ({ order, payment }: Step): string =>
  [payment && `payment ${payment}`, order && `order ${order}`].filter(Boolean).join(' + ');

function rowText(order: OrderPhase, payment: PaymentPhase, row: Row | null): string {
  if (!row) return `${order} / ${payment}: impossible, ${IMPOSSIBLE[payment]!.why}`;
  const date = row.takesDate ? `${row.check} or the provider's date` : row.check;
  const news = HELD.map(held => `    ${held}: ${row.news[held].map(stepText).join(', then ') || 'nothing'}`);
  const needs = HELD.flatMap(held =>
    row.needs?.[held] ? [`    while ${held}: needs attention, ${row.needs[held]}`] : [],
  );
  return [`${order} / ${payment}: ask ${row.ask}, check ${date}`, ...news, ...needs].join('\n');
}

describe('the table of a purchase', () => {
  it('is this', async () => {
    const text = cells.map(({ order, payment, row }) => rowText(order, payment, row)).join('\n');
    await expect(`${text}\n`).toMatchFileSnapshot('purchase-table.txt');
  });

  it('has a row for every pair of order and payment that can be, and names why the others cannot', () => {
    for (const { order, payment, row } of cells) {
      const possible = IMPOSSIBLE[payment]?.only.includes(order) ?? true;
      expect(row !== null, `${order} / ${payment}`).toBe(possible);
    }
  });

  it('answers whatever the provider holds, in every row', () => {
    for (const { row } of cells) if (row) expect(Object.keys(row.news).toSorted()).toEqual(HELD.toSorted());
  });

  it('gives every purchase that is not over a date of its own or that of a delivery', () => {
    const FINAL = ['declined', 'abandoned', 'voided', 'refunded', 'succeeded', 'charged_back'];
    for (const { order, payment, row } of cells) {
      const isOwed = order === 'rejected' && payment === 'succeeded';
      if (row) expect(row.check === 'final', `${order} / ${payment}`).toBe(FINAL.includes(payment) && !isOwed);
      if (row?.check === 'delivery') expect([order, payment, row.ask]).toEqual(['authorized', 'authorized', 'none']);
      if (row && row.check !== 'delivery' && row.check !== 'final') expect(row.ask).not.toBe('none');
    }
  });

  it('lets money be captured only for an order whose game said yes', () => {
    const asking = cells.filter(({ row }) => row?.ask === 'capture').map(({ order, payment }) => `${order}/${payment}`);
    expect(asking).toEqual(['granted/authorized']);
    for (const { order, row } of cells) {
      const captures = HELD.some(held => row?.news[held].some(step => step.order === 'capture'));
      if (captures) expect(allowedCommands(order)).toContain('capture');
    }
  });
});
