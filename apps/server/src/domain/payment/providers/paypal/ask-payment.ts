import { UNREADABLE_DISPUTE } from '../base/charges.ts';
import { ProviderFault } from '../base/fault.ts';
import { ChargeMissing } from '../base/gateway.ts';
import { get, type PaypalCharge } from './paypal-charge.ts';
import type { PaypalAuthorization, PaypalDispute, PaypalOrder, PaypalRefund } from './wire/paypal-objects.ts';

export const getOrder = (found: PaypalCharge): Promise<PaypalOrder> =>
  get(found, `/v2/checkout/orders/${found.row.intentId}`);

/** Null: PayPal no longer says. */
export const getOrderIfThere = (found: PaypalCharge): Promise<PaypalOrder | null> =>
  getOrder(found).catch((error: unknown) => {
    if (error instanceof ChargeMissing) return null;
    throw error;
  });

export const getRefund = (found: PaypalCharge, refundId: string): Promise<PaypalRefund> =>
  get(found, `/v2/payments/refunds/${refundId}`);

export const getAuthorization = (found: PaypalCharge, holdId: string): Promise<PaypalAuthorization> =>
  get(found, `/v2/payments/authorizations/${holdId}`);

/** The list does not tell how a dispute ended, so each is asked for. */
export async function askDisputes(found: PaypalCharge, captureId: string): Promise<PaypalDispute[]> {
  const query = { disputed_transaction_id: captureId, page_size: '50' };
  try {
    const { items = [] } = await found.call('disputes', api =>
      api<{ items?: PaypalDispute[] }>({ method: 'GET', path: '/v1/customer/disputes', query }),
    );
    return await Promise.all(
      items.map(({ dispute_id: id }) => get<PaypalDispute>(found, `/v1/customer/disputes/${id}`)),
    );
  } catch (error) {
    // Keys that may not read disputes: the members were told, and what cannot be read is never won.
    if (error instanceof ProviderFault) return [{ dispute_id: UNREADABLE_DISPUTE, status: 'OTHER' }];
    throw error;
  }
}
