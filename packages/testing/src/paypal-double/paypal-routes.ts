import type { PaypalMoney } from '../../../../apps/server/src/domain/payment/providers/paypal/wire/paypal-objects.ts';
import {
  acceptClaim,
  approveOrder,
  authorize,
  capture,
  findOrder,
  makeOrder,
  provideEvidence,
  reauthorize,
  refund,
  release,
} from './paypal-money.ts';
import { DoubleFault, type DoubleUnit, type HeldCapture, notFound, unprocessable } from './paypal-store.ts';
import { authorizationView, captureView, disputeView, orderView, refundView, type Views } from './paypal-views.ts';

interface Money {
  currency_code: string;
  value: string;
}

/** Checked by its shape before it comes here. */
export interface DoubleBody {
  purchase_units?: DoubleUnit[];
  payment_source?: {
    paypal?: {
      vault_id?: string;
      experience_context?: { return_url?: string; cancel_url?: string };
      attributes?: { vault?: object; customer?: { id?: string } };
    };
  };
  amount?: Money;
  url?: string;
  event_types?: { name: string }[];
  transmission_id?: string;
  webhook_id?: string;
  input?: { evidences: { evidence_type: string; notes?: string; documents?: { name: string }[] }[] };
  [more: string]: unknown;
}

export interface DoubleSettings {
  /** What the next captures and refunds become. */
  captures: 'COMPLETED' | 'PENDING' | 'DECLINED';
  refunds: 'COMPLETED' | 'PENDING';
  canVault: boolean;
  /** Until when the list of transactions is complete; null: until now. */
  listedUntil: number | null;
  largestPage: number;
  /** Of transactions in one list; more are refused. */
  mostListed: number;
}

export interface Call extends Views {
  settings: DoubleSettings;
  params: string[];
  body: DoubleBody;
  query: URLSearchParams;
  requestId: string | undefined;
  verify: (body: DoubleBody) => boolean;
}

type Serve = (asked: Call) => object | null;
type Route = readonly [method: string, path: RegExp, serve: Serve];

function createOrder(asked: Call): object {
  const { body, settings } = asked;
  const units = body.purchase_units ?? [];
  if (body.intent !== 'AUTHORIZE') throw unprocessable('UNSUPPORTED_INTENT', '/intent');
  if (units.length !== 1) throw unprocessable('MULTIPLE_SHIPPING_TYPE_NOT_SUPPORTED', '/purchase_units');
  const wallet = body.payment_source?.paypal;
  if (wallet?.vault_id !== undefined && asked.requestId === undefined) {
    throw new DoubleFault(400, 'PAYPAL_REQUEST_ID_REQUIRED');
  }
  if (wallet?.attributes?.vault && !settings.canVault) throw unprocessable('NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE');
  const source = wallet && {
    ...wallet.experience_context,
    wantsVault: wallet.attributes?.vault !== undefined,
    customerId: wallet.attributes?.customer?.id ?? null,
  };
  return orderView(asked, makeOrder(asked, units[0]!, source ?? null));
}

function authorizeOrder(asked: Call): object {
  const order = findOrder(asked.store, asked.params[0]!);
  return orderView(asked, authorize(asked, order, asked.body.payment_source?.paypal?.vault_id ?? null));
}

function captureHold(asked: Call): object {
  return captureView(asked, capture(asked, asked.params[0]!, asked.body.amount, asked.settings.captures));
}

function pageOf<T>(all: T[], { query, settings }: Call): { page: number; pages: number; rows: T[] } {
  const size = Math.min(Number(query.get('page_size') ?? '100'), settings.largestPage);
  const page = Number(query.get('page') ?? '1');
  const pages = Math.max(1, Math.ceil(all.length / size));
  return { page, pages, rows: all.slice((page - 1) * size, page * size) };
}

const negative = (amount: PaypalMoney): PaypalMoney => ({ ...amount, value: `-${amount.value}` });

const paymentInfo = ({ store }: Views, { id, amount, orderId, madeAt, status, ...more }: HeldCapture) => ({
  madeAt,
  info: {
    transaction_id: id,
    transaction_event_code: 'T0006',
    transaction_initiation_date: store.isoOf(madeAt),
    transaction_amount: amount,
    ...(more.seller_receivable_breakdown?.paypal_fee && {
      fee_amount: negative(more.seller_receivable_breakdown.paypal_fee),
    }),
    transaction_status: status === 'PENDING' ? 'P' : 'S',
    ...(store.orders.get(orderId)?.unit.invoice_id !== undefined && {
      invoice_id: store.orders.get(orderId)!.unit.invoice_id,
      custom_field: store.orders.get(orderId)!.unit.custom_id,
    }),
  },
});

