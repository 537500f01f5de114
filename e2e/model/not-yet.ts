import type { Evidence, Rule, Violation } from './rules.ts';

interface Gap {
  rule: Rule;
  /** Which histories it is about; everything else under this rule is a violation. */
  when(evidence: Evidence, violation: Violation): boolean;
  why: string;
}

/** What the contract asks and the program does not do yet. An entry leaves with the change that makes it true. */
export const NOT_YET: readonly Gap[] = [
  {
    rule: 'a dispute is visible',
    when: ({ attention, order }) => attention === undefined && order.status === 'disputed',
    why: 'a disputed order carries no attention',
  },
  {
    rule: 'a refusal for good is visible',
    when: ({ attention, order }) => attention === undefined && order.payments.some(({ hasDate }) => hasDate),
    why: 'a capture, void or refund that was refused for good is asked again and again, and no member is told',
  },
  ...(
    [
      'a failed refund is visible',
      'money fits the status',
      'items fit the status',
      'the ledger equals the books',
    ] as const
  ).map(
    (rule): Gap => ({
      rule,
      when: ({ attention, charges }) => attention === undefined && charges.some(({ refundFailed }) => refundFailed),
      why: 'a refund that fails at the bank after it succeeded leaves the order as it was',
    }),
  ),
  {
    rule: 'items fit the status',
    when: ({ order }) =>
      order.status === 'rejected' &&
      order.deliveries.some(({ kind, status }) => kind === 'item.add' && status === 'exhausted'),
    why: 'a grant that is given up although the game may have made it is followed by no removal',
  },
];

export const gapOf = (evidence: Evidence, violation: Violation): Gap | null =>
  NOT_YET.find(({ rule, when }) => rule === violation.rule && when(evidence, violation)) ?? null;
