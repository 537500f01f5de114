import { type PaypalDouble, startPaypalDouble } from '@coinslot/testing/paypal-double/paypal-double';
import { approveOrder, capture, release } from '@coinslot/testing/paypal-double/paypal-money';
import type { DoubleEvent, DoubleOrder } from '@coinslot/testing/paypal-double/paypal-store';
import type { StripeFaultKind } from '@coinslot/testing/stripe-double/faults';
import type { Bank, BookCharge, Elsewhere, Messenger, MoneyCall, MoneyFault, PayOutcome, Sending } from './bank.ts';
import { isRefusal, type OwnCharge, OwnCharges, type Prices, type Surroundings } from './own-charges.ts';

export const PAYPAL_WEBHOOK = 'WEBHOOK1';

/** As PayPal's price list has them for the account of the lab. */
const PRICES: Prices = { capture: () => 35, dispute: 2_000 };
const decimal = (minor: number): string => (minor / 100).toFixed(2);

const refuse = (code: string, status = 422): StripeFaultKind => ({ kind: 'refuse', status, code });
const STORED_ERROR = refuse('INTERNAL_SERVER_ERROR', 500);
const FOR_GOOD: Record<MoneyCall, StripeFaultKind> = {
  capture: refuse('AUTHORIZATION_EXPIRED'),
  void: refuse('CANNOT_BE_VOIDED'),
  refund: refuse('REFUND_TIME_LIMIT_EXCEEDED'),
};
const ONCE: Record<MoneyCall, StripeFaultKind> = {
  capture: refuse('AUTHORIZATION_AMOUNT_LIMIT_EXCEEDED'),
  void: refuse('INTERNAL_SERVICE_ERROR', 500),
  refund: refuse('REFUND_FAILED_INSUFFICIENT_FUNDS'),
};
const SLOW_MS = 15;

function faultOf(call: MoneyCall, fault: MoneyFault): StripeFaultKind {
  if (fault === 'refuse_for_good') return FOR_GOOD[call];
  if (fault === 'refuse_once') return ONCE[call];
  if (fault === 'stored_error') return STORED_ERROR;
  if (fault === 'slow') return { kind: 'delay_before', until: new Promise(resolve => setTimeout(resolve, SLOW_MS)) };
  return { kind: fault };
}

const CREATES = /^POST \/v2\/checkout\/orders$/;
const AUTHORIZES = /^POST \/v2\/checkout\/orders\/(\w+)\/authorize$/;
const MOVES = /^POST \/v2\/payments\/(?:authorizations|captures)\/(\w+)\/(capture|void|refund)$/;

/** Where an attempt meets what it meets: PayPal fails in its own places, and says yes only to what the player approved. */
const AT_ORDER: readonly PayOutcome[] = ['shop_fault', 'lose_request'];
const PAY_FAULTS: Partial<Record<PayOutcome, StripeFaultKind>> = {
  shop_fault: refuse('PERMISSION_DENIED', 403),
  lose_request: { kind: 'lose_request' },
  lose_answer: { kind: 'lose_answer' },
  stored_error: STORED_ERROR,
};

const OPEN = { status: 'WAITING_FOR_SELLER_RESPONSE', dispute_life_cycle_stage: 'CHARGEBACK' };
const DISPUTES: Partial<Record<Elsewhere, { status: string; dispute_life_cycle_stage: string }>> = {
  dispute_inquiry: { status: 'WAITING_FOR_SELLER_RESPONSE', dispute_life_cycle_stage: 'INQUIRY' },
  dispute_open: OPEN,
  dispute_again: OPEN,
  dispute_unclear: { status: 'OTHER', dispute_life_cycle_stage: 'CHARGEBACK' },
};
const VERDICTS: Partial<Record<Elsewhere, string>> = {
  dispute_won: 'RESOLVED_SELLER_FAVOUR',
  dispute_lost: 'RESOLVED_BUYER_FAVOUR',
};
/** PayPal warns of nothing, and prevents nothing. */
const UNKNOWN_HERE: readonly Elsewhere[] = ['dispute_prevented', 'warned', 'comes_late'];

/** What became of a dispute, and what PayPal took for that. */
interface Disputed {
  isNew: boolean;
  feeMinor: number;
  amountMinor: number;
}