function listTransactions(asked: Call): object {
  const { store, query, settings } = asked;
  const from = Date.parse(query.get('start_date')!) / 1000;
  const to = Date.parse(query.get('end_date')!) / 1000;
  if (to - from > 31 * 86_400) throw new DoubleFault(400, 'INVALID_REQUEST', 'end_date');
  const refunds = [...store.refunds.values()].map(({ id, amount, captureId, madeAt }) => ({
    madeAt,
    info: {
      transaction_id: id,
      paypal_reference_id: captureId,
      paypal_reference_id_type: 'TXN',
      transaction_event_code: 'T1107',
      transaction_initiation_date: store.isoOf(madeAt),
      transaction_amount: negative(amount),
      transaction_status: 'S',
    },
  }));
  const others = store.booked.map(({ id, code, amount, madeAt, captureId }) => ({
    madeAt,
    info: {
      transaction_id: id,
      ...(captureId !== undefined && { paypal_reference_id: captureId, paypal_reference_id_type: 'TXN' }),
      transaction_event_code: code,
      transaction_initiation_date: store.isoOf(madeAt),
      transaction_amount: amount,
      transaction_status: 'S',
    },
  }));
  const all = [...[...store.captures.values()].map(it => paymentInfo(asked, it)), ...refunds, ...others].filter(
    ({ madeAt }) => madeAt >= from && madeAt <= to,
  );
  if (all.length > settings.mostListed) throw new DoubleFault(400, 'RESULTSET_TOO_LARGE');
  const { page, pages, rows } = pageOf(all, asked);
  return {
    // PayPal leaves an empty list out.
    ...(rows.length > 0 && { transaction_details: rows.map(({ info }) => ({ transaction_info: info })) }),
    account_number: 'DOUBLE1',
    last_refreshed_datetime: store.isoOf(settings.listedUntil ?? store.nowSeconds() + 86_400),
    page,
    total_items: all.length,
    total_pages: pages,
  };
}

function listDisputes(asked: Call): object {
  const { store, query } = asked;
  const disputed = query.get('disputed_transaction_id');
  const after = Date.parse(query.get('update_time_after') ?? '1970-01-01T00:00:00Z') / 1000;
  const before = Date.parse(query.get('update_time_before') ?? '2999-01-01T00:00:00Z') / 1000;
  const items = [...store.disputes.values()].filter(
    it => (disputed === null || it.captureId === disputed) && it.updatedAt >= after && it.updatedAt <= before,
  );
  return {
    ...(items.length > 0 && { items: items.map(it => disputeView(asked, it, true)) }),
    links: [{ href: `${asked.url}/v1/customer/disputes`, rel: 'self', method: 'GET' }],
  };
}

function takeAcceptance(asked: Call): object {
  const [id] = asked.params as [string];
  acceptClaim(asked, id);
  return { links: [{ href: `${asked.url}/v1/customer/disputes/${id}`, rel: 'self', method: 'GET' }] };
}

function takeEvidence(asked: Call): object {
  const [id] = asked.params as [string];
  provideEvidence(asked, id, asked.body.input!.evidences);
  return { links: [{ href: `${asked.url}/v1/customer/disputes/${id}`, rel: 'self', method: 'GET' }] };
}

function saved({ store, params }: Call): object {
  const token = store.vault.get(params[0]!);
  if (!token) throw new DoubleFault(404, 'RESOURCE_NOT_FOUND');
  return {
    id: token.id,
    customer: { id: token.customerId },
    payment_source: { paypal: { email_address: 'player@paypal.example' } },
  };
}

function createWebhook({ store, body }: Call): object {
  if ([...store.webhooks.values()].some(({ url }) => url === body.url)) {
    throw new DoubleFault(400, 'WEBHOOK_URL_ALREADY_EXISTS');
  }
  const webhook = { id: store.newId('W'), url: body.url!, event_types: body.event_types! };
  store.webhooks.set(webhook.id, webhook);
  return webhook;
}

const found = <T>(all: ReadonlyMap<string, T>, { params }: Call): T => {
  const it = all.get(params[0]!);
  if (!it) throw notFound();
  return it;
};

