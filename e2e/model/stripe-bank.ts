import { sendCallback } from '@coinslot/testing/stripe-double/callbacks';
import type { StripeFaultKind } from '@coinslot/testing/stripe-double/faults';
import { capture } from '@coinslot/testing/stripe-double/money';
import type {
  DoubleDispute,
  Movement as DoubleMovement,
  Intent,
  StripeEvent,
} from '@coinslot/testing/stripe-double/objects';
import { type StripeDouble, startStripeDouble, TEST_KEYS } from '@coinslot/testing/stripe-double/stripe-double';
import type { ChargeStatus, DisputeStatus } from '../../apps/server/src/domain/payment/providers/base/gateway.ts';
import type {
  Bank,
  BookCharge,
  Elsewhere,
  Messenger,
  MoneyCall,
  MoneyFault,
  Movement,
  PayOutcome,
  Telling,
} from './bank.ts';

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
const CLOSED: readonly string[] = ['won', 'lost'];

const MOVED: Partial<Record<DoubleMovement['kind'], Movement>> = {
  authorized: 'authorized',
  captured: 'captured',
  canceled: 'voided',
  refunded: 'refunded',
  charged_back: 'charged_back',
  dispute_won: 'won',
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
  readonly #outcomes = new Map<string, PayOutcome>();
  readonly #planned: { orderId: string; call: MoneyCall; fault: MoneyFault }[] = [];
  readonly #refused = new Map<string, Set<MoneyCall>>();
  #outbox: StripeEvent[] = [];

  constructor(double: StripeDouble) {
    this.#double = double;
    double.store.onEvent = event => void this.#outbox.push(event);
    double.faults.take = (request, body) => this.#take(request, body);
  }

  static async open(nowSeconds: () => number): Promise<StripeBank> {
    return new StripeBank(await startStripeDouble({ nowSeconds }));
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
    return {
      method,
      provider_token: this.#double.token(token, { save: saves }),
      email: 'player@example.com',
      ...(saves && { save_method: 'on' }),
    };
  }

  challenge(orderId: string, answer: 'complete' | 'fail') {
    const waiting = this.#intentsOf(orderId).find(({ status }) => status === 'requires_action');
    if (waiting) this.#double.authenticate(waiting, answer === 'complete');
    return { part: '/return', fields: {} };
  }

  plan(orderId: string, call: MoneyCall, fault: MoneyFault, times: number): void {
    this.#planned.push(...Array.from({ length: times }, () => ({ orderId, call, fault })));
  }

  calm(): void {
    this.#planned.splice(0);
    this.#outcomes.clear();
  }

  hasNews(orderId: string): boolean {
    return this.#newsOf(orderId).length > 0;
  }

  loseNews(orderId: string): boolean {
    const lost = new Set(this.#newsOf(orderId));
    this.#outbox = this.#outbox.filter(event => !lost.has(event));
    return true;
  }

  async tell(orderId: string, { url }: Messenger, { times, isReversed }: Telling): Promise<void> {
    const news = this.#newsOf(orderId);
    const sent = await Promise.all(
      (isReversed ? news.toReversed() : news).flatMap(event =>
        Array.from({ length: times }, async () => ((await this.#send(url(), event)) ? [event] : [])),
      ),
    );
    const told = new Set(sent.flat());
    this.#outbox = this.#outbox.filter(event => !told.has(event));
  }

  async #send(url: string, event: StripeEvent): Promise<boolean> {
    const target = { url: `${url}/gateways/stripe`, secret: TEST_KEYS.callback };
    const status = await sendCallback(target, event, this.#double.store.nowSeconds()).catch(() => 0);
    return status === 200;
  }

  ofOrder(orderId: string): BookCharge[] {
    return this.#intentsOf(orderId).map(intent => this.#bookOf(orderId, intent));
  }

  forget(orderIds: ReadonlySet<string>): void {
    const { intents, charges, refunds, disputes } = this.#double.store;
    for (const orderId of orderIds) {
      this.loseNews(orderId);
      for (const { id } of this.#intentsOf(orderId)) {
        this.#refused.delete(id);
        intents.delete(id);
        for (const kept of [charges, refunds, disputes]) {
          for (const [key, { payment_intent: of }] of kept) if (of === id) kept.delete(key);
        }
      }
    }
    this.#double.store.movements.splice(0);
    this.#double.store.events.splice(0);
    this.#double.requests.splice(0);
  }

  #intentsOf(orderId: string): Intent[] {
    return [...this.#double.store.intents.values()].filter(({ metadata }) => metadata.order_id === orderId);
  }

  #newsOf(orderId: string): StripeEvent[] {
    const ids = new Set(this.#intentsOf(orderId).map(({ id }) => id));
    return this.#outbox.filter(event => ids.has(intentIdIn(event)));
  }

  #bookOf(orderId: string, intent: Intent): BookCharge {
    const { store } = this.#double;
    const charge = intent.latest_charge === null ? null : store.charges.get(intent.latest_charge);
    const refunds = [...store.refunds.values()].filter(({ payment_intent: of }) => of === intent.id);
    const isReturned = intent.status === 'succeeded' && charge?.refunded === true;
    return {
      environmentId: intent.metadata.environment_id!,
      paymentId: intent.metadata.payment_id!,
      orderId,
      status: isReturned ? 'refunded' : STATUSES[intent.status],
      amountMinor: intent.amount,
      currency: intent.currency.toUpperCase(),
      dispute: this.#disputeOn(intent),
      refundFailed: refunds.at(-1)?.status === 'failed',
      movements: store.movements
        .filter(({ intentId }) => intentId === intent.id)
        .flatMap(({ kind }) => MOVED[kind] ?? []),
      refusedForGood: this.#refused.get(intent.id) ?? new Set(),
    };
  }

  #openedOn(intent: Intent): DoubleDispute | undefined {
    return [...this.#double.store.disputes.values()].find(({ payment_intent: of }) => of === intent.id);
  }

  #disputeOn(intent: Intent): BookCharge['dispute'] {
    const found = this.#openedOn(intent);
    return found ? { status: OURS.get(found.status) ?? 'unclear', reason: found.reason } : null;
  }

  happen(orderId: string, what: Elsewhere): boolean {
    return this.#intentsOf(orderId).some(intent => this.#happenTo(intent, what));
  }

  #happenTo(intent: Intent, what: Elsewhere): boolean {
    const double = this.#double;
    const book = this.#bookOf(intent.metadata.order_id!, intent);
    switch (what) {
      case 'captured':
        return done(book.status === 'authorized', () => capture(double.store, intent, intent.amount));
      case 'voided':
        return done(book.status === 'authorized', () => double.cancelThere(intent));
      case 'refunded':
        return done(book.status === 'captured' && !book.dispute, () => double.refundThere(intent));
      case 'arrives':
        return done(book.status === 'processing', () => double.arrive(intent, true));
      case 'warned':
        return done(book.status === 'captured', () => double.warn(intent));
      case 'refund_fails': {
        const made = [...double.store.refunds.values()].findLast(({ payment_intent: of }) => of === intent.id);
        const isArrived = book.status === 'refunded' && made?.status === 'succeeded';
        return done(isArrived && !book.refundFailed, () => double.failRefund(made!));
      }
      case 'dispute_inquiry':
      case 'dispute_open':
      case 'dispute_unclear':
      case 'dispute_won':
      case 'dispute_lost':
        return book.status === 'captured' && this.#disputeTo(intent, what.slice('dispute_'.length) as DisputeStatus);
    }
  }

  #disputeTo(intent: Intent, status: DisputeStatus): boolean {
    const known = this.#openedOn(intent);
    if (known ? CLOSED.includes(known.status) : status === 'won') return false;
    const { store } = this.#double;
    const isClosing = status === 'won' || status === 'lost';
    const dispute = known ?? this.#double.dispute(intent, isClosing ? undefined : DISPUTE_WORDS[status]);
    if (isClosing) this.#double.closeDispute(dispute, status);
    else if (known) {
      known.status = DISPUTE_WORDS[status];
      known.is_charge_refundable = status === 'inquiry';
      store.emit('charge.dispute.updated', known);
    }
    return true;
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
    if (this.#refused.get(intent.id)?.has(call)) return FOR_GOOD[call];
    const at = this.#planned.findIndex(one => one.orderId === orderId && one.call === call);
    if (at < 0) return null;
    const { fault } = this.#planned.splice(at, 1)[0]!;
    if (fault === 'refuse_for_good')
      this.#refused.set(intent.id, new Set([...(this.#refused.get(intent.id) ?? []), call]));
    return faultOf(call, fault);
  }

  #takeForPayment(fields: URLSearchParams): StripeFaultKind | null {
    const orderId = fields.get('metadata[order_id]') ?? '';
    const outcome = this.#outcomes.get(orderId);
    this.#outcomes.delete(orderId);
    return (outcome && PAY_FAULTS[outcome]) ?? null;
  }
}

function done(isPossible: boolean, act: () => unknown): boolean {
  if (isPossible) act();
  return isPossible;
}
