// Where the money is: at the provider, by the model's own account, and in the shop's ledger.
import { accountsOf, type BookCharge, isLost, isReserved, keptOf, netOf } from '../world/bank.ts';
import { type Evidence, NOT_YET_OURS, type Say, WITH_ITEMS, WITHOUT_MONEY } from './evidence.ts';

const attentionOn = ({ order }: Evidence, { paymentId }: BookCharge): string | null =>
  order.payments.find(({ id }) => id === paymentId)?.attention ?? null;

/**
 * Section 10: which code says that money is where the status alone does not expect it. Nothing else excuses it, and a code
 * excuses only while the payment carries it.
 */
const EXPLAINS: Readonly<Record<string, (charge: BookCharge) => boolean>> = {
  refund_refused: ({ status }) => status === 'captured',
  refund_failed: ({ status, refundFailed }) => status === 'captured' && refundFailed,
  provider_error: ({ status, refusedForGood }) => status === 'authorized' && refusedForGood.has('void'),
  amount_differs: ({ status }) => status === 'authorized' || status === 'captured',
  // A bank holds it until it has decided; before that it cannot be returned.
  dispute_open: charge => charge.disputes.some(({ status }) => status === 'open'),
  dispute_unclear: charge => charge.disputes.some(({ status }) => status === 'unclear'),
};

const isExplained = (evidence: Evidence, charge: BookCharge): boolean =>
  EXPLAINS[attentionOn(evidence, charge) ?? '']?.(charge) ?? false;

/** What a bank has taken is no one's to return, and of a part the rest stays: the items went with the whole. */
const leftOf = (charge: BookCharge): number => (isLost(charge) ? 0 : keptOf(charge));

function judgePlace(evidence: Evidence): string | null {
  const { order, charges } = evidence;
  const unexplained = charges.filter(charge => !isExplained(evidence, charge));
  const kept = unexplained.reduce((sum, charge) => sum + leftOf(charge), 0);
  const reserved = unexplained.filter(isReserved).length;
  const there = `the provider keeps ${kept} and reserves ${reserved}`;
  const isEmpty = WITHOUT_MONEY.includes(order.status) || order.status === 'pending';
  if (isEmpty && (kept !== 0 || reserved !== 0)) return `${order.status}, and ${there}`;
  if (!WITH_ITEMS.includes(order.status)) return null;
  const live = order.payments.find(({ status }) => ['succeeded', 'disputed'].includes(status));
  const own = charges.filter(({ paymentId }) => paymentId === live?.id).reduce((sum, one) => sum + netOf(one), 0);
  const others = unexplained.filter(({ paymentId }) => paymentId !== live?.id);
  if (own !== live?.amountMinor || others.some(one => isReserved(one) || leftOf(one) !== 0))
    return `${order.status} for ${live?.amountMinor}, and ${there}`;
  return null;
}

const ACCOUNTS = ['reserved', 'balance', 'disputed', 'fees'] as const;

/** Of an attempt that was given up, only what banks and providers took is the shop's. */
function expectedAccounts(charge: BookCharge | undefined, status: string): Record<(typeof ACCOUNTS)[number], number> {
  if (!charge) return { reserved: 0, balance: 0, disputed: 0, fees: 0 };
  const there = accountsOf(charge);
  if (!NOT_YET_OURS.includes(status)) return there;
  return { ...there, reserved: 0, balance: there.balance - keptOf(charge) };
}

function judgeLedger({ order, charges }: Evidence): string | null {
  for (const { id, status } of order.payments) {
    const expected = expectedAccounts(
      charges.find(one => one.paymentId === id),
      status,
    );
    for (const account of ACCOUNTS) {
      const amount = order.ledger.get(`${id} ${account}`) ?? 0;
      if (amount !== expected[account])
        return `${account} is ${amount} in the ledger and ${expected[account]} at the provider, the payment is ${status}`;
    }
  }
  return null;
}

/** At rest. */
export function judgeMoney(evidence: Evidence, say: Say): void {
  // A member said that this is settled without the shop, so the record and the provider may differ from here on.
  if (!evidence.known.settledElsewhere) say('money fits the status', judgePlace(evidence));
  say('the ledger equals the books', judgeLedger(evidence));
}