/** PayPal: an order that the player approves at PayPal, then an authorization, then a capture, each with states of its own. */
export class PaypalBank implements Bank {
  readonly #double: PaypalDouble;
  readonly #own: OwnCharges;
  readonly #outcomes = new Map<string, PayOutcome>();
  readonly #planned: { orderId: string; call: MoneyCall; fault: MoneyFault }[] = [];
  /** By our payment: PayPal's order. */
  readonly #orders = new Map<string, string>();
  #outbox: { event: DoubleEvent; orderId: string }[] = [];

  constructor(double: PaypalDouble, view: Surroundings) {
    this.#double = double;
    this.#own = new OwnCharges(PRICES, view);
    double.store.onEvent = event => this.#keep(event);
    double.faults.take = (request, body) => this.#take(request, body);
    double.faults.onAnswer = (request, body, answer) => this.#hear(request, body, answer);
  }

  static async open(view: Surroundings): Promise<PaypalBank> {
    return new PaypalBank(await startPaypalDouble({ nowSeconds: view.nowSeconds }), view);
  }

  get url(): string {
    return this.#double.url;
  }

  close(): Promise<void> {
    return this.#double.close();
  }

  expect(orderId: string, outcome: PayOutcome): Record<string, string> {
    this.#outcomes.set(orderId, outcome);
    return { method: 'paypal', email: 'player@example.com' };
  }

  /** The player is at PayPal, and says yes there unless they are to take their time. */
  visit(orderId: string, outcome: PayOutcome): boolean {
    if (outcome === 'challenge') return false;
    this.#approve(orderId, outcome);
    return true;
  }

  challenge(orderId: string, answer: 'complete' | 'fail') {
    if (answer === 'complete') this.#approve(orderId, 'authorize');
    return { part: answer === 'complete' ? '/return' : '/cancel', fields: null };
  }

  #approve(orderId: string, outcome: PayOutcome): void {
    const bank = outcome === 'decline' ? 'declines' : outcome === 'process' ? 'reviews' : 'approves';
    for (const order of this.#paypalOrders(orderId)) {
      // What is over six hours old is gone at PayPal.
      if (order.status !== 'PAYER_ACTION_REQUIRED') continue;
      try {
        approveOrder({ store: this.#double.store, url: this.#double.url }, order, bank);
      } catch {}
    }
  }

  plan(orderId: string, call: MoneyCall, fault: MoneyFault, times: number): void {
    this.#planned.push(...Array.from({ length: times }, () => ({ orderId, call, fault })));
  }

  calm(): void {
    this.#planned.splice(0);
    this.#outcomes.clear();
  }

  hasCallbacks(orderId: string): boolean {
    return this.#outbox.some(one => one.orderId === orderId);
  }

  /** PayPal repeats for three days what was not taken; then it is lost. */
  loseCallbacks(orderId: string): boolean {
    this.#outbox = this.#outbox.filter(one => one.orderId !== orderId);
    return true;
  }

  async sendCallbacks(orderId: string, { url }: Messenger, { times, isReversed }: Sending): Promise<void> {
    const callbacks = this.#outbox.filter(one => one.orderId === orderId);
    const sent = await Promise.all(
      (isReversed ? callbacks.toReversed() : callbacks).flatMap(one =>
        Array.from({ length: times }, async () => ((await this.#send(url(), one.event)) ? [one] : [])),
      ),
    );
    const done = new Set(sent.flat());
    this.#outbox = this.#outbox.filter(one => !done.has(one));
  }

  async #send(url: string, event: DoubleEvent): Promise<boolean> {
    const body = JSON.stringify(event);
    const headers = this.#double.headersFor(body, PAYPAL_WEBHOOK);
    const answer = await fetch(`${url}/gateways/paypal`, { method: 'POST', headers, body }).catch(() => null);
    await answer?.arrayBuffer().catch(() => {});
    return answer?.status === 200;
  }

  ofOrder(orderId: string): BookCharge[] {
    return this.#own.ofOrder(orderId);
  }

  /** What a status of PayPal's objects says, against what the model says. */
  contradictions(orderId: string): string[] {
    return this.#own.ofOrder(orderId).flatMap(own => {
      const theirs = this.#stateOf(own.paymentId);
      const ours = STATES[own.status] ?? 'nothing';
      return ours === theirs ? [] : [`the model says ${own.status}, the double ${theirs}`];
    });
  }

  #stateOf(paymentId: string): string {
    const { holds, captures } = this.#double.store;
    const id = this.#orders.get(paymentId);
    const made = [...captures.values()].find(({ orderId }) => orderId === id);
    if (made) return made.status === 'REFUNDED' ? 'REFUNDED' : 'COMPLETED';
    const hold = [...holds.values()].findLast(({ orderId }) => orderId === id);
    return hold && hold.status !== 'VOIDED' && hold.status !== 'DENIED' ? hold.status : 'nothing';
  }