const balances = ({ store }: Views): object => ({
  account_id: 'QYR5Z8XDVJNXQ',
  as_of_time: store.isoOf(store.nowSeconds()),
  balances: [{ currency: 'EUR', primary: true, total_balance: { currency_code: 'EUR', value: '100.00' } }],
});

const remove = (all: Map<string, unknown>, asked: Call): null => {
  all.delete(asked.params[0]!);
  return null;
};

export const ROUTES: readonly Route[] = [
  ['POST', /^\/v2\/checkout\/orders$/, createOrder],
  ['GET', /^\/v2\/checkout\/orders\/(\w+)$/, asked => orderView(asked, findOrder(asked.store, asked.params[0]!))],
  ['POST', /^\/v2\/checkout\/orders\/(\w+)\/authorize$/, authorizeOrder],
  ['GET', /^\/v2\/payments\/authorizations\/(\w+)$/, it => authorizationView(it, found(it.store.holds, it))],
  ['POST', /^\/v2\/payments\/authorizations\/(\w+)\/capture$/, captureHold],
  [
    'POST',
    /^\/v2\/payments\/authorizations\/(\w+)\/reauthorize$/,
    it => authorizationView(it, reauthorize(it, it.params[0]!, it.body.amount)),
  ],
  ['POST', /^\/v2\/payments\/authorizations\/(\w+)\/void$/, it => authorizationView(it, release(it, it.params[0]!))],
  ['GET', /^\/v2\/payments\/captures\/(\w+)$/, it => captureView(it, found(it.store.captures, it))],
  [
    'POST',
    /^\/v2\/payments\/captures\/(\w+)\/refund$/,
    it => refundView(it, refund(it, it.params[0]!, it.body.amount, it.settings.refunds)),
  ],
  ['GET', /^\/v2\/payments\/refunds\/(\w+)$/, it => refundView(it, found(it.store.refunds, it))],
  ['GET', /^\/v3\/vault\/payment-tokens\/([\w-]+)$/, saved],
  ['DELETE', /^\/v3\/vault\/payment-tokens\/([\w-]+)$/, it => remove(it.store.vault, it)],
  ['GET', /^\/v1\/customer\/disputes$/, listDisputes],
  ['GET', /^\/v1\/customer\/disputes\/([\w-]+)$/, it => disputeView(it, found(it.store.disputes, it), false)],
  ['POST', /^\/v1\/customer\/disputes\/([\w-]+)\/provide-evidence$/, takeEvidence],
  ['POST', /^\/v1\/customer\/disputes\/([\w-]+)\/accept-claim$/, takeAcceptance],
  ['GET', /^\/v1\/notifications\/webhooks$/, ({ store }) => ({ webhooks: [...store.webhooks.values()] })],
  ['POST', /^\/v1\/notifications\/webhooks$/, createWebhook],
  ['DELETE', /^\/v1\/notifications\/webhooks\/(\w+)$/, it => remove(it.store.webhooks, it)],
  [
    'POST',
    /^\/v1\/notifications\/verify-webhook-signature$/,
    it => ({ verification_status: it.verify(it.body) ? 'SUCCESS' : 'FAILURE' }),
  ],
  ['GET', /^\/v1\/reporting\/transactions$/, listTransactions],
  ['GET', /^\/v1\/reporting\/balances$/, balances],
];

/** PayPal's page in the player's browser: yes or no, without script. Null: not such a page. */
export function payerPage(views: Views, url: URL): { status: number; location?: string; html?: string } | null {
  if (url.pathname !== '/checkoutnow') return null;
  const order = findOrder(views.store, url.searchParams.get('token') ?? '');
  const answer = url.searchParams.get('answer');
  const back = (to: string | null): { status: number; location: string } => ({
    status: 302,
    location: `${to}${to?.includes('?') ? '&' : '?'}token=${order.id}`,
  });
  if (answer === 'no') return back(order.cancelUrl);
  if (answer !== null) {
    approveOrder(views, order, answer === 'declined' ? 'declines' : 'approves');
    return back(order.returnUrl);
  }
  const choice = (name: string, value: string) =>
    `<p><a id="${value}" href="/checkoutnow?token=${order.id}&amp;answer=${value}">${name}</a></p>`;
  const { value, currency_code: currency } = order.unit.amount;
  return {
    status: 200,
    html: `<!doctype html><title>PayPal (double)</title><h1>Pay ${value} ${currency}</h1>${choice('Pay now', 'yes')}${choice('Pay with an empty account', 'declined')}${choice('Cancel and return', 'no')}`,
  };
}
