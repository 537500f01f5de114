import type {
  ChargeStatus,
  DisputeStatus,
} from '../../../apps/server/src/domain/payment/providers/base/charge-shape.ts';
import type { ChargeRef } from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import type { BookCharge, BookDispute, Elsewhere, MoneyCall, MoneyFault, Movement } from './bank.ts';
import { isUndecided } from './bank.ts';

export interface OwnDispute extends BookDispute {
  status: DisputeStatus;
}

/** A charge as the model itself keeps it, whatever the provider's double says. */
export interface OwnCharge extends BookCharge {
  disputes: OwnDispute[];
  movements: Movement[];
  refusedForGood: Set<MoneyCall>;
  isWarned: boolean;
}

/** What a provider takes, as its price list says. */
export interface Prices {
  capture(amountMinor: number): number;
  dispute: number;
}

/** What the account has to know of the rest of the world. */
export interface Surroundings {
  nowSeconds(): number;
  /** The game has said yes to the order. */
  isGranted(orderId: string): boolean;
}

const PART = 100;
const HELD_BY_BANK: readonly DisputeStatus[] = ['open', 'unclear', 'lost'];
const GONE_ALREADY: readonly DisputeStatus[] = [...HELD_BY_BANK, 'prevented'];
const CLOSED: readonly DisputeStatus[] = ['won', 'lost', 'prevented'];

const MOVES: Readonly<Record<MoneyCall, readonly OwnCharge['status'][]>> = {
  capture: ['authorized'],
  void: ['authorized', 'requires_action', 'processing'],
  refund: ['captured'],
};

/** A provider refuses what it could do. Of what is done already it says that. */
export const isRefusal = (charge: OwnCharge, call: MoneyCall, fault: MoneyFault): boolean =>
  fault.startsWith('refuse') && MOVES[call].includes(charge.status);

/** What a bank still can question: all that came, without what it has taken already. */
const leftOf = ({ amountMinor, disputes }: OwnCharge): number =>
  amountMinor - disputes.reduce((sum, dispute) => sum + (dispute.status === 'won' ? 0 : dispute.amountMinor), 0);

type OfDispute = Extract<Elsewhere, `dispute_${string}`>;
const isOfDispute = (what: Elsewhere): what is OfDispute => what.startsWith('dispute_');

/**
 * The model's own account of what a provider holds: what may happen to a charge, and what moves when it does. It is written from
 * the providers' documents, and every bank of the lab is held against it.
 */
export class OwnCharges {
  readonly #byPayment = new Map<string, OwnCharge>();
  readonly #prices: Prices;
  readonly #view: Surroundings;

  constructor(prices: Prices, view: Surroundings) {
    this.#prices = prices;
    this.#view = view;
  }

  get(paymentId: string): OwnCharge | undefined {
    return this.#byPayment.get(paymentId);
  }

