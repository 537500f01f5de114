import { sendCallback } from '@coinslot/testing/stripe-double/callbacks';
import type { StripeFaultKind } from '@coinslot/testing/stripe-double/faults';
import { capture } from '@coinslot/testing/stripe-double/money';
import type { DoubleDispute, Intent, StripeEvent } from '@coinslot/testing/stripe-double/objects';
import { type StripeDouble, startStripeDouble, TEST_KEYS } from '@coinslot/testing/stripe-double/stripe-double';
import type {
  ChargeStatus,
  DisputeStatus,
} from '../../../apps/server/src/domain/payment/providers/base/charge-shape.ts';
import type { Bank, BookCharge, Elsewhere, Messenger, MoneyCall, MoneyFault, PayOutcome, Sending } from './bank.ts';
import { isRefusal, type OwnCharge, OwnCharges, type Prices, type Surroundings } from './own-charges.ts';

/** What the player picks in Stripe's form. What no form can bring about is brought about by a fault on the wire. */
const PICKED: Partial<Record<PayOutcome, { method: string; token: string }>> = {
  capture_at_once: { method: 'ideal', token: 'ideal' },
  process: { method: 'sepa_debit', token: 'sepa_debit' },
  challenge: { method: 'card', token: 'pm_card_threeDSecure2Required' },
  decline: { method: 'card', token: 'pm_card_chargeDeclined' },
};
const CARD = { method: 'card', token: 'pm_card_visa' };

const STORED_ERROR: StripeFaultKind = { kind: 'refuse', status: 500, type: 'api_error' };
const PAY_FAULTS: Partial<Record<PayOutcome, StripeFaultKind>> = {
  shop_fault: { kind: 'refuse', status: 400, type: 'invalid_request_error', code: 'parameter_invalid_empty' },
  lose_request: { kind: 'lose_request' },
  lose_answer: { kind: 'lose_answer' },
  stored_error: STORED_ERROR,
};

const refuse = (code: string): StripeFaultKind => ({
  kind: 'refuse',
  status: 400,
  type: 'invalid_request_error',
  code,
});
const FOR_GOOD: Record<MoneyCall, StripeFaultKind> = {
  capture: refuse('charge_expired_for_capture'),
  void: refuse('capture_unauthorized_payment'),
  refund: refuse('charge_not_refundable'),
};
const SLOW_MS = 15;

function faultOf(call: MoneyCall, fault: MoneyFault): StripeFaultKind {
  switch (fault) {
    case 'refuse_for_good':
      return FOR_GOOD[call];
    case 'refuse_once':
      return refuse(call === 'refund' ? 'balance_insufficient' : 'lock_timeout');
    case 'stored_error':
      return STORED_ERROR;
    case 'slow':
      return { kind: 'delay_before', until: new Promise(resolve => setTimeout(resolve, SLOW_MS)) };
    case 'lose_request':
    case 'lose_answer':
      return { kind: fault };
  }
}

const DISPUTE_WORDS: Record<DisputeStatus, string> = {
  inquiry: 'warning_needs_response',
  open: 'needs_response',
  unclear: 'not_invented_yet',
  prevented: 'prevented',
  won: 'won',
  lost: 'lost',
};
const OURS = new Map(Object.entries(DISPUTE_WORDS).map(([ours, theirs]) => [theirs, ours as DisputeStatus]));
// An inquiry that ended without a demand.
OURS.set('warning_closed', 'won');

/** As Stripe's price list has them for the account of the lab. */
const PRICES: Prices = { capture: amountMinor => Math.round(amountMinor * 0.03), dispute: 1_500 };

/** What of the wire the model goes by: that it was done, and to what. What became of the money it says itself. */
type Wire = { id?: string; payment_intent?: string | Intent; error?: { payment_intent?: Intent }; metadata?: object };

const OPENED: Partial<Record<PayOutcome, BookCharge['status']>> = {
  // The player is sent to the bank first.
  capture_at_once: 'requires_action',
  process: 'processing',
  challenge: 'requires_action',
  decline: 'declined',
};

const STATUSES: Record<Intent['status'], ChargeStatus> = {
  requires_payment_method: 'declined',
  requires_confirmation: 'requires_action',
  requires_action: 'requires_action',
  processing: 'processing',
  requires_capture: 'authorized',
  canceled: 'voided',
  succeeded: 'captured',
};

