import {
  type AuthorizeRequest,
  type Charge,
  type ChargeRef,
  type ChargeStatus,
  type Dispute,
  type DisputeStatus,
  OutcomeUnknown,
  type RefundAnswer,
  type Refusal,
  type StepAnswer,
} from '../../apps/server/src/domain/payment/gateways/gateway.ts';

/** What the player's next attempt meets. */
export type PayOutcome =
  | 'authorize'
  | 'capture_at_once'
  | 'process'
  | 'challenge'
  | 'decline'
  | 'shop_fault'
  | 'other_amount'
  | 'lose_request'
  | 'lose_answer';
export type MoneyCall = 'capture' | 'void' | 'refund';
export type MoneyFault = 'refuse_for_good' | 'refuse_once' | 'lose_request' | 'lose_answer' | 'slow';
export type Movement = 'authorized' | 'captured' | 'voided' | 'refunded' | 'refund_failed' | 'charged_back' | 'won';
/** What happens at the provider without the shop. */
export type Elsewhere =
  | 'captured'
  | 'voided'
  | 'refunded'
  | 'refund_fails'
  | 'arrives'
  | `dispute_${Exclude<DisputeStatus, 'open'>}`
  | 'dispute_open';

/** One line of the provider's books. */
export interface BookCharge extends ChargeRef {
  orderId: string;
  /** `never`: asked about before it came, and refused since. */
  status: ChargeStatus | 'never';
  amountMinor: number;
  currency: string;
  dispute: Dispute | null;
  refundFailed: boolean;
  movements: Movement[];
  /** What the provider will never do for this charge, and has said so. */
  refusedForGood: Set<MoneyCall>;
}

const count = ({ movements }: BookCharge, kind: Movement): number => movements.filter(one => one === kind).length;

/** Money of this charge that the shop has at the provider. */
export const netOf = (charge: BookCharge): number =>
  charge.amountMinor *
  (count(charge, 'captured') -
    count(charge, 'refunded') +
    count(charge, 'refund_failed') -
    count(charge, 'charged_back'));

export const isReserved = ({ status }: BookCharge): boolean => status === 'authorized';

const OPEN_DISPUTES: readonly (DisputeStatus | undefined)[] = ['inquiry', 'open', 'unclear'];
const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
const SLOW_MS = 15;

const refusal = (code: string, isFinal: boolean, whose: Refusal['whose'] = 'shop'): Refusal => ({
  whose,
  code,
  reason: `The provider says ${code}.`,
  param: null,
  requestId: 'req_of_the_lab',
  isFinal,
});

function viewOf(charge: BookCharge): Charge {
  const { status, amountMinor, currency, dispute } = charge;
  const isDeclined = status === 'declined' || status === 'never';
  const asksAgain = OPEN_DISPUTES.includes(dispute?.status);
  return {
    status: status === 'never' ? 'declined' : status,
    amountMinor,
    currency,
    brand: 'visa',
    last4: '4242',
    country: 'GB',
    responseCode: isDeclined ? '16' : null,
    responseDescription: isDeclined ? 'Payment declined' : null,
    challengeUrl: status === 'requires_action' ? 'http://127.0.0.1:9/bank' : null,
    dispute,
    askAgainInSeconds: status === 'processing' ? HOUR_SECONDS : asksAgain ? DAY_SECONDS : null,
    refundedMinor: status === 'refunded' ? amountMinor : 0,
    declinedBy: isDeclined ? 'bank' : null,
    refusal: isDeclined ? refusal('card_declined', true, 'bank') : null,
    refundFailure: charge.refundFailed ? { reason: 'The bank sent it back.', code: 'lost_or_stolen_card' } : null,
  };
}

const asStep = (charge: BookCharge): StepAnswer => ({ kind: 'charge', charge: viewOf(charge) });
const refused = (no: Refusal): StepAnswer => ({ kind: 'refused', refusal: no });

const OPENED: Partial<Record<PayOutcome, [ChargeStatus, Movement[]]>> = {
  capture_at_once: ['captured', ['authorized', 'captured']],
  process: ['processing', []],
  challenge: ['requires_action', []],
  decline: ['declined', []],
  shop_fault: ['declined', []],
};

/** A provider that outlives every program: what it holds is the truth about money. */
export class ProviderBooks {
  readonly charges = new Map<string, BookCharge>();
  readonly outcomes = new Map<string, PayOutcome[]>();
  readonly faults: { orderId: string; call: MoneyCall; fault: MoneyFault }[] = [];
  /** Charges of which the provider still has to tell the shop something. */
  readonly news = new Set<BookCharge>();

  ofOrder(orderId: string): BookCharge[] {
    return [...this.charges.values()].filter(charge => charge.orderId === orderId);
  }

  forget(orderIds: ReadonlySet<string>): void {
    for (const [id, { orderId }] of this.charges) if (orderIds.has(orderId)) this.charges.delete(id);
    for (const orderId of orderIds) this.outcomes.delete(orderId);
  }

  async authorize(request: AuthorizeRequest): Promise<Charge> {
    const known = this.charges.get(request.paymentId);
    if (known) return viewOf(known);
    const outcome = this.outcomes.get(request.orderId)?.shift() ?? 'authorize';
    if (outcome === 'lose_request') throw new OutcomeUnknown('The request was lost.');
    const [status, movements] = OPENED[outcome] ?? ['authorized', ['authorized']];
    const charge = this.#open(request, status, movements);
    charge.orderId = request.orderId;
    charge.amountMinor = outcome === 'other_amount' ? request.amountMinor + 100 : request.amountMinor;
    charge.currency = request.currency;
    if (outcome === 'lose_answer') throw new OutcomeUnknown('The answer was lost.');
    const no = refusal('api_key_expired', false);
    if (outcome === 'shop_fault') return { ...viewOf(charge), declinedBy: 'shop', refusal: no };
    return viewOf(charge);
  }

