import { decimalText, toMinor } from '../../../../apps/server/src/kit/money.ts';

export interface Money {
  currency: string;
  value: string;
}

export interface DoublePayment {
  id: string;
  status: 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed';
  amountMinor: number;
  currency: string;
  description: string;
  method: string;
  metadata: { payment_id?: string } & Record<string, unknown>;
  redirectUrl: string;
  cancelUrl: string | null;
  webhookUrl: string | null;
  captureMode: 'manual' | 'automatic';
  createdAt: number;
  failureReason: string | null;
  movements: string[];
}

interface OfPayment {
  id: string;
  paymentId: string;
  amountMinor: number;
  createdAt: number;
}

export interface DoubleCapture extends OfPayment {
  status: 'pending' | 'succeeded' | 'failed';
}

export interface DoubleRefund extends OfPayment {
  status: 'queued' | 'pending' | 'processing' | 'refunded' | 'failed' | 'canceled';
  description: string;
  metadata: unknown;
}

export interface DoubleChargeback extends OfPayment {
  reversedAt: number | null;
}

export interface DoubleTransaction {
  id: string;
  type: 'payment' | 'capture' | 'refund' | 'chargeback' | 'chargeback-reversal' | 'outgoing-transfer';
  grossMinor: number;
  feeMinor: number;
  currency: string;
  context: Record<string, string>;
  createdAt: number;
}

/** What Mollie refuses, as it says it: no codes, a title by the status, and the field. */
export class DoubleFault extends Error {
  readonly status: number;
  readonly field: string | null;

  constructor(status: number, detail: string, field: string | null = null) {
    super(detail);
    this.status = status;
    this.field = field;
  }
}

export const moneyOf = (minor: number, currency: string): Money => ({
  currency,
  value: `${minor < 0 ? '-' : ''}${decimalText(Math.abs(minor), currency)}`,
});

/** Exactly the decimals that the currency has. */
export function minorOf(money: Money, field: string): number {
  const minor = toMinor(money.value, money.currency);
  if (typeof minor !== 'number' || decimalText(minor, money.currency) !== money.value) {
    throw new DoubleFault(422, 'The amount contains an invalid value', field);
  }
  return minor;
}

const FEE_MINOR = 29;

interface MollieSettings {
  /** Captures wait for their bank until they are finished. */
  slowCaptures: boolean;
  /** Methods that the profile has switched off. */
  inactive: readonly string[];
  /** How Mollie judged the profile. */
  profile: 'verified' | 'unverified' | 'blocked';
}