  forget(orderIds: ReadonlySet<string>): void {
    const { orders, holds, captures, refunds, disputes } = this.#double.store;
    for (const orderId of orderIds) {
      this.#outbox = this.#outbox.filter(one => one.orderId !== orderId);
      for (const { id } of this.#paypalOrders(orderId)) {
        orders.delete(id);
        for (const kept of [holds, captures]) for (const [key, one] of kept) if (one.orderId === id) kept.delete(key);
      }
    }
    for (const kept of [refunds, disputes])
      for (const [key, { captureId }] of kept) if (!captures.has(captureId)) kept.delete(key);
    this.#own.forget(orderIds);
    for (const list of [this.#double.store.events, this.#double.store.movements]) list.splice(0);
    this.#double.requests.splice(0);
    this.#double.exchanges.splice(0);
  }

  #paypalOrders(orderId: string): DoubleOrder[] {
    return [...this.#double.store.orders.values()].filter(({ unit }) => unit.reference_id === orderId);
  }

  /** Events name PayPal's order, its authorization, its capture or its dispute: all lead to one of ours. */
  #keep(event: DoubleEvent): void {
    const text = JSON.stringify(event.resource);
    const { orders, captures } = this.#double.store;
    const captured = [...captures.values()].find(({ id }) => text.includes(id));
    const found = [...orders.values()].find(({ id, unit }) => {
      return id === captured?.orderId || text.includes(id) || text.includes(String(unit.custom_id));
    });
    const orderId = found?.unit.reference_id;
    if (orderId !== undefined) this.#outbox.push({ event, orderId });
  }

  #hear(request: string, body: string, { status, body: answer }: { status: number; body: string }): void {
    if (status >= 300) {
      this.#hearNo(request, answer);
      return;
    }
    if (CREATES.test(request)) {
      const [unit] = (JSON.parse(body) as { purchase_units: DoubleOrder['unit'][] }).purchase_units;
      const { id } = JSON.parse(answer) as { id: string };
      this.#hearCreated(unit!, id);
    }
    const approved = AUTHORIZES.exec(request)?.[1];
    if (approved !== undefined) this.#hearAuthorized(approved);
    const [, id, verb] = MOVES.exec(request) ?? [];
    const own = id === undefined ? undefined : this.#ownOfPart(id);
    if (own && verb === 'capture') this.#own.capture(own);
    if (own && verb === 'void') this.#own.void(own);
    if (own && verb === 'refund') this.#own.refund(own);
  }

