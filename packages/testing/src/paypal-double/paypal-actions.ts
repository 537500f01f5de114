import {
  approveOrder,
  closeDispute,
  escalateDispute,
  failRefund,
  openDispute,
  refund,
  reverse,
} from './paypal-money.ts';
import type { DoubleOrder, HeldCapture } from './paypal-store.ts';
import type { Views } from './paypal-views.ts';

/** What players, banks and people at PayPal's own pages do. */
export function actionsOn(views: Views) {
  const { store } = views;
  const orderOf = (paymentId: string): DoubleOrder => {
    const found = [...store.orders.values()].findLast(({ unit }) => unit.custom_id === paymentId);
    if (!found) throw new Error(`the double has no order of ${paymentId}`);
    return found;
  };
  const captureOf = (paymentId: string): HeldCapture => {
    const { id } = orderOf(paymentId);
    return [...store.captures.values()].find(({ orderId }) => orderId === id)!;
  };
  return {
    orderOf,
    captureOf,
    approve: (paymentId: string, bank?: DoubleOrder['bank']): void => approveOrder(views, orderOf(paymentId), bank),
    refundThere: (paymentId: string, value?: string) => {
      const { id, amount } = captureOf(paymentId);
      return refund(views, id, value === undefined ? undefined : { ...amount, value });
    },
    reverse: (paymentId: string, reason: 'CHARGEBACK' | 'BUYER_COMPLAINT' | null = 'CHARGEBACK'): void =>
      reverse(views, captureOf(paymentId).id, reason),
    failRefund: (paymentId: string): void => {
      const { id } = captureOf(paymentId);
      failRefund(views, [...store.refunds.values()].findLast(({ captureId }) => captureId === id)!);
    },
    dispute: (paymentId: string, state: Parameters<typeof openDispute>[2]): string =>
      openDispute(views, captureOf(paymentId).id, state),
    escalateDispute: (id: string, fee: string): void => escalateDispute(views, id, fee),
    closeDispute: (id: string, outcome: string): void => closeDispute(views, id, outcome),
    /** A method that a player saved. */
    saved(bank: DoubleOrder['bank'] = 'approves'): string {
      const id = store.newId('V').toLowerCase();
      store.vault.set(id, { id, customerId: 'customer_1', bank });
      return id;
    },
    /** PayPal's event code and a signed amount: `T0403` is a withdrawal to the bank, `T0200` a conversion. */
    book(code: string, value: string, currency = 'EUR'): void {
      const amount = { currency_code: currency, value };
      store.booked.push({ id: store.newId('B'), code, amount, madeAt: store.nowSeconds() });
    },
    movementsOf: (paymentId: string): string[] =>
      store.movements.filter(movement => movement.paymentId === paymentId).map(({ kind }) => kind),
  };
}
