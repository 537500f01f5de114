import { type ExamCase, first, mustAccept, type Verdict } from '../exam-case.ts';
import type { Examiner } from '../examiner.ts';

const REVOKES = { needsCounts: true, unless: ['right', 'shared_order', 'add_then_remove'] } as const;
const OWNED = 5;

/** A purchase and its refund, which have the order in common. */
async function buyAndRefund(examiner: Examiner, quantity: number): Promise<Verdict> {
  const add = examiner.event('item.add', { quantity, order: 'refunded' });
  const bought = first(await mustAccept(examiner, add), await examiner.expectCount(quantity));
  if (bought) return bought;
  const remove = examiner.event('item.remove', { quantity, order: 'refunded', grant: 'confirmed' });
  return first(await mustAccept(examiner, remove), await examiner.expectCount(0));
}

export const ITEMS: ExamCase[] = [
  {
    name: 'shared_order',
    title: 'tells a refund from its purchase, though both have the same order',
    why: 'A purchase and its refund have one order_id. If that is the key, the refund looks like a duplicate and is ignored.',
    loss: 'keeps_refunded',
    fix: 'KEY',
    needsCounts: true,
    unless: ['right', 'twice'],
    async run(examiner) {
      const verdict = await buyAndRefund(examiner, 1);
      if (verdict === null) return null;
      // It ignores every refund, or only those of an order that it knows. Another case judges the first.
      const other = examiner.event('item.remove', { order: 'another', grant: 'confirmed' });
      await mustAccept(examiner, other);
      return (await examiner.expectCount(0)) === null ? verdict : null;
    },
  },
  {
    name: 'add_then_remove',
    title: 'revokes the items of a refunded purchase',
    why: 'A refunded player would keep the items.',
    loss: 'keeps_refunded',
    fix: 'REVOKE',
    needsCounts: true,
    unless: ['right', 'shared_order'],
    run: examiner => buyAndRefund(examiner, 1),
  },
  {
    ...REVOKES,
    name: 'quantity',
    title: 'grants and revokes as many as the quantity says',
    why: 'A player who bought three would get one, or would keep two after the refund.',
    loss: 'pays_for_nothing',
    fix: 'QUANTITY',
    run: examiner => buyAndRefund(examiner, 3),
  },
  {
    ...REVOKES,
    name: 'remove_before_answer',
    title: 'revokes items that are refunded before the grant was answered',
    why: 'The answer to a grant can get lost, and the refund comes next. What was granted must go.',
    loss: 'keeps_refunded',
    fix: 'GRANTED',
    async run(examiner) {
      const add = await examiner.sign(examiner.event('item.add', { order: 'refunded' }));
      const remove = examiner.event('item.remove', { order: 'refunded' });
      await examiner.send({ ...add, cut: true });
      return first(await mustAccept(examiner, remove), await examiner.expectCount(0));
    },
  },
  {
    ...REVOKES,
    unless: [...REVOKES.unless, 'quantity'],
    name: 'remove_ungranted',
    title: 'takes nothing for the refund of a purchase that never arrived',
    why: 'A purchase that never reached the game can be refunded too. Revoking it would take what the player owned before.',
    loss: 'loses_own',
    fix: 'GRANTED',
    async run(examiner) {
      const owned = examiner.event('item.add', { quantity: OWNED });
      const before = first(await mustAccept(examiner, owned), await examiner.expectCount(OWNED));
      if (before) return before;
      const remove = examiner.event('item.remove', { quantity: 2, order: 'never-arrived', grant: 'unknown' });
      return first(await mustAccept(examiner, remove), await examiner.expectCount(OWNED));
    },
  },
];