export function createMollieStore(nowSeconds: () => number) {
  let count = 0;
  const nextId = (prefix: string): string => `${prefix}_${String(++count).padStart(10, 'D')}`;
  const payments = new Map<string, DoublePayment>();
  const captures = new Map<string, DoubleCapture>();
  const refunds = new Map<string, DoubleRefund>();
  const chargebacks = new Map<string, DoubleChargeback>();
  const transactions: DoubleTransaction[] = [];
  /** What it would send to the addresses that came with the payments. */
  const notices: { url: string; body: string }[] = [];
  /** Whom it has mailed how to pay. */
  const mails: { to: string; paymentId: string }[] = [];
  const settings: MollieSettings = { slowCaptures: false, inactive: [], profile: 'verified' };

  const notify = ({ id, webhookUrl }: DoublePayment): void => {
    if (webhookUrl !== null) notices.push({ url: webhookUrl, body: `id=${id}` });
  };
  const book = (
    type: DoubleTransaction['type'],
    grossMinor: number,
    feeMinor: number,
    currency: string,
    context: Record<string, string>,
  ): void => {
    transactions.push({ id: nextId('baltr'), type, grossMinor, feeMinor, currency, context, createdAt: nowSeconds() });
  };
  const ofPayment = <Entry extends OfPayment>(entries: Map<string, Entry>, id: string): Entry[] =>
    [...entries.values()].filter(({ paymentId }) => paymentId === id);
  const refundedMinor = (id: string): number =>
    ofPayment(refunds, id)
      .filter(({ status }) => status !== 'failed' && status !== 'canceled')
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const chargedBackMinor = (id: string): number =>
    ofPayment(chargebacks, id)
      .filter(({ reversedAt }) => reversedAt === null)
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0);

  function finishCapture(made: DoubleCapture): void {
    const payment = payments.get(made.paymentId)!;
    made.status = 'succeeded';
    payment.status = 'paid';
    payment.movements.push('captured');
    book('capture', made.amountMinor, FEE_MINOR, payment.currency, { paymentId: payment.id, captureId: made.id });
    notify(payment);
  }

  /** With what is under way. */
  const capturedMinor = (id: string): number =>
    ofPayment(captures, id)
      .filter(({ status }) => status !== 'failed')
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0);

  function capture({ id: paymentId, amountMinor }: DoublePayment): DoubleCapture {
    const made: DoubleCapture = {
      id: nextId('cpt'),
      paymentId,
      amountMinor,
      createdAt: nowSeconds(),
      status: 'pending',
    };
    captures.set(made.id, made);
    if (!settings.slowCaptures) finishCapture(made);
    return made;
  }

  function pay(payment: DoublePayment): void {
    payment.movements.push('authorized');
    payment.status = payment.captureMode === 'manual' ? 'authorized' : 'paid';
    if (payment.status === 'paid') {
      payment.movements.push('captured');
      book('payment', payment.amountMinor, FEE_MINOR, payment.currency, { paymentId: payment.id });
    }
    notify(payment);
  }

  function refund(payment: DoublePayment, amountMinor: number, description: string, metadata: unknown): DoubleRefund {
    const made: DoubleRefund = {
      id: nextId('re'),
      paymentId: payment.id,
      amountMinor,
      createdAt: nowSeconds(),
      status: 'refunded',
      description,
      metadata,
    };
    refunds.set(made.id, made);
    payment.movements.push('refunded');
    book('refund', -amountMinor, 0, payment.currency, { paymentId: payment.id, refundId: made.id });
    notify(payment);
    return made;
  }

  function chargeBack(payment: DoublePayment, amountMinor = payment.amountMinor): DoubleChargeback {
    const { id: paymentId, currency } = payment;
    const made = { id: nextId('chb'), paymentId, amountMinor, createdAt: nowSeconds(), reversedAt: null };
    chargebacks.set(made.id, made);
    book('chargeback', -amountMinor, 0, currency, { paymentId, chargebackId: made.id });
    notify(payment);
    return made;
  }

  /** The bank gives the money back to the shop. */
  function reverse(chargeback: DoubleChargeback): void {
    const payment = payments.get(chargeback.paymentId)!;
    chargeback.reversedAt = nowSeconds();
    const context = { paymentId: payment.id, chargebackId: chargeback.id };
    book('chargeback-reversal', chargeback.amountMinor, 0, payment.currency, context);
    notify(payment);
  }

  /** Pays out all that was booked, as one settlement. */
  function settle(): { id: string; names: string[] } {
    const names = transactions.flatMap(
      ({ context: { refundId, chargebackId, captureId, paymentId } }) =>
        refundId ?? chargebackId ?? captureId ?? paymentId ?? [],
    );
    const sum = transactions.reduce((total, { grossMinor, feeMinor }) => total + grossMinor - feeMinor, 0);
    const id = nextId('stl');
    settlements.set(id, names);
    book('outgoing-transfer', -sum, 0, 'EUR', { settlementId: id, transferId: nextId('trf') });
    return { id, names };
  }
  const settlements = new Map<string, string[]>();

  return {
    nowSeconds,
    nextId,
    payments,
    captures,
    refunds,
    chargebacks,
    settlements,
    transactions,
    notices,
    mails,
    settings,
    ofPayment,
    capturedMinor,
    finishCapture,
    reverse,
    refundedMinor,
    chargedBackMinor,
    capture,
    pay,
    refund,
    chargeBack,
    settle,
    notify,
  };
}

export type MollieStore = ReturnType<typeof createMollieStore>;