  async capture(ref: ChargeRef & { amountMinor: number; currency: string }): Promise<StepAnswer> {
    return this.#move('capture', ref, charge => {
      if (charge.status !== 'authorized') return asStep(charge);
      if (charge.amountMinor !== ref.amountMinor || charge.currency !== ref.currency)
        return refused(refusal('amount_differs', true));
      this.#write(charge, 'captured', 'captured');
      return asStep(charge);
    });
  }

  async void(ref: ChargeRef): Promise<StepAnswer> {
    return this.#move('void', ref, charge => {
      if (charge.status === 'authorized') this.#write(charge, 'voided', 'voided');
      if (charge.status === 'requires_action') charge.status = 'voided';
      return asStep(charge);
    });
  }

  async refund(ref: ChargeRef): Promise<RefundAnswer> {
    return this.#move('refund', ref, charge => {
      if (charge.status === 'refunded') return asStep(charge);
      if (charge.status !== 'captured') return refused(refusal('not_captured', true));
      if (charge.dispute && ['open', 'unclear'].includes(charge.dispute.status))
        return refused(refusal('charge_disputed', false));
      if (charge.dispute?.status === 'lost') return refused(refusal('charge_charged_back', true));
      this.#write(charge, 'refunded', 'refunded');
      return asStep(charge);
    });
  }

  async lookUp(ref: ChargeRef): Promise<Charge | null> {
    const charge = this.charges.get(ref.paymentId) ?? this.#open(ref, 'never', []);
    return charge.status === 'never' ? null : viewOf(charge);
  }

  async dispute({ paymentId }: ChargeRef): Promise<Dispute | null> {
    return this.charges.get(paymentId)?.dispute ?? null;
  }

  async answerChallenge({ paymentId }: ChargeRef, answer: 'complete' | 'fail'): Promise<Charge> {
    const charge = this.charges.get(paymentId);
    if (charge?.status !== 'requires_action') throw new OutcomeUnknown('No challenge is open.');
    if (answer === 'complete') this.#write(charge, 'authorized', 'authorized');
    else charge.status = 'declined';
    return viewOf(charge);
  }

  /** True when it could happen to one of the order's charges. */
  happen(orderId: string, what: Elsewhere): boolean {
    for (const charge of this.ofOrder(orderId)) {
      if (!this.#happenTo(charge, what)) continue;
      this.news.add(charge);
      return true;
    }
    return false;
  }

  #happenTo(charge: BookCharge, what: Elsewhere): boolean {
    const { status } = charge;
    if (what === 'captured') return status === 'authorized' && this.#write(charge, 'captured', 'captured');
    if (what === 'voided') return status === 'authorized' && this.#write(charge, 'voided', 'voided');
    if (what === 'refunded')
      return status === 'captured' && !charge.dispute && this.#write(charge, 'refunded', 'refunded');
    if (what === 'arrives') {
      if (status !== 'processing') return false;
      charge.movements.push('authorized');
      return this.#write(charge, 'captured', 'captured');
    }
    if (what === 'refund_fails') {
      if (status !== 'refunded' || charge.refundFailed) return false;
      charge.refundFailed = true;
      return this.#write(charge, 'captured', 'refund_failed');
    }
    return status === 'captured' && this.#disputeTo(charge, what.slice('dispute_'.length) as DisputeStatus);
  }

  #disputeTo(charge: BookCharge, status: DisputeStatus): boolean {
    if (charge.dispute && !OPEN_DISPUTES.includes(charge.dispute.status)) return false;
    if (!charge.dispute && status === 'won') return false;
    charge.dispute = { status, reason: 'fraudulent' };
    if (status === 'lost') charge.movements.push('charged_back');
    if (status === 'won') charge.movements.push('won');
    return true;
  }

  #open(ref: ChargeRef, status: BookCharge['status'], movements: readonly Movement[]): BookCharge {
    const { environmentId, paymentId } = ref;
    const charge: BookCharge = {
      environmentId,
      paymentId,
      orderId: '',
      status,
      amountMinor: 0,
      currency: '',
      dispute: null,
      refundFailed: false,
      movements: [...movements],
      refusedForGood: new Set(),
    };
    this.charges.set(paymentId, charge);
    return charge;
  }

  #write(charge: BookCharge, status: ChargeStatus, movement: Movement): true {
    charge.status = status;
    charge.movements.push(movement);
    return true;
  }

  async #move(call: MoneyCall, ref: ChargeRef, work: (charge: BookCharge) => StepAnswer): Promise<StepAnswer> {
    const charge = this.charges.get(ref.paymentId);
    if (!charge) return refused(refusal('no_such_charge', true));
    if (charge.refusedForGood.has(call)) return refused(refusal(`${call}_impossible`, true));
    const at = this.faults.findIndex(fault => fault.orderId === charge.orderId && fault.call === call);
    const fault = at < 0 ? null : this.faults.splice(at, 1)[0]!.fault;
    if (fault === 'lose_request') throw new OutcomeUnknown('The request was lost.');
    if (fault === 'refuse_once') return refused(refusal(`${call}_not_now`, false));
    if (fault === 'refuse_for_good') {
      charge.refusedForGood.add(call);
      return refused(refusal(`${call}_impossible`, true));
    }
    if (fault === 'slow') await new Promise(resolve => setTimeout(resolve, SLOW_MS));
    const answer = work(charge);
    if (fault === 'lose_answer') throw new OutcomeUnknown('The answer was lost.');
    return answer;
  }
}
