import { ORDER_STATUSES, type OrderStatus, PAYMENT_STATUSES, type PaymentStatus } from '@coinslot/contract';
import {
  allowedCommands,
  isFinal,
  NEXT_PHASE,
  ORDER_PHASES,
  type OrderPhaseName,
  statusIn,
} from '../apps/server/src/domain/order/order.ts';
import { NEXT_STATUS } from '../apps/server/src/domain/payment/payment.ts';
import { PROVIDER_STATES } from '../apps/server/src/domain/purchase/table/provider-state.ts';
import {
  type PaymentPhase,
  type ProviderAction,
  type Row,
  rowFor,
} from '../apps/server/src/domain/purchase/table/purchase-table.ts';
import { document, table } from './reference-tables.ts';

const ORDER_MEANING: Record<OrderStatus, string> = {
  created: 'Nothing is paid. The player can open the page.',
  pending: 'An attempt to pay is under way.',
  authorized: 'The money is reserved, and the game is asked or has just said yes.',
  paid: 'The game has granted the items and the money is captured.',
  rejected: 'The game refused, or the reservation ended. No money stays here.',
  canceled: 'The game backend canceled it before it was paid.',
  expired: 'The player did not pay in time.',
  refund_requested: 'A refund is on its way; the items are being removed.',
  refunded: 'The payer has the money again.',
  disputed: 'The payer’s bank questions the payment.',
  charged_back: 'The bank took the money back.',
};

const PAYMENT_MEANING: Record<PaymentStatus, string> = {
  pending: 'The provider has not decided.',
  requires_action: 'The player has to act, for example with 3-D Secure.',
  authorized: 'The provider reserves the money.',
  succeeded: 'The money is captured.',
  declined: 'The provider refused. The player can try again.',
  abandoned: 'The attempt ended without money.',
  voided: 'The reservation was released.',
  refund_requested: 'A refund was asked for.',
  refunded: 'The refund is done.',
  disputed: 'The bank questions it.',
  charged_back: 'The bank took the money back.',
};

const ACTIONS: Record<ProviderAction, string> = {
  look_up: 'asks the provider how it stands',
  capture: 'captures',
  void_or_refund: 'releases or refunds',
  none: 'nothing',
};

const PAYMENTS = [...PAYMENT_STATUSES, 'orphaned'] as PaymentPhase[];
const code = (words: Iterable<string>): string => [...new Set(words)].map(word => `\`${word}\``).join(', ') || 'none';
const yes = (holds: boolean): string => (holds ? 'yes' : 'no');

function orderRow(status: OrderStatus): string[] {
  const phases = ORDER_PHASES.filter(phase => statusIn(phase) === status);
  const beside = PAYMENT_STATUSES.filter(payment => phases.some(phase => rowFor(phase, payment as PaymentPhase)));
  const next = phases
    .flatMap(phase => Object.values<OrderPhaseName>(NEXT_PHASE[phase as OrderPhaseName]))
    .map(statusIn)
    .filter(other => other !== status);
  return [
    `\`${status}\``,
    ORDER_MEANING[status],
    code(beside),
    code(next),
    yes(phases.some(phase => allowedCommands(phase).includes('request_refund'))),
    yes(phases.every(isFinal)),
  ];
}

const HOUR = 3_600;

function timeText(seconds: number): string {
  if (seconds === Number.POSITIVE_INFINITY) return '';
  return seconds < 24 * HOUR ? ` (${seconds / HOUR} h)` : ` (${seconds / (24 * HOUR)} d)`;
}

const agreesText = ({ agrees }: Row): string =>
  PROVIDER_STATES.flatMap(state => {
    const limit = agrees[state];
    return limit === undefined ? [] : [`\`${state}\`${timeText(limit)}`];
  }).join(', ') || 'nothing';

/** An attempt that is over has the same row beside every order, and is shown once. */
function pairRows(): string[][] {
  return PAYMENTS.flatMap(payment => {
    const rows = ORDER_PHASES.flatMap(order => {
      const row = rowFor(order, payment);
      return row ? [{ order, row }] : [];
    });
    const isShared = rows.length === ORDER_PHASES.length;
    return (isShared ? rows.slice(0, 1) : rows).map(({ order, row }) => [
      isShared ? 'any' : `\`${order}\``,
      `\`${payment}\``,
      ACTIONS[row.nextAction],
      agreesText(row),
    ]);
  });
}

/** What an order and its payment can be: the one table of the server, as a page. */
export function statusReference(): string {
  return document(
    '# Statuses',
    'For developers of a game backend, and for those who support players. Five minutes.',
    'Every rule about money asks one table: the status of the order, that of its payment, and what the provider holds. This page shows that table. What it does not name cannot happen.',
    '## Orders',
    table(
      ['Status', 'Meaning', 'Its payments can be', 'What can follow', 'Can be refunded', 'Final'],
      ORDER_STATUSES.map(orderRow),
    ),
    'An order can have several payments, one after another: each attempt is one. A refund that the bank returns days later brings a `refunded` order back to `paid` or `rejected`; a caller need not wait for that, so it counts as final.',
    '## Payments',
    table(
      ['Status', 'Meaning', 'What can follow'],
      PAYMENT_STATUSES.map(status => [
        `\`${status}\``,
        PAYMENT_MEANING[status],
        code(Object.values<string>(NEXT_STATUS[status])),
      ]),
    ),
    '## What the provider may hold',
    'For each pair: what Coinslot does next by itself, and what the provider may hold meanwhile, with how long that may last where it must end. The nightly comparison lists everything else as a difference. Some statuses have two phases: `granted` is an `authorized` order whose game said yes, `canceled_by_refund` and `refunded_before_capture` are refunds of an order that was never paid. `orphaned` is a payment that was given up here while the provider holds money for it.',
    table(['Order', 'Payment', 'Coinslot', 'The provider may hold'], pairRows()),
  );
}