  #hearNo(request: string, answer: string): void {
    const approved = AUTHORIZES.exec(request)?.[1];
    const own = approved === undefined ? undefined : this.#ownOfOrder(approved);
    if (own && answer.includes('INSTRUMENT_DECLINED')) own.status = 'declined';
  }

  #hearCreated(
    { reference_id: orderId, custom_id: paymentId, invoice_id: mark, amount }: DoubleOrder['unit'],
    id: string,
  ) {
    this.#orders.set(paymentId!, id);
    const environmentId = String(mark).split('.')[0]!;
    const amountMinor = Math.round(Number(amount.value) * 100);
    const given = {
      orderId: orderId!,
      amountMinor,
      currency: amount.currency_code,
      status: 'requires_action' as const,
    };
    this.#own.open({ environmentId, paymentId: paymentId! }, given);
  }

  #hearAuthorized(paypalOrder: string): void {
    const own = this.#ownOfOrder(paypalOrder);
    if (!own) return;
    const isReviewed = this.#double.store.orders.get(paypalOrder)?.bank === 'reviews';
    if (isReviewed) own.status = 'processing';
    else this.#own.approve(own, false);
  }

  #ownOfOrder(paypalOrder: string): OwnCharge | undefined {
    return this.#own.get([...this.#orders].find(([, id]) => id === paypalOrder)?.[0] ?? '');
  }

  #ownOfPart(id: string): OwnCharge | undefined {
    const { holds, captures } = this.#double.store;
    const part = holds.get(id) ?? captures.get(id);
    return part && this.#ownOfOrder(part.orderId);
  }

  happen(orderId: string, what: Elsewhere): boolean {
    if (UNKNOWN_HERE.includes(what)) return false;
    return this.#own.ofOrder(orderId).some(own => {
      // What PayPal looked at is reserved then, and not captured.
      const isReviewed = what === 'arrives' && own.status === 'processing';
      const before = own.disputes.at(-1);
      const feeBefore = before?.feeMinor ?? 0;
      if (isReviewed) this.#own.approve(own, false);
      else if (what === 'arrives' || !this.#own.happen(own, what)) return false;
      const dispute = own.disputes.at(-1);
      const isNew = dispute !== before;
      const feeMinor = (dispute?.feeMinor ?? 0) - (isNew ? 0 : feeBefore);
      this.#follow(own, what, dispute ? { isNew, feeMinor, amountMinor: dispute.amountMinor } : null);
      return true;
    });
  }

  #follow(own: OwnCharge, what: Elsewhere, dispute: Disputed | null): void {
    const { store } = this.#double;
    const views = { store, url: this.#double.url };
    const { paymentId } = own;
    const id = this.#orders.get(paymentId)!;
    const hold = [...store.holds.values()].findLast(({ orderId }) => orderId === id);
    if (what === 'captured') capture(views, hold!.id, undefined);
    else if (what === 'voided') release(views, hold!.id);
    else if (what === 'refunded') this.#double.refundThere(paymentId);
    else if (what === 'refund_fails') this.#double.failRefund(paymentId);
    else if (what === 'arrives') {
      hold!.status = 'CREATED';
      store.emit('PAYMENT.AUTHORIZATION.CREATED', 'authorization', { id: hold!.id, custom_id: paymentId });
    } else if (dispute) this.#followDispute(paymentId, what, dispute);
  }

  #followDispute(paymentId: string, what: Elsewhere, { isNew, feeMinor, amountMinor }: Disputed): void {
    const { store } = this.#double;
    const verdict = VERDICTS[what];
    const captured = this.#double.captureOf(paymentId);
    const known = [...store.disputes.values()].findLast(({ captureId }) => captureId === captured.id);
    const fee = feeMinor > 0 ? decimal(feeMinor) : undefined;
    const isPart = decimal(amountMinor) !== captured.amount.value;
    const given = {
      ...(DISPUTES[what] ?? OPEN),
      ...(fee !== undefined && { fee }),
      ...(isPart && { value: decimal(amountMinor) }),
    };
    const id = isNew ? this.#double.dispute(paymentId, given) : known!.dispute_id;
    // PayPal takes its fee when the talk becomes a claim, however that ends.
    if (!isNew && fee !== undefined) this.#double.escalateDispute(id, fee);
    if (verdict !== undefined) this.#double.closeDispute(id, verdict);
    else if (!isNew) {
      Object.assign(known!, DISPUTES[what], { updatedAt: store.nowSeconds() });
      store.emit('CUSTOMER.DISPUTE.UPDATED', 'dispute', { dispute_id: id, custom_id: paymentId });
    }
  }

  /** The fault that waits for this request, if one does. */
  #take(request: string, body: string): StripeFaultKind | null {
    if (CREATES.test(request)) {
      const { purchase_units: units } = JSON.parse(body) as { purchase_units: DoubleOrder['unit'][] };
      return this.#takeForPayment(units[0]?.reference_id ?? '', true);
    }
    const approved = AUTHORIZES.exec(request)?.[1];
    if (approved !== undefined)
      return this.#takeForPayment(this.#double.store.orders.get(approved)?.unit.reference_id ?? '', false);
    const [, id, verb] = MOVES.exec(request) ?? [];
    const own = id === undefined ? undefined : this.#ownOfPart(id);
    if (!own) return null;
    const call = verb as MoneyCall;
    if (own.refusedForGood.has(call) && isRefusal(own, call, 'refuse_for_good')) return FOR_GOOD[call];
    const at = this.#planned.findIndex(one => one.orderId === own.orderId && one.call === call);
    if (at < 0) return null;
    const { fault } = this.#planned.splice(at, 1)[0]!;
    if (fault.startsWith('refuse') && !isRefusal(own, call, fault)) return null;
    if (fault === 'refuse_for_good') own.refusedForGood.add(call);
    return faultOf(call, fault);
  }

  #takeForPayment(orderId: string, isOrder: boolean): StripeFaultKind | null {
    const outcome = this.#outcomes.get(orderId);
    if (!outcome || AT_ORDER.includes(outcome) !== isOrder) return null;
    this.#outcomes.delete(orderId);
    return PAY_FAULTS[outcome] ?? null;
  }
}

const STATES: Partial<Record<BookCharge['status'], string>> = {
  authorized: 'CREATED',
  processing: 'PENDING',
  captured: 'COMPLETED',
  refunded: 'REFUNDED',
};
