// A shop that does nothing breaks no rule about what must not happen. These say what must.
import { isUndecided, isWon, wasDisputed } from '../world/bank.ts';
import { type Evidence, needsAttention, type Say } from './evidence.ts';

/** Section 6 of the contract: five attempts while the player waits, eleven in the background. */
const ATTEMPTS = 16;
/** As long as all of them take. */
const RETRIES_SECONDS = 273_000;

const cameIn = ({ charges, known }: Evidence): boolean =>
  known.authorizedAtSeconds !== null || charges.some(({ movements }) => movements.includes('authorized'));

/** The money came, no one wanted it back, and the game was there before the last retry: then it ends paid. */
function judgePaid(evidence: Evidence, say: Say): void {
  const { order, known, asked } = evidence;
  if (!cameIn(evidence) || known.excuses.size > 0 || asked >= ATTEMPTS || order.status === 'paid') return;
  say('what was paid ends paid', `it is ${order.status}, and the game was asked ${asked} times`);
}

/** A caller was told that the money goes back, and nothing stands in the way of that. */
function judgeRefunded(evidence: Evidence, say: Say): void {
  const { order, known, charges } = evidence;
  const isHindered = known.isReturnHindered || charges.some(charge => wasDisputed(charge) || charge.refundFailed);
  if (!known.refundAccepted || known.settledElsewhere || isHindered || order.status === 'refunded') return;
  say('a refund ends refunded', `it is ${order.status}`);
}

const DISPUTE_CODES = ['dispute_open', 'dispute_unclear'];

/** A bank that has decided is waited for no longer. */
function judgeVerdict(evidence: Evidence, say: Say): void {
  const { order, known, charges } = evidence;
  if (known.settledElsewhere) return;
  for (const charge of charges) {
    const payment = order.payments.find(({ id }) => id === charge.paymentId);
    if (!payment || !wasDisputed(charge) || charge.disputes.some(isUndecided)) continue;
    const verdicts = charge.disputes.map(({ status }) => status).join();
    if (payment.status === 'disputed') say('a dispute ends with its verdict', `${verdicts}, and it is disputed`);
    if (DISPUTE_CODES.includes(payment.attention ?? ''))
      say('a dispute ends with its verdict', `${verdicts}, and it carries ${payment.attention}`);
    // A bank that found for the shop has taken nothing away.
    const wasOurs = known.wasPaid && !known.refundAccepted && charge.status === 'captured' && !charge.refundFailed;
    if (isWon(charge) && wasOurs && !known.excuses.has('member') && order.status !== 'paid')
      say('a dispute ends with its verdict', `won, and the order is ${order.status}`);
  }
}

/** The one excuse that is no cause: without an endpoint the game is waited for as long as all retries would take. */
export function judgeGivingUp(evidence: Evidence, say: Say): void {
  const { order, known, asked, nowSeconds } = evidence;
  const { authorizedAtSeconds: since, excuses } = known;
  const isOnlyWaiting = [...excuses].every(excuse => excuse === 'endpoint');
  if (order.status !== 'rejected' || !isOnlyWaiting || since === null || asked >= ATTEMPTS) return;
  const waited = nowSeconds - since;
  if (waited < RETRIES_SECONDS)
    say('a grant is given up only after all retries', `after ${waited} s and ${asked} attempts`);
}

const UNFINISHED = ['pending', 'authorized', 'refund_requested', 'disputed'];

/** At rest, which comes after a bounded number of steps with a healthy game and provider. */
export function judgeLiveness(evidence: Evidence, say: Say): void {
  judgePaid(evidence, say);
  judgeRefunded(evidence, say);
  judgeVerdict(evidence, say);
  const isOpen = evidence.charges.some(charge => charge.disputes.some(isUndecided) || charge.status === 'processing');
  if (UNFINISHED.includes(evidence.order.status) && !needsAttention(evidence) && !isOpen)
    say('what was paid ends paid', `it is still ${evidence.order.status}, and nothing needs attention`);
}
