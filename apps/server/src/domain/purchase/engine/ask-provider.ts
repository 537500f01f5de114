import type { Charge, ChargeStatus, Refusal } from '../../payment/providers/base/charge-shape.ts';
import { isHeldByBank, isReturnedInTime } from '../../payment/providers/base/charges.ts';
import type { ChargeRef, Gateway, StepAnswer } from '../../payment/providers/base/gateway.ts';
import { CHALLENGE_SECONDS, type ProviderAction } from '../table/purchase-table.ts';
import type { Purchase, PurchaseShop } from './purchase.ts';

export type ProviderStep = 'capture' | 'void' | 'refund';

export type ProviderAnswer =
  | {
      kind: 'holds';
      charge: Charge | 'absent';
      /** The provider has taken the refund and the bank works on it. */
      isRefundTaken?: boolean;
    }
  | { kind: 'refused'; step: ProviderStep; refusal: Refusal };

const holds = (charge: Charge | null): ProviderAnswer => ({ kind: 'holds', charge: charge ?? 'absent' });

const answered = (step: ProviderStep, answer: StepAnswer): ProviderAnswer =>
  answer.kind === 'refused' ? { kind: 'refused', step, refusal: answer.refusal } : holds(answer.charge);

/** What still can become money, or is money: the order is not to be paid with it. */
export const UNWANTED: readonly ChargeStatus[] = ['requires_action', 'authorized', 'captured'];
/** The player has not finished, or the money is not there yet. */
export const UNFINISHED: readonly ChargeStatus[] = ['requires_action', 'processing'];

/**
 * Looks up what the provider holds and, if that is one of `unwanted`, ends it there: captured money is refunded, anything
 * else is voided. Looked up first, because what happened there since decides which of the two it must be.
 */
export async function voidOrRefund(
  gateway: Gateway,
  ref: ChargeRef,
  unwanted: readonly ChargeStatus[],
): Promise<ProviderAnswer> {
  const charge = await gateway.lookUp(ref);
  if (!charge || !unwanted.includes(charge.status)) return holds(charge);
  // A bank has the money or may take it, or it is with the payer already: a refund would return it twice.
  if (isHeldByBank(charge) || isReturnedInTime(charge)) return holds(charge);
  if (charge.status !== 'captured') return answered('void', await gateway.void(ref));
  const answer = await gateway.refund(ref);
  return answer.kind === 'pending'
    ? { kind: 'holds', charge: answer.charge, isRefundTaken: true }
    : answered('refund', answer);
}

/** A challenge that the player left alone is ended at the provider first, so that it cannot succeed later. */
const leftAlone = ({ payment }: Purchase, nowMs: number): readonly ChargeStatus[] =>
  payment.status === 'requires_action' && nowMs - payment.updatedAt.getTime() >= CHALLENGE_SECONDS * 1000
    ? ['requires_action']
    : [];

export const gatewayOf = ({ gateways }: Pick<PurchaseShop, 'gateways'>, { payment }: Purchase): Gateway => {
  const gateway = gateways[payment.gateway];
  if (!gateway) throw new Error(`no gateway named ${payment.gateway}`);
  return gateway;
};

/** Asks the provider for what the rows say is due. It throws when the answer is not known; the row's date brings a worker back. */
export async function askProvider(
  shop: Pick<PurchaseShop, 'gateways' | 'clock'>,
  step: Exclude<ProviderAction, 'none'>,
  purchase: Purchase,
): Promise<ProviderAnswer> {
  const gateway = gatewayOf(shop, purchase);
  const { environmentId, id: paymentId, amountMinor, currency } = purchase.payment;
  const ref = { environmentId, paymentId };
  switch (step) {
    case 'look_up':
      return voidOrRefund(gateway, ref, leftAlone(purchase, shop.clock.nowMs()));
    case 'capture':
      return answered('capture', await gateway.capture({ amountMinor, currency, ...ref }));
    case 'void_or_refund':
      return voidOrRefund(gateway, ref, UNWANTED);
  }
}