const intentIdIn = (event: StripeEvent): string => {
  const {
    id,
    object,
    payment_intent: of,
  } = event.data.object as {
    id: string;
    object: string;
    payment_intent?: string;
  };
  return object === 'payment_intent' ? id : (of ?? '');
};

/** Stripe, asked by the shop over its own wire and answering by signed callbacks. */
export class StripeBank implements Bank {
  readonly #double: StripeDouble;
  readonly #own: OwnCharges;
  /** What the player picked, by what the form gave to the page for it. */
  readonly #picked = new Map<string, PayOutcome>();
  readonly #picks = new Map<string, PayOutcome>();
  readonly #outcomes = new Map<string, PayOutcome>();
  readonly #planned: { orderId: string; call: MoneyCall; fault: MoneyFault }[] = [];
  #outbox: StripeEvent[] = [];

  constructor(double: StripeDouble, view: Surroundings) {
    this.#double = double;
    this.#own = new OwnCharges(PRICES, view);
    double.store.onEvent = event => void this.#outbox.push(event);
    double.faults.take = (request, body) => this.#take(request, body);
    double.faults.onAnswer = (request, body, answer) => this.#hear(request, body, answer);
  }

  static async open(view: Surroundings): Promise<StripeBank> {
    return new StripeBank(await startStripeDouble({ nowSeconds: view.nowSeconds }), view);
  }

  get url(): string {
    return this.#double.url;
  }

  close(): Promise<void> {
    return this.#double.close();
  }

  expect(orderId: string, outcome: PayOutcome, isSaved: boolean): Record<string, string> {
    this.#outcomes.set(orderId, outcome);
    const { method, token } = PICKED[outcome] ?? CARD;
    const saves = isSaved && method === 'card';
    const given = this.#double.token(token, { save: saves });
    this.#picked.set(given, outcome);
    return {
      method,
      provider_token: given,
      email: 'player@example.com',
      ...(saves && { save_method: 'on' }),
    };
  }

  visit(): boolean {
    return false;
  }

  challenge(orderId: string, answer: 'complete' | 'fail') {
    const waiting = this.#intentsOf(orderId).find(({ status }) => status === 'requires_action');
    const own = waiting && this.#ownOf(waiting);
    if (waiting) this.#double.authenticate(waiting, answer === 'complete');
    if (own && answer === 'complete') this.#own.approve(own, this.#picks.get(own.paymentId) === 'capture_at_once');
    else if (own) own.status = 'declined';
    return { part: '/return', fields: {} };
  }

  plan(orderId: string, call: MoneyCall, fault: MoneyFault, times: number): void {
    this.#planned.push(...Array.from({ length: times }, () => ({ orderId, call, fault })));
  }

  calm(): void {
    this.#planned.splice(0);
    this.#outcomes.clear();
  }

  hasCallbacks(orderId: string): boolean {
    return this.#callbacksOf(orderId).length > 0;
  }

