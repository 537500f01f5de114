import type { Topic } from '../directed.ts';

/** One text of a source file in the place of another. */
export interface Change {
  /** Below `apps/server/src`. */
  file: string;
  /** Stands there exactly once. */
  from: string;
  to: string;
}

/** A mistake that a person could make in the money code. */
export interface Mutant {
  name: string;
  /** What the histories are about that could kill it: they are played first. */
  topic: Topic;
  changes: readonly Change[];
  /** Behind it stands a second guard, so that no history can show it. This test fails with it. */
  test?: { file: string; title: string };
}

const ORDER = 'domain/order/order.ts';
const PAYMENT = 'domain/payment/payment.ts';
const TABLE = 'domain/purchase/table/purchase-table.ts';
const STATES = 'domain/purchase/table/provider-state.ts';
const APPLY = 'domain/purchase/engine/apply-charge.ts';
const ATTENTION = 'domain/purchase/engine/charge-attention.ts';
const ASK = 'domain/purchase/engine/ask-provider.ts';
const SETTLE = 'domain/purchase/engine/settle-item-delivery.ts';
const QUEUE = 'domain/purchase/engine/queue-item-event.ts';
const REFUND = 'domain/purchase/refund/request-refund.ts';
const REVOCATION = 'domain/purchase/refund/revocation.ts';
const LEDGER = 'domain/ledger/ledger.ts';
const LEDGER_SQL = 'domain/ledger/ledger.sql.ts';
const HELD = 'domain/webhook/delivery/order-queue.sql.ts';

const mutant = (topic: Topic, name: string, file: string, from: string, to: string, test?: Mutant['test']): Mutant => ({
  name,
  topic,
  changes: [{ file, from, to }],
  ...(test && { test }),
});