  ofOrder(orderId: string): OwnCharge[] {
    return [...this.#byPayment.values()].filter(charge => charge.orderId === orderId);
  }

  forget(orderIds: ReadonlySet<string>): void {
    for (const [id, { orderId }] of this.#byPayment) if (orderIds.has(orderId)) this.#byPayment.delete(id);
  }

  open(ref: ChargeRef, given: Pick<OwnCharge, 'orderId' | 'amountMinor' | 'currency' | 'status'>): OwnCharge {
    const { environmentId, paymentId } = ref;
    const charge: OwnCharge = {
      environmentId,
      paymentId,
      ...given,
      openedAtSeconds: this.#view.nowSeconds(),
      disputes: [],
      feeMinor: 0,
      refundFailed: false,
      grantedAtCapture: null,
      movements: [],
      refusedForGood: new Set(),
      isWarned: false,
    };
    this.#byPayment.set(paymentId, charge);
    return charge;
  }

  /** The bank says yes: reserved, or taken at once by a method that cannot reserve. */
  approve(charge: OwnCharge, isTakenAtOnce: boolean): void {
    this.#write(charge, 'authorized', 'authorized');
    if (isTakenAtOnce) this.#take(charge);
  }

  /** The shop takes what was reserved. */
  capture(charge: OwnCharge): void {
    if (charge.status !== 'authorized') return;
    charge.grantedAtCapture = this.#view.isGranted(charge.orderId);
    this.#take(charge);
  }

  void(charge: OwnCharge): void {
    if (charge.status === 'authorized') this.#write(charge, 'voided', 'voided');
    if (charge.status === 'requires_action' || charge.status === 'processing') charge.status = 'voided';
  }

  /** The shop returns the money. A provider that lets it return what a bank has taken has returned it twice. */
  refund(charge: OwnCharge): void {
    if (charge.status !== 'captured') return;
    if (charge.disputes.some(({ status }) => GONE_ALREADY.includes(status))) charge.movements.push('refunded_twice');
    this.#write(charge, 'refunded', 'refunded');
    // A bank that only asked is content with the money.
    for (const dispute of charge.disputes) if (dispute.status === 'inquiry') dispute.status = 'won';
  }

  /** True when it can happen to this charge, and then it has. */
  happen(charge: OwnCharge, what: Elsewhere): boolean {
    const { status } = charge;
    if (isOfDispute(what)) return (status === 'captured' || status === 'refunded') && this.#dispute(charge, what);
    switch (what) {
      case 'captured':
        return status === 'authorized' && this.#take(charge);
      case 'voided':
        return status === 'authorized' && this.#write(charge, 'voided', 'voided');
      case 'refunded':
        return status === 'captured' && charge.disputes.length === 0 && this.#write(charge, 'refunded', 'refunded');
      case 'arrives':
        if (status !== 'processing') return false;
        this.approve(charge, true);
        return true;
      case 'comes_late':
        if (status !== 'declined') return false;
        this.approve(charge, true);
        return true;
      case 'warned':
        if (status !== 'captured') return false;
        charge.isWarned = true;
        return true;
      case 'refund_fails':
        if (status !== 'refunded' || charge.refundFailed || charge.disputes.length > 0) return false;
        charge.refundFailed = true;
        return this.#write(charge, 'captured', 'refund_failed');
    }
  }

  #dispute(charge: OwnCharge, what: OfDispute): boolean {
    const last = charge.disputes.at(-1);
    const isOpen = last !== undefined && isUndecided(last);
    if (what === 'dispute_part' || what === 'dispute_again') {
      const left = leftOf(charge);
      if (isOpen || left < PART || (what === 'dispute_again') !== (last !== undefined)) return false;
      return this.#openDispute(charge, 'open', what === 'dispute_part' ? PART : left);
    }
    const status = what.slice('dispute_'.length) as DisputeStatus;
    // What can be prevented is so before the bank says a word.
    if (last && isOpen) return status !== 'prevented' && this.#moveDispute(charge, last, status);
    // A bank begins with a question or a demand, and may have decided before the shop hears of it.
    return !last && status !== 'won' && this.#openDispute(charge, status, charge.amountMinor);
  }

  #openDispute(charge: OwnCharge, status: DisputeStatus, amountMinor: number): boolean {
    if (status === 'prevented' && charge.status !== 'captured') return false;
    const id = `dsp_${charge.paymentId}_${charge.disputes.length + 1}`;
    const dispute: OwnDispute = { id, status: 'inquiry', reason: 'fraudulent', amountMinor, feeMinor: 0 };
    charge.disputes.push(dispute);
    return this.#moveDispute(charge, dispute, status);
  }

  #moveDispute(charge: OwnCharge, dispute: OwnDispute, status: DisputeStatus): boolean {
    const isBackwards = status === 'inquiry' && dispute.status !== 'inquiry';
    if (isBackwards || CLOSED.includes(dispute.status)) return false;
    dispute.status = status;
    // An inquiry costs nothing, and what was prevented in time neither. What was taken once is not given back.
    if (HELD_BY_BANK.includes(status)) dispute.feeMinor = this.#prices.dispute;
    // The money went back to the payer before the bank had to ask for it.
    if (status === 'prevented') charge.movements.push('refunded');
    return true;
  }

  #take(charge: OwnCharge): true {
    charge.feeMinor = this.#prices.capture(charge.amountMinor);
    return this.#write(charge, 'captured', 'captured');
  }

  #write(charge: OwnCharge, status: ChargeStatus, movement: Movement): true {
    charge.status = status;
    charge.movements.push(movement);
    return true;
  }
}