  loseCallbacks(orderId: string): boolean {
    const lost = new Set(this.#callbacksOf(orderId));
    this.#outbox = this.#outbox.filter(event => !lost.has(event));
    return true;
  }

  async sendCallbacks(orderId: string, { url }: Messenger, { times, isReversed }: Sending): Promise<void> {
    const callbacks = this.#callbacksOf(orderId);
    const sent = await Promise.all(
      (isReversed ? callbacks.toReversed() : callbacks).flatMap(event =>
        Array.from({ length: times }, async () => ((await this.#send(url(), event)) ? [event] : [])),
      ),
    );
    const done = new Set(sent.flat());
    this.#outbox = this.#outbox.filter(event => !done.has(event));
  }

  async #send(url: string, event: StripeEvent): Promise<boolean> {
    const target = { url: `${url}/gateways/stripe`, secret: TEST_KEYS.callback };
    const status = await sendCallback(target, event, this.#double.store.nowSeconds()).catch(() => 0);
    return status === 200;
  }

  ofOrder(orderId: string): BookCharge[] {
    return this.#own.ofOrder(orderId);
  }

  forget(orderIds: ReadonlySet<string>): void {
    const { intents, charges, refunds, disputes } = this.#double.store;
    for (const orderId of orderIds) {
      this.loseCallbacks(orderId);
      for (const { id } of this.#intentsOf(orderId)) {
        intents.delete(id);
        for (const kept of [charges, refunds, disputes]) {
          for (const [key, { payment_intent: of }] of kept) if (of === id) kept.delete(key);
        }
      }
    }
    this.#own.forget(orderIds);
    this.#picked.clear();
    this.#picks.clear();
    this.#double.store.movements.splice(0);
    this.#double.store.events.splice(0);
    this.#double.requests.splice(0);
  }

  #intentsOf(orderId: string): Intent[] {
    return [...this.#double.store.intents.values()].filter(({ metadata }) => metadata.order_id === orderId);
  }

  #callbacksOf(orderId: string): StripeEvent[] {
    const ids = new Set(this.#intentsOf(orderId).map(({ id }) => id));
    return this.#outbox.filter(event => ids.has(intentIdIn(event)));
  }

  #ownOf({ metadata }: Intent): OwnCharge | undefined {
    return this.#own.get(metadata.payment_id ?? '');
  }

  /** An answer on the wire: the model writes down what it means, by what it knows and not by what the double says. */
  #hear(request: string, body: string, answer: { status: number; body: string }): void {
    const [, verb] =
      /^POST \/v1\/(payment_intents|payment_intents\/\w+\/capture|payment_intents\/\w+\/cancel|refunds)$/.exec(
        request,
      ) ?? [];
    if (verb === undefined) return;
    const wire = JSON.parse(answer.body) as Wire;
    if (verb === 'payment_intents') this.#hearCreated(wire, new URLSearchParams(body));
    if (verb === 'payment_intents' || answer.status !== 200) return;
    const { payment_intent: refunded, id = '' } = wire;
    const named = typeof refunded === 'string' ? refunded : refunded?.id;
    const intent = this.#double.store.intents.get(verb === 'refunds' ? (named ?? '') : id);
    const own = intent && this.#ownOf(intent);
    if (!own) return;
    if (verb === 'refunds') this.#own.refund(own);
    else if (verb.endsWith('capture')) this.#own.capture(own);
    else this.#own.void(own);
  }

  #hearCreated(wire: Wire, fields: URLSearchParams): void {
    const { id } = wire.error?.payment_intent ?? wire;
    const intent = this.#double.store.intents.get(id ?? '');
    if (!intent || this.#ownOf(intent)) return;
    const outcome = this.#picked.get(fields.get('confirmation_token') ?? '') ?? 'authorize';
    const { environment_id: environmentId, payment_id: paymentId, order_id: orderId } = intent.metadata;
    const status = OPENED[outcome] ?? 'requires_action';
    const currency = String(fields.get('currency')).toUpperCase();
    const given = { orderId: orderId!, amountMinor: Number(fields.get('amount')), currency, status };
    const own = this.#own.open({ environmentId: environmentId!, paymentId: paymentId! }, given);
    this.#picks.set(own.paymentId, outcome);
    if (!OPENED[outcome]) this.#own.approve(own, false);
  }

  #disputesOf(intent: Intent): DoubleDispute[] {
    return [...this.#double.store.disputes.values()].filter(({ payment_intent: of }) => of === intent.id);
  }

  /** Where the double holds something else than the model says that it must. */
  contradictions(orderId: string): string[] {
    const owns = this.#own.ofOrder(orderId);
    return this.#intentsOf(orderId).flatMap(intent => {
      const own = this.#ownOf(intent);
      const theirs = this.#textOf(intent);
      const ours = own && textOf(own);
      return ours === theirs || (!own && owns.length === 0) ? [] : [`the model says ${ours}, the double ${theirs}`];
    });
  }

