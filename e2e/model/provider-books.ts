import { CARDS } from '@coinslot/testing/program';
import {
  type AuthorizeRequest,
  type Charge,
  type ChargeRef,
  type ChargeStatus,
  type DisputeStatus,
  OutcomeUnknown,
  type RefundAnswer,
  type Refusal,
  type SavedMethod,
  type StepAnswer,
} from '../../apps/server/src/domain/payment/providers/base/gateway.ts';
import { payForm } from '../nothing-is-lost/pay-form.ts';
import {
  type Bank,
  type BookCharge,
  type Elsewhere,
  type Messenger,
  type MoneyCall,
  type MoneyFault,
  type Movement,
  OPEN_DISPUTES,
  type PayOutcome,
  type Telling,
} from './bank.ts';

interface OwnCharge extends BookCharge {
  movements: Movement[];
  refusedForGood: Set<MoneyCall>;
  isWarned: boolean;
}

const CARD_FORM = { ...Object.fromEntries(payForm(CARDS.success)), method: 'card' };
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

function viewOf(charge: OwnCharge): Charge {
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
    disputes: dispute ? [{ id: `dsp_${charge.paymentId}`, amountMinor, currency, ...dispute }] : [],
    askAgainInSeconds: status === 'processing' ? HOUR_SECONDS : asksAgain ? DAY_SECONDS : null,
    refundedMinor: status === 'refunded' ? amountMinor : 0,
    declinedBy: isDeclined ? 'bank' : null,
    refusal: isDeclined ? refusal('card_declined', true, 'bank') : null,
    warning: charge.isWarned ? { kind: 'fraud_warning', reason: 'unauthorized_use_of_card' } : null,
    refundFailure: charge.refundFailed ? { reason: 'The bank sent it back.', code: 'lost_or_stolen_card' } : null,
  };
}

const asStep = (charge: OwnCharge): StepAnswer => ({ kind: 'charge', charge: viewOf(charge) });
const refused = (no: Refusal): StepAnswer => ({ kind: 'refused', refusal: no });

const OPENED: Partial<Record<PayOutcome, [ChargeStatus, Movement[]]>> = {
  capture_at_once: ['captured', ['authorized', 'captured']],
  process: ['processing', []],
  challenge: ['requires_action', []],
  decline: ['declined', []],
  shop_fault: ['declined', []],
};

/** A provider that outlives every program: what it holds is the truth about money. */
export class ProviderBooks implements Bank {
  readonly charges = new Map<string, OwnCharge>();
  readonly #outcomes = new Map<string, PayOutcome>();
  readonly #faults: { orderId: string; call: MoneyCall; fault: MoneyFault }[] = [];
  /** Charges of which the provider still has to tell the shop something. */
  readonly #news = new Set<OwnCharge>();

  expect(orderId: string, outcome: PayOutcome, isSaved: boolean): Record<string, string> {
    this.#outcomes.set(orderId, outcome);
    return { ...CARD_FORM, ...(isSaved && { save_method: 'on' }) };
  }

  challenge(_orderId: string, answer: 'complete' | 'fail') {
    return { part: '/challenge', fields: { result: answer } };
  }

  plan(orderId: string, call: MoneyCall, fault: MoneyFault, times: number): void {
    this.#faults.push(...Array.from({ length: times }, () => ({ orderId, call, fault })));
  }

  calm(): void {
    this.#faults.splice(0);
  }

  async tell(orderId: string, { hear }: Messenger, { times }: Telling): Promise<void> {
    await Promise.all(
      this.ofOrder(orderId).map(async charge => {
        const { environmentId, paymentId } = charge;
        const heard = await Promise.all(Array.from({ length: times }, () => hear({ environmentId, paymentId })));
        if (heard.includes(true)) this.#news.delete(charge);
      }),
    );
  }

  /** It keeps no list that could be compared, so a callback is the only way to hear of something. */
  loseNews(): boolean {
    return false;
  }

  hasNews(orderId: string): boolean {
    return [...this.#news].some(charge => charge.orderId === orderId);
  }

  #saving: Promise<void> = Promise.resolve();
  readonly #saves: string[] = [];

  ofOrder(orderId: string): OwnCharge[] {
    return [...this.charges.values()].filter(charge => charge.orderId === orderId);
  }

  forget(orderIds: ReadonlySet<string>): void {
    for (const [id, charge] of this.charges) {
      if (!orderIds.has(charge.orderId)) continue;
      this.charges.delete(id);
      this.#news.delete(charge);
    }
    for (const orderId of orderIds) this.#outcomes.delete(orderId);
  }

  async authorize(request: AuthorizeRequest): Promise<Charge> {
    const known = this.charges.get(request.paymentId);
    if (known) return viewOf(known);
    const outcome = this.#outcomes.get(request.orderId) ?? 'authorize';
    this.#outcomes.delete(request.orderId);
    if (outcome === 'lose_request' || outcome === 'stored_error') throw new OutcomeUnknown('The request was lost.');
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

  /** From now on no method is saved until the answer is called. */
  holdSaves(): () => void {
    let release = (): void => {};
    this.#saving = new Promise<void>(resolve => {
      release = resolve;
    });
    return release;
  }

  savesUnderWay(orderId: string): number {
    return this.#saves.filter(paymentId => this.charges.get(paymentId)?.orderId === orderId).length;
  }

  async saveMethod({ paymentId }: ChargeRef): Promise<SavedMethod> {
    this.#saves.push(paymentId);
    await this.#saving;
    this.#saves.splice(this.#saves.indexOf(paymentId), 1);
    return { token: `tok_${paymentId}`, brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2040 };
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
      this.#news.add(charge);
      return true;
    }
    return false;
  }

  #happenTo(charge: OwnCharge, what: Elsewhere): boolean {
    const { status } = charge;
    if (what === 'warned') {
      charge.isWarned = status === 'captured';
      return charge.isWarned;
    }
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

  #disputeTo(charge: OwnCharge, status: DisputeStatus): boolean {
    if (charge.dispute && !OPEN_DISPUTES.includes(charge.dispute.status)) return false;
    if (!charge.dispute && status === 'won') return false;
    charge.dispute = { status, reason: 'fraudulent' };
    if (status === 'lost') charge.movements.push('charged_back');
    if (status === 'won') charge.movements.push('won');
    return true;
  }

  #open(ref: ChargeRef, status: BookCharge['status'], movements: readonly Movement[]): OwnCharge {
    const { environmentId, paymentId } = ref;
    const charge: OwnCharge = {
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
      isWarned: false,
    };
    this.charges.set(paymentId, charge);
    return charge;
  }

  #write(charge: OwnCharge, status: ChargeStatus, movement: Movement): true {
    charge.status = status;
    charge.movements.push(movement);
    return true;
  }

  async #move(call: MoneyCall, ref: ChargeRef, work: (charge: OwnCharge) => StepAnswer): Promise<StepAnswer> {
    const charge = this.charges.get(ref.paymentId);
    if (!charge) return refused(refusal('no_such_charge', true));
    if (charge.refusedForGood.has(call)) return refused(refusal(`${call}_impossible`, true));
    const at = this.#faults.findIndex(fault => fault.orderId === charge.orderId && fault.call === call);
    const fault = at < 0 ? null : this.#faults.splice(at, 1)[0]!.fault;
    if (fault === 'lose_request' || fault === 'stored_error') throw new OutcomeUnknown('The request was lost.');
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
