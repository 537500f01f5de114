import type {
  DoubleDispute,
  DoubleOrder,
  HeldAuthorization,
  HeldCapture,
  HeldRefund,
  PaypalStore,
} from './paypal-store.ts';

/** Objects as they go over the wire: without what only the double knows. */
export interface Views {
  store: PaypalStore;
  url: string;
}

const linkTo = ({ url }: Views, rel: string, path: string, method = 'GET') => ({ href: `${url}${path}`, rel, method });

const marks = (order: DoubleOrder | undefined) => ({
  ...(order?.unit.custom_id !== undefined && { custom_id: order.unit.custom_id }),
  ...(order?.unit.invoice_id !== undefined && { invoice_id: order.unit.invoice_id }),
});

const protectionIn = ({ signs }: PaypalStore) => ({ seller_protection: { status: signs.protection } });

/** What the bank of a card said: PayPal tells it of captures, and of reservations within their order only. */
const bankWordIn = ({ signs: { avs, cvv } }: PaypalStore) =>
  avs === null || cvv === null ? {} : { processor_response: { avs_code: avs, cvv_code: cvv } };

export function authorizationView(views: Views, { id, status, amount, orderId, madeAt, firstAt }: HeldAuthorization) {
  const { store } = views;
  return {
    id,
    status,
    amount,
    ...marks(store.orders.get(orderId)),
    ...(status === 'PENDING' && { status_details: { reason: 'PENDING_REVIEW' } }),
    ...protectionIn(store),
    expiration_time: store.isoOf(firstAt + 29 * 86_400),
    create_time: store.isoOf(madeAt),
    update_time: store.isoOf(store.nowSeconds()),
    links: [linkTo(views, 'self', `/v2/payments/authorizations/${id}`)],
    supplementary_data: { related_ids: { order_id: orderId } },
  };
}

export function captureView(views: Views, capture: HeldCapture) {
  const { store } = views;
  const { id, status, amount, orderId, holdId, madeAt, seller_receivable_breakdown: fee } = capture;
  return {
    id,
    status,
    amount,
    ...marks(store.orders.get(orderId)),
    ...(capture.status_details && { status_details: capture.status_details }),
    ...(status === 'PENDING' && { status_details: capture.status_details ?? { reason: 'PENDING_REVIEW' } }),
    ...protectionIn(store),
    ...bankWordIn(store),
    final_capture: true,
    ...(fee && { seller_receivable_breakdown: fee }),
    create_time: store.isoOf(madeAt),
    update_time: store.isoOf(store.nowSeconds()),
    links: [linkTo(views, 'self', `/v2/payments/captures/${id}`)],
    supplementary_data: { related_ids: { order_id: orderId, authorization_id: holdId } },
  };
}

export function refundView(views: Views, { id, status, amount, captureId, madeAt }: HeldRefund) {
  const { store } = views;
  return {
    id,
    status,
    amount,
    ...marks(store.orders.get(store.captures.get(captureId)?.orderId ?? '')),
    create_time: store.isoOf(madeAt),
    update_time: store.isoOf(store.nowSeconds()),
    links: [
      linkTo(views, 'self', `/v2/payments/refunds/${id}`),
      linkTo(views, 'up', `/v2/payments/captures/${captureId}`),
    ],
  };
}

const of = <T extends { orderId: string }>(all: Iterable<T>, { id }: DoubleOrder): T[] =>
  [...all].filter(({ orderId }) => orderId === id);

/** Within an order a payment does not name what it belongs to. */
function within<T extends { supplementary_data?: object }>(view: T): Omit<T, 'supplementary_data'> {
  const { supplementary_data: related, ...rest } = view;
  return related ? rest : view;
}

function paymentsView(views: Views, order: DoubleOrder) {
  const { store } = views;
  const captures = of(store.captures.values(), order);
  const refunds = [...store.refunds.values()].filter(({ captureId }) => captures.some(({ id }) => id === captureId));
  const authorizations = of(store.holds.values(), order);
  if (authorizations.length === 0) return {};
  const payments = {
    authorizations: authorizations.map(hold => ({
      ...within(authorizationView(views, hold)),
      ...bankWordIn(views.store),
    })),
    ...(captures.length > 0 && { captures: captures.map(capture => within(captureView(views, capture))) }),
    ...(refunds.length > 0 && { refunds: refunds.map(refund => refundView(views, refund)) }),
  };
  return { payments };
}

export function orderView(views: Views, order: DoubleOrder) {
  const { store, url } = views;
  const isWaiting = order.status === 'PAYER_ACTION_REQUIRED' || order.status === 'CREATED';
  const vault = order.vaultId !== null && {
    vault: { id: order.vaultId, status: 'VAULTED', customer: { id: order.customerId! } },
  };
  return {
    id: order.id,
    status: order.status,
    intent: 'AUTHORIZE',
    create_time: store.isoOf(order.madeAt),
    purchase_units: [{ ...order.unit, ...paymentsView(views, order) }],
    ...(!isWaiting && {
      payment_source: {
        paypal: {
          email_address: 'player@paypal.example',
          account_id: 'QYR5Z8XDVJNXQ',
          account_status: store.signs.account,
          address: { country_code: 'DE' },
          ...(vault && { attributes: vault }),
        },
      },
    }),
    links: [
      linkTo(views, 'self', `/v2/checkout/orders/${order.id}`),
      ...(isWaiting && order.returnUrl !== null
        ? [{ href: `${url}/checkoutnow?token=${order.id}`, rel: 'payer-action', method: 'GET' }]
        : []),
    ],
  };
}

export function disputeView(views: Views, dispute: DoubleDispute, isListed: boolean) {
  const { store } = views;
  const {
    captureId,
    updatedAt,
    disputed_transactions: _,
    dispute_outcome: outcome,
    evidences,
    external_reason_code: networkCode,
    dispute_amount: part,
    money_movements: moved,
    ...rest
  } = dispute;
  const capture = store.captures.get(captureId)!;
  const path = `/v1/customer/disputes/${dispute.dispute_id}`;
  const asksSeller = dispute.status === 'WAITING_FOR_SELLER_RESPONSE';
  return {
    ...rest,
    links: [
      linkTo(views, 'self', path),
      ...(asksSeller && !isListed ? [linkTo(views, 'provide_evidence', `${path}/provide-evidence`, 'POST')] : []),
    ],
    update_time: store.isoOf(updatedAt),
    dispute_amount: part ?? capture.amount,
    ...(!isListed && {
      ...(moved && { money_movements: moved }),
      disputed_transactions: [{ seller_transaction_id: captureId, gross_amount: capture.amount }],
      ...(outcome && { dispute_outcome: outcome }),
      ...(evidences && { evidences }),
      ...(networkCode !== undefined && { external_reason_code: networkCode }),
    }),
  };
}