export const MUTANTS: readonly Mutant[] = [
  // The life of an order.
  mutant(
    'callers',
    'a paid order can be canceled',
    ORDER,
    "paid: { request_refund: 'refund_requested', open_dispute: 'disputed' },",
    "paid: { request_refund: 'refund_requested', open_dispute: 'disputed', cancel: 'canceled' },",
  ),
  mutant(
    'game',
    'an authorized order can be canceled',
    ORDER,
    "authorized: { grant: 'granted', reject: 'rejected', request_refund: 'canceled_by_refund' },",
    "authorized: { grant: 'granted', reject: 'rejected', request_refund: 'canceled_by_refund', cancel: 'canceled' },",
  ),
  mutant(
    'money',
    'a refund that fails makes a paid order rejected',
    ORDER,
    "refunded: { fail_refund: 'paid' },",
    "refunded: { fail_refund: 'rejected' },",
  ),
  mutant(
    'money',
    'a refund that is refused makes a paid order rejected',
    ORDER,
    "refund_requested: { complete_refund: 'refunded', refuse_refund: 'paid' },",
    "refund_requested: { complete_refund: 'refunded', refuse_refund: 'rejected' },",
  ),
  mutant(
    'attempt',
    'an order that is over can be paid',
    ORDER,
    "if (over && ['pay', 'claim', 'cancel'].includes(command))",
    "if (over && ['claim', 'cancel'].includes(command))",
    { file: 'domain/order/order.test.ts', title: 'is over at the very second for' },
  ),
  mutant(
    'attempt',
    'a payment begun in time is not taken after it',
    ORDER,
    "if (over && ['pay', 'claim', 'cancel'].includes(command))",
    "if (over && ['pay', 'claim', 'cancel', 'authorize'].includes(command))",
  ),
  // The life of a payment, and the table over both.
  mutant(
    'bank',
    'a won dispute never ends',
    PAYMENT,
    "disputed: { win_dispute: 'succeeded', lose_dispute: 'charged_back', request_refund: 'refund_requested' },",
    "disputed: { lose_dispute: 'charged_back', request_refund: 'refund_requested' },",
  ),
  mutant('bank', 'a won dispute changes nothing', TABLE, 'dispute_won: [WIN_DISPUTE],', 'dispute_won: [],'),
  mutant('callers', 'released in place of captured', TABLE, "nextAction: 'capture',", "nextAction: 'void_or_refund',"),
  mutant(
    'game',
    'captured before the grant',
    TABLE,
    "  'authorized/authorized': {\n    nextAction: 'none',\n    recheckAfter: 'delivery',",
    "  'authorized/authorized': {\n    nextAction: 'capture',\n    recheckAfter: LEASE_SECONDS,",
  ),
  mutant(
    'money',
    'money returned at the provider is not seen',
    TABLE,
    '      dispute_lost: [OPEN_DISPUTE, LOSE_DISPUTE],\n      ...returned(RETURN),',
    '      dispute_lost: [OPEN_DISPUTE, LOSE_DISPUTE],',
  ),
  mutant(
    'money',
    'a refund that fails later is not seen',
    TABLE,
    "transitions: { refund_failed: [{ payment: 'fail_refund', order: 'fail_refund' }] },",
    'transitions: {},',
  ),
  mutant('attempt', 'an attempt that the provider never heard of waits forever', TABLE, '    absent: ABANDON,\n', ''),
  mutant(
    'money',
    'the money of a rejected order stays',
    TABLE,
    "  nextAction: 'void_or_refund',",
    "  nextAction: 'look_up',",
  ),
  mutant(
    'bank',
    'a status that is not known counts as won',
    STATES,
    "unclear: 'dispute_unclear',",
    "unclear: 'dispute_won',",
  ),
  mutant(
    'bank',
    'a prevented dispute waits forever',
    STATES,
    "if (dispute?.status === 'prevented' && dispute.amountMinor >= amountMinor) return ['refunded'] as const;",
    "if (dispute?.status === 'prevented') return ['captured'] as const;",
  ),
  // What is made of the provider's answer.
  mutant(
    'attempt',
    'another amount is taken for the right one',
    APPLY,
    'charge.amountMinor === payment.amountMinor && (payment.amountMinor === 0 || charge.currency === payment.currency);',
    'charge.currency === charge.currency || payment.amountMinor === 0;',
  ),
  mutant(
    'attempt',
    'money of an attempt that was given up stays',
    ATTENTION,
    "return paymentIs(payment.status, 'given_up') && isThere ? [phrase('orphaned')] : null;",
    "return paymentIs(payment.status, 'given_up') && isThere && payment.problem ? [phrase('orphaned')] : null;",
  ),
  mutant(
    'bank',
    'a dispute after a refund is not told',
    ATTENTION,
    "if (!code || charge === 'absent') return null;",
    "if (!code || charge === 'absent' || paymentIs(payment.status, 'refund_begun')) return null;",
  ),
  mutant(
    'bank',
    'items stay after a chargeback',
    APPLY,
    "if (steps.some(step => step.order === 'lose_dispute')) return 'chargeback';",
    "if (steps.some(step => step.order === 'lose_dispute')) return null;",
  ),
  mutant(
    'bank',
    'money goes back twice: a bank has it already',
    ASK,
    'if (isHeldByBank(charge) || isReturnedInTime(charge)) return',
    'if (isReturnedInTime(charge)) return',
  ),
  mutant(
    'bank',
    'money goes back twice: the provider has returned it',
    ASK,
    'if (isHeldByBank(charge) || isReturnedInTime(charge)) return',
    'if (isHeldByBank(charge)) return',
    {
      file: 'domain/purchase/refund/stripe-disputes.test.ts',
      title: 'a dispute that was prevented unheard is not refunded a second time',
    },
  ),
  mutant(
    'bank',
    'an older answer is recorded over a newer one',
    'domain/purchase/engine/record-charge.ts',
    'if (before.payment.version !== ref.version) return',
    'if (before.payment.version < ref.version) return',
    {
      file: 'domain/purchase/refund/stripe-refunds.test.ts',
      title: 'that failed while an answer was on its way stays failed',
    },
  ),
  mutant(
    'attempt',
    'a left challenge is not ended at the provider',
    ASK,
    "nowMs - payment.updatedAt.getTime() >= CHALLENGE_SECONDS * 1000\n    ? ['requires_action']",
    'nowMs - payment.updatedAt.getTime() >= CHALLENGE_SECONDS * 1000\n    ? []',
  ),
  // Refunds and items.
  mutant(
    'callers',
    'a second refund is refused',
    REFUND,
    "if (orderIs(before.order.status, 'refund_begun')) return {};",
    "if (before.order.status === 'refunded') throw wrongStatus(before.order.status);",
  ),
  mutant(
    'money',
    'items go before the refund is taken',
    REFUND,
    "const isReserved = before.order.status === 'authorized';",
    'const isReserved = true;',
  ),
  mutant(
    'game',
    'a removal for what was never granted',
    REVOCATION,
    "if (!order.grantedAt && (status === 'canceled' || status === 'declined' || neverSent)) return 'none';",
    "if (!order.grantedAt && neverSent) return 'none';",
  ),
  mutant(
    'game',
    'no removal after a silence',
    REVOCATION,
    "return attemptsMade === 0 ? 'withdraw' : 'withdraw_and_remove';",
    "return attemptsMade < 3 ? 'withdraw' : 'withdraw_and_remove';",
  ),
  mutant('callers', 'one key for grant and removal', QUEUE, "? 'add' : 'remove'", "? 'item' : 'item'"),
  mutant(
    'game',
    'every removal says that the grant was confirmed',
    QUEUE,
    "grant: order.grantedAt ? 'confirmed' : 'unknown'",
    "grant: order.createdAt ? 'confirmed' : 'unknown'",
  ),
  mutant(
    'game',
    'a grant is given up early',
    'domain/webhook/sending/retry.ts',
    "if (stepSeconds === undefined) return 'exhausted';",
    "if (stepSeconds === undefined || attemptsMade > 3) return 'exhausted';",
  ),
  mutant(
    'game',
    'a refusal of the game is asked about again',
    'domain/webhook/sending/attempt-delivery.ts',
    "if (exchange.declined && facts.lane === 'items') return final('declined');",
    '',
  ),
  mutant(
    'game',
    'an exhausted grant counts as granted',
    SETTLE,
    "const decision = decideOrder(order, status === 'succeeded' ? 'grant' : 'reject', now);",
    "const decision = decideOrder(order, status === 'declined' ? 'reject' : 'grant', now);",
  ),
  mutant(
    'game',
    'held grants are given up at once',
    QUEUE,
    'giveUpInSeconds: GIVE_UP_SECONDS,',
    'giveUpInSeconds: Math.round(GIVE_UP_SECONDS / 10),',
  ),
  mutant('game', 'what was held is not released', HELD, "and ((lane = 'items' and ", "and ((lane = 'none' and "),
  mutant(
    'callers',
    'a replay grants what was refunded',
    HELD,
    "where o.environment_id = d.environment_id and o.id = d.order_id and o.status = 'paid'))",
    'where o.environment_id = d.environment_id and o.id = d.order_id))',
    { file: 'domain/webhook/delivery/resend.test.ts', title: 'a replay leaves the grant of a refunded order alone' },
  ),
  mutant(
    'game',
    'a held removal is given up',
    'domain/webhook/delivery/held-too-long.sql.ts',
    "status = 'held' and event_type = 'item.add' and give_up_at <= app_now()",
    "status = 'held' and give_up_at <= app_now()",
  ),
  // Many at once, and players who want to be forgotten.
  mutant(
    'callers',
    'a bulk refund counts what was asked',
    'domain/purchase/bulk/read-bulk.ts',
    "if (isBack) return 'done';",
    "if (isBack || status === 'paid') return 'done';",
  ),
  mutant(
    'callers',
    'an erased player can still pay',
    'domain/privacy/erase-player.ts',
    'const canceled = await cancelUnpaid(tx, actor, environment, orders);',
    'const canceled = orders.length > 0 ? 0 : await cancelUnpaid(tx, actor, environment, orders);',
  ),
  mutant(
    'callers',
    'a waiting removal loses its player',
    'domain/privacy/erase-player.ts',
    '  updateBodiesKept(tx, environmentId, bodies);\n',
    '',
  ),
  // The ledger.
  mutant(
    'bank',
    'a dispute about a part is booked as the whole',
    LEDGER_SQL,
    'd.id, d.status, d.amount_minor as "amountMinor",',
    'd.id, d.status, (select p.amount_minor from payments p where p.environment_id = d.environment_id and p.id = d.payment_id) as "amountMinor",',
  ),
  mutant(
    'bank',
    'the fee of a dispute is left out',
    LEDGER,
    "...(dispute.feeCurrency ? post('dispute_fee', (dispute.feeMinor ?? 0) - posted.feeMinor, dispute.feeCurrency) : []),",
    '',
  ),
  mutant(
    'money',
    'fees go the wrong way',
    LEDGER,
    "  fee: { from: 'balance', to: 'fees' },",
    "  fee: { from: 'fees', to: 'balance' },",
  ),
  mutant(
    'bank',
    'a refund that failed is booked once more after a dispute',
    LEDGER,
    "return [moved < 0 ? 'refund_failed' : 'refunded', Math.abs(moved)];",
    "return data.attention?.code === 'refund_failed' ? ['refund_failed', data.amount] : ['refunded', moved];",
  ),
  mutant('callers', 'refunds are left out of the ledger', LEDGER, "  'payment.refunded': 'refunded',\n", ''),
  mutant(
    'bank',
    'a lost dispute is booked as one that is open',
    LEDGER,
    'const lost = isTaken(dispute) ? amountMinor : 0;',
    'const lost = 0;',
  ),
  mutant(
    'bank',
    'only the first dispute of a payment is kept',
    'domain/payment/disputes/record-disputes.ts',
    'for (const dispute of reported) await upsertDispute(tx, ref, dispute);',
    'for (const dispute of reported.slice(0, 1)) await upsertDispute(tx, ref, dispute);',
  ),
  // Two at once.
  {
    name: 'an order is not locked and its version not compared',
    topic: 'callers',
    changes: [
      {
        file: 'domain/order/order.sql.ts',
        from: 'order by o.environment_id, o.id for update of o`',
        to: 'order by o.environment_id, o.id`',
      },
      {
        file: 'domain/order/order.sql.ts',
        from: "CHANGED.setFrom('t')}, player_message",
        to: "CHANGED.omit('version').setFrom('t')}, version = o.version + 1, player_message",
      },
      {
        file: 'domain/payment/payment.sql.ts',
        from: "CHANGED.setFrom('t')},\n    next_check_at = case",
        to: "CHANGED.omit('version').setFrom('t')}, version = p.version + 1,\n    next_check_at = case",
      },
    ],
  },
];
