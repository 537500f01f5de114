import type { GatewayDriver } from '../base/driver.ts';
import { faultIn } from '../base/fault.ts';
import { OutcomeUnknown } from '../base/gateway.ts';
import { findProviderCharge, updateChargeDisputed, updateChargeEnded } from '../base/provider-charge.sql.ts';
import { paypalDisputes } from './answer-dispute.ts';
import { getOrder, getRefund } from './ask-payment.ts';
import { createPayment, type Prepared, preparePayment } from './authorize-payment.ts';
import { capturePayment } from './capture-payment.ts';
import { refundOf, voidedCharge } from './charge-of-payment.ts';
import { factsOf, move } from './paypal-charge.ts';
import { paypalFaultOf } from './paypal-fault.ts';
import { readCharge } from './read-payment.ts';
import { type PaypalApi, type PaypalClient, TIMEOUTS_MS } from './wire/paypal-client.ts';
import type { PaypalRefund } from './wire/paypal-objects.ts';

type Driver = GatewayDriver<PaypalApi, Prepared>;

/** Longer than the call that makes an order may take. */
const MAKING_SECONDS = 30;

const voidPayment: Driver['void'] = async found => {
  const { row, db } = found;
  if (row.captureId !== null || row.ended !== null) return readCharge(found);
  if (row.holdId === null) {
    // PayPal has no call that ends an order: it ends here, and a reservation that comes all the same is released.
    await updateChargeEnded(db, row, 'voided');
    row.ended = 'voided';
    return readCharge(found);
  }
  await move(found, 'void', { path: `/v2/payments/authorizations/${row.holdId}/void` });
  return found.keep(row, voidedCharge(factsOf(found)));
};

/** By these PayPal names a dispute whose callback may have been lost: from here on disputes are read with the payment. */
const DISPUTED: readonly string[] = ['TRANSACTION_DISPUTED', 'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK'];

const refunds: Driver['refunds'] = {
  alreadyDone: ['CAPTURE_FULLY_REFUNDED', 'REFUND_AMOUNT_EXCEEDED'],
  find: async (found, id) => refundOf(await getRefund(found, id)),
  async create({ row, db }, _held, send) {
    // Reading may have found the capture whose answer got lost.
    const captureId = row.captureId ?? (await findProviderCharge(db, row))?.captureId;
    if (!captureId) throw new OutcomeUnknown('PayPal has captured the payment and does not name the capture.');
    const path = `/v2/payments/captures/${captureId}/refund`;
    const body = { custom_id: row.paymentId };
    const post = { method: 'POST', path, body, timeoutMs: TIMEOUTS_MS.charge } as const;
    try {
      return refundOf(await send((api, requestId) => api<PaypalRefund>({ ...post, requestId })));
    } catch (error) {
      if (DISPUTED.includes(faultIn(error)?.code ?? '')) await updateChargeDisputed(db, row);
      throw error;
    }
  },
};

const tokenPath = (token: string): string => `/v3/vault/payment-tokens/${encodeURIComponent(token)}`;

const savedMethods: Driver['savedMethods'] = {
  async find(found) {
    const { payment_source: source } = await getOrder(found);
    const vault = source?.paypal?.attributes?.vault;
    if (!vault?.id || vault.status !== 'VAULTED')
      throw new Error(`The payment ${found.row.paymentId} has no method that was kept.`);
    const customerId = vault.customer?.id ?? null;
    return { token: vault.id, customerId, brand: 'paypal', last4: '', expiryMonth: 0, expiryYear: 0 };
  },
  async ownerOf(api, token) {
    const kept = await api<{ customer?: { id?: string } }>({ method: 'GET', path: tokenPath(token) });
    return kept.customer?.id ?? null;
  },
  remove: (api, token) => api({ method: 'DELETE', path: tokenPath(token) }),
};

export const paypalDriver = (client: PaypalClient): Driver => ({
  name: 'paypal',
  title: 'PayPal',
  connect: account => call => client.call(account, call),
  faultOf: paypalFaultOf,
  prepare: preparePayment,
  create: createPayment,
  async findLost({ ageSeconds }) {
    if (ageSeconds < MAKING_SECONDS) throw new OutcomeUnknown('The order is being made at PayPal.');
    // An order whose name we never heard holds no money: only our own next call could reserve it, and that is off now.
    return null;
  },
  read: readCharge,
  capture: capturePayment,
  void: voidPayment,
  standsElsewhere: [
    'AUTHORIZATION_ALREADY_CAPTURED',
    'AUTHORIZATION_VOIDED',
    'MAX_CAPTURE_COUNT_EXCEEDED',
    'PREVIOUSLY_VOIDED',
    'PREVIOUSLY_CAPTURED',
    'CANNOT_BE_VOIDED',
  ],
  refunds,
  disputes: paypalDisputes,
  savedMethods,
});