  #textOf(intent: Intent): string {
    const { charges } = this.#double.store;
    const charge = intent.latest_charge === null ? null : charges.get(intent.latest_charge);
    const isReturned = intent.status === 'succeeded' && charge?.refunded === true;
    return textOf({
      status: isReturned ? 'refunded' : STATUSES[intent.status],
      amountMinor: intent.amount,
      disputes: this.#disputesOf(intent).map(({ status, amount }) => ({
        status: OURS.get(status) ?? 'unclear',
        amountMinor: amount,
      })),
    });
  }

  happen(orderId: string, what: Elsewhere): boolean {
    // A player who was declined pays in a new attempt.
    if (what === 'comes_late') return false;
    return this.#intentsOf(orderId).some(intent => {
      const own = this.#ownOf(intent);
      const before = own?.disputes.length ?? 0;
      if (!own || !this.#own.happen(own, what)) return false;
      this.#follow(intent, own, what, own.disputes.length > before);
      return true;
    });
  }

  /** The double does what the model has decided. */
  #follow(intent: Intent, own: OwnCharge, what: Elsewhere, isNewDispute: boolean): void {
    const double = this.#double;
    const made = [...double.store.refunds.values()].findLast(({ payment_intent: of }) => of === intent.id);
    if (what === 'captured') capture(double.store, intent, intent.amount);
    else if (what === 'voided') double.cancelThere(intent);
    else if (what === 'refunded') double.refundThere(intent);
    else if (what === 'arrives') double.arrive(intent, true);
    else if (what === 'warned') double.warn(intent);
    else if (what === 'refund_fails') double.failRefund(made!);
    else this.#followDispute(intent, own.disputes.at(-1)!, isNewDispute);
  }

  #followDispute(intent: Intent, { status, amountMinor: amount }: OwnCharge['disputes'][number], isNew: boolean): void {
    const double = this.#double;
    const isClosing = status === 'won' || status === 'lost';
    if (isNew) {
      const dispute = double.dispute(intent, isClosing ? undefined : DISPUTE_WORDS[status], { amount });
      if (isClosing) double.closeDispute(dispute, status);
      return;
    }
    const dispute = this.#disputesOf(intent).at(-1)!;
    // Before a bank takes money it has asked for it.
    if (dispute.status.startsWith('warning_') && status !== 'won' && status !== 'inquiry')
      double.escalateInquiry(dispute);
    if (isClosing) {
      double.closeDispute(dispute, status);
      return;
    }
    dispute.status = DISPUTE_WORDS[status];
    double.store.emit('charge.dispute.updated', dispute);
  }

  /** The fault that waits for this request, if one does. */
  #take(request: string, body: string): StripeFaultKind | null {
    if (request === 'POST /v1/payment_intents') return this.#takeForPayment(new URLSearchParams(body));
    const [, pathId, verb] = /^POST \/v1\/payment_intents\/(\w+)\/(capture|cancel)$/.exec(request) ?? [];
    const isRefund = request === 'POST /v1/refunds';
    const id = isRefund ? new URLSearchParams(body).get('payment_intent') : pathId;
    const intent = this.#double.store.intents.get(id ?? '');
    const orderId = intent?.metadata.order_id;
    if (!intent || !orderId) return null;
    const call: MoneyCall = isRefund ? 'refund' : verb === 'capture' ? 'capture' : 'void';
    const own = this.#ownOf(intent);
    if (own?.refusedForGood.has(call) && isRefusal(own, call, 'refuse_for_good')) return FOR_GOOD[call];
    const at = this.#planned.findIndex(one => one.orderId === orderId && one.call === call);
    if (at < 0) return null;
    const { fault } = this.#planned.splice(at, 1)[0]!;
    if (fault.startsWith('refuse') && !(own && isRefusal(own, call, fault))) return null;
    if (fault === 'refuse_for_good') own?.refusedForGood.add(call);
    return faultOf(call, fault);
  }

  #takeForPayment(fields: URLSearchParams): StripeFaultKind | null {
    const orderId = fields.get('metadata[order_id]') ?? '';
    const outcome = this.#outcomes.get(orderId);
    this.#outcomes.delete(orderId);
    return (outcome && PAY_FAULTS[outcome]) ?? null;
  }
}

type Said = Pick<BookCharge, 'status' | 'amountMinor'> & {
  disputes: readonly { status: DisputeStatus; amountMinor: number }[];
};

/** What came to nothing has many names. */
const WITHOUT_MONEY: readonly string[] = ['declined', 'voided', 'requires_action', 'never'];

function textOf({ status, amountMinor, disputes }: Said): string {
  const disputed = disputes.map(one => `${one.status} ${one.amountMinor}`);
  return [WITHOUT_MONEY.includes(status) ? 'nothing' : status, amountMinor, ...disputed].join(', ');
}
