import { CARDS } from '@coinslot/testing/program';
import type { Charge, Refusal } from '../../../apps/server/src/domain/payment/providers/base/charge-shape.ts';
import {
  type AuthorizeRequest,
  type ChargeRef,
  OutcomeUnknown,
  type RefundAnswer,
  type SavedMethod,
  type StepAnswer,
} from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import { payForm } from '../../nothing-is-lost/pay-form.ts';
import {
  type Bank,
  type BookCharge,
  type Elsewhere,
  isUndecided,
  type Messenger,
  type MoneyCall,
  type MoneyFault,
  type PayOutcome,
  type Sending,
} from './bank.ts';
import { isRefusal, type OwnCharge, OwnCharges, type Prices, type Surroundings } from './own-charges.ts';

/** The provider behind the interface says nothing of what a capture costs. */
const PRICES: Prices = { capture: () => 0, dispute: 1_500 };

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
  const { status, amountMinor, currency, disputes } = charge;
  const isDeclined = status === 'declined' || status === 'never';
  const asksAgain = disputes.some(isUndecided);
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
    disputes: disputes.map(({ feeMinor, ...dispute }) => ({
      ...dispute,
      currency,
      fee: feeMinor === 0 ? null : { amountMinor: feeMinor, currency },
    })),
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

const OPENED: Partial<Record<PayOutcome, BookCharge['status']>> = {
  process: 'processing',
  challenge: 'requires_action',
  decline: 'declined',
  shop_fault: 'declined',
};

/** A provider that outlives every program: what it holds is the truth about money. */
export class ProviderBooks implements Bank {
  readonly #charges: OwnCharges;
  readonly #outcomes = new Map<string, PayOutcome>();
  readonly #faults: { orderId: string; call: MoneyCall; fault: MoneyFault }[] = [];
  /** Charges with a change that the provider has not reported to the shop yet. */
  readonly #unreported = new Set<OwnCharge>();

  constructor(view: Surroundings) {
    this.#charges = new OwnCharges(PRICES, view);
  }

  expect(orderId: string, outcome: PayOutcome, isSaved: boolean): Record<string, string> {
    this.#outcomes.set(orderId, outcome);
    return { ...CARD_FORM, ...(isSaved && { save_method: 'on' }) };
  }

  visit(): boolean {
    return false;
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

  async sendCallbacks(orderId: string, { hear }: Messenger, { times }: Sending): Promise<void> {
    await Promise.all(
      this.ofOrder(orderId).map(async charge => {
        const { environmentId, paymentId } = charge;
        const answers = await Promise.all(Array.from({ length: times }, () => hear({ environmentId, paymentId })));
        if (answers.includes(true)) this.#unreported.delete(charge);
      }),
    );
  }

  /** It keeps no list that could be compared, so a callback is the only way to hear of something. */
  loseCallbacks(): boolean {
    return false;
  }

  hasCallbacks(orderId: string): boolean {
    return [...this.#unreported].some(charge => charge.orderId === orderId);
  }

  #saving: Promise<void> = Promise.resolve();
  readonly #saves: string[] = [];

  ofOrder(orderId: string): OwnCharge[] {
    return this.#charges.ofOrder(orderId);
  }

  /** What it holds is the model's own account. */
  contradictions(): string[] {
    return [];
  }

  forget(orderIds: ReadonlySet<string>): void {
    for (const charge of this.#unreported) if (orderIds.has(charge.orderId)) this.#unreported.delete(charge);
    this.#charges.forget(orderIds);
    for (const orderId of orderIds) this.#outcomes.delete(orderId);
  }

  async authorize(request: AuthorizeRequest): Promise<Charge> {
    const known = this.#charges.get(request.paymentId);
    if (known) return viewOf(known);
    const { orderId, currency } = request;
    const outcome = this.#outcomes.get(orderId) ?? 'authorize';
    this.#outcomes.delete(orderId);
    if (outcome === 'lose_request' || outcome === 'stored_error') throw new OutcomeUnknown('The request was lost.');
    const amountMinor = outcome === 'other_amount' ? request.amountMinor + 100 : request.amountMinor;
    const status = OPENED[outcome];
    const charge = this.#charges.open(request, { orderId, amountMinor, currency, status: status ?? 'requires_action' });
    if (!status) this.#charges.approve(charge, outcome === 'capture_at_once');
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
      this.#charges.capture(charge);
      return asStep(charge);
    });
  }

  async void(ref: ChargeRef): Promise<StepAnswer> {
    return this.#move('void', ref, charge => {
      this.#charges.void(charge);
      return asStep(charge);
    });
  }

  async refund(ref: ChargeRef): Promise<RefundAnswer> {
    return this.#move('refund', ref, charge => {
      if (charge.status === 'refunded') return asStep(charge);
      if (charge.status !== 'captured') return refused(refusal('not_captured', true));
      // It lets a shop return what a bank has taken, as some providers do: that is for the shop to know.
      this.#charges.refund(charge);
      return asStep(charge);
    });
  }

  async lookUp(ref: ChargeRef): Promise<Charge | null> {
    const never = { orderId: '', amountMinor: 0, currency: '', status: 'never' as const };
    const charge = this.#charges.get(ref.paymentId) ?? this.#charges.open(ref, never);
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
    return this.#saves.filter(paymentId => this.#charges.get(paymentId)?.orderId === orderId).length;
  }

  async saveMethod({ paymentId }: ChargeRef): Promise<SavedMethod> {
    this.#saves.push(paymentId);
    await this.#saving;
    this.#saves.splice(this.#saves.indexOf(paymentId), 1);
    return { token: `tok_${paymentId}`, brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2040 };
  }

  async answerChallenge({ paymentId }: ChargeRef, answer: 'complete' | 'fail'): Promise<Charge> {
    const charge = this.#charges.get(paymentId);
    if (charge?.status !== 'requires_action') throw new OutcomeUnknown('No challenge is open.');
    if (answer === 'complete') this.#charges.approve(charge, false);
    else charge.status = 'declined';
    return viewOf(charge);
  }

  /** True when it could happen to one of the order's charges. */
  happen(orderId: string, what: Elsewhere): boolean {
    for (const charge of this.ofOrder(orderId)) {
      if (!this.#charges.happen(charge, what)) continue;
      this.#unreported.add(charge);
      return true;
    }
    return false;
  }

  async #move(call: MoneyCall, ref: ChargeRef, work: (charge: OwnCharge) => StepAnswer): Promise<StepAnswer> {
    const charge = this.#charges.get(ref.paymentId);
    if (!charge) return refused(refusal('no_such_charge', true));
    if (charge.refusedForGood.has(call) && isRefusal(charge, call, 'refuse_for_good'))
      return refused(refusal(`${call}_impossible`, true));
    const at = this.#faults.findIndex(fault => fault.orderId === charge.orderId && fault.call === call);
    const fault = at < 0 ? null : this.#faults.splice(at, 1)[0]!.fault;
    if (fault === 'lose_request' || fault === 'stored_error') throw new OutcomeUnknown('The request was lost.');
    const isRefused = fault !== null && isRefusal(charge, call, fault);
    if (isRefused && fault === 'refuse_once') return refused(refusal(`${call}_not_now`, false));
    if (isRefused) {
      charge.refusedForGood.add(call);
      return refused(refusal(`${call}_impossible`, true));
    }
    if (fault === 'slow') await new Promise(resolve => setTimeout(resolve, SLOW_MS));
    const answer = work(charge);
    if (fault === 'lose_answer') throw new OutcomeUnknown('The answer was lost.');
    return answer;
  }
}
