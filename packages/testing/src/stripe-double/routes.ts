import type { FormPart } from '../multipart.ts';
import { DoubleError, invalid, missing } from './double-error.ts';
import { checkFiles, createFile } from './files.ts';
import { type FormFields, fieldsIn, listIn, textIn } from './form-body.ts';
import {
  cancelIntent,
  captureIntent,
  createIntent,
  findIntent,
  findToken,
  type IntentRules,
  makeToken,
  metadataIn,
} from './intents.ts';
import { giveEvidence, giveUp, refund } from './money.ts';
import type { Booked, Customer, DoubleCharge, Endpoint, Intent } from './objects.ts';
import type { Store } from './store.ts';

export interface Call {
  store: Store;
  rules: IntentRules;
  livemode: boolean;
  accountId: string;
  fields: FormFields;
  /** Of a call that brings one. */
  file: FormPart | null;
  params: string[];
  /** Refunds of slow methods stay pending until told. */
  slowRefunds: boolean;
  capabilities: Record<string, string>;
  disabledReason?: string | null;
  country: string;
  inactiveWallets: string[];
  /** Lists are cut at this many, whatever is asked for. */
  largestPage: number;
  /** How old an intent is before the search knows it; null: the account has no search. */
  searchLagSeconds: number | null;
}

interface Listed {
  id: string;
  created: number;
}

/** Newest first, cut and read on as Stripe does. */
function page<T extends Listed>(
  all: Iterable<T>,
  { fields, largestPage, store, accountId }: Call,
  url: string,
  wanted: (entry: T) => boolean,
) {
  const created = fieldsIn(fields, 'created');
  const from = Number(textIn(created, 'gte') ?? 0);
  const before = Number(textIn(created, 'lt') ?? Number.POSITIVE_INFINITY);
  const until = Number(textIn(created, 'lte') ?? Number.POSITIVE_INFINITY);
  const isWithin = ({ created: at }: T) => at >= from && at < before && at <= until;
  const found = [...all]
    .filter(entry => isWithin(entry) && wanted(entry) && store.isSeenBy(accountId, entry.id))
    .toReversed();
  const after = textIn(fields, 'starting_after');
  const start = after === null ? 0 : found.findIndex(({ id }) => id === after) + 1;
  const limit = Math.min(largestPage, Number(textIn(fields, 'limit') ?? 10));
  return { object: 'list', url, data: found.slice(start, start + limit), has_more: start + limit < found.length };
}

const CLAUSE = /^metadata\['([^']+)'\]:'([^']*)'$/;

/** What Stripe's search finds: by metadata, and not what was made a moment ago. */
function searchIntents({ store, fields, searchLagSeconds, accountId }: Call): object {
  if (searchLagSeconds === null) throw invalid('Search is not available for your account.');
  const clauses = (textIn(fields, 'query') ?? '').split(' AND ').map(clause => CLAUSE.exec(clause));
  if (clauses.some(clause => clause === null)) throw invalid('We were unable to parse your search query.');
  const isIndexed = ({ id, created }: Intent) =>
    created <= store.nowSeconds() - searchLagSeconds && store.isSeenBy(accountId, id);
  const found = [...store.intents.values()].filter(
    intent => isIndexed(intent) && clauses.every(clause => intent.metadata[clause![1]!] === clause![2]),
  );
  const limit = Math.min(100, Number(textIn(fields, 'limit') ?? 10));
  const isMore = found.length > limit;
  const data = found.toReversed().slice(0, limit);
  return { object: 'search_result', url: '/v1/payment_intents/search', data, has_more: isMore, next_page: null };
}

function expandedCharge(store: Store, charge: DoubleCharge, expand: string[]): object {
  const wantsBooking = expand.some(path => path.endsWith('balance_transaction'));
  const refunds = [...store.refunds.values()].filter(({ charge: id }) => id === charge.id).toReversed();
  return {
    ...charge,
    balance_transaction:
      wantsBooking && charge.balance_transaction !== null
        ? store.booked.get(charge.balance_transaction)
        : charge.balance_transaction,
    ...(expand.some(path => path.endsWith('refunds')) && {
      refunds: { object: 'list', data: refunds, has_more: false, url: `/v1/charges/${charge.id}/refunds` },
    }),
  };
}

function expanded({ store, fields }: Call, intent: Intent): object {
  const expand = listIn(fields, 'expand').map(path => path.replace(/^data\./, ''));
  const charge = expand.some(path => path.includes('latest_charge'))
    ? store.charges.get(intent.latest_charge ?? '')
    : null;
  return {
    ...intent,
    ...(charge && { latest_charge: expandedCharge(store, charge, expand) }),
    ...(expand.includes('review') && { review: store.reviews.get(intent.review ?? '') ?? null }),
    ...(expand.includes('payment_method') && {
      payment_method: store.methods.get(intent.payment_method ?? '') ?? null,
    }),
  };
}

function createCustomer({ store, fields, livemode }: Call): Customer {
  const customer: Customer = {
    id: store.newId('cus'),
    object: 'customer',
    created: store.nowSeconds(),
    email: textIn(fields, 'email'),
    livemode,
    metadata: metadataIn(fields),
  };
  store.customers.set(customer.id, customer);
  return customer;
}

/** Cash at a till cannot go back; a transfer needs the player's account, for which Stripe asks by mail. */
function checkRefundable(type: string, instructions: string | null): void {
  if (type === 'oxxo' || type === 'boleto') {
    throw new DoubleError(400, {
      type: 'invalid_request_error',
      code: 'charge_not_refundable',
      message: 'The method cannot return money.',
    });
  }
  if (type === 'konbini' && instructions === null) {
    throw invalid('instructions_email is missing.', { code: 'parameter_missing', param: 'instructions_email' });
  }
}

function createRefund({ store, fields, slowRefunds }: Call): object {
  const intent = findIntent(store, textIn(fields, 'payment_intent') ?? '');
  const charge = store.charges.get(intent.latest_charge ?? '');
  if (!charge?.captured) throw invalid('This payment has not been captured.', { code: 'charge_not_captured' });
  const open = [...store.disputes.values()].some(
    dispute => dispute.charge === charge.id && !dispute.is_charge_refundable && dispute.status !== 'won',
  );
  if (open)
    throw new DoubleError(400, { type: 'invalid_request_error', code: 'charge_disputed', message: 'Disputed.' });
  const left = charge.amount_captured - charge.amount_refunded;
  if (left === 0) {
    throw new DoubleError(400, {
      type: 'invalid_request_error',
      code: 'charge_already_refunded',
      message: 'Refunded.',
    });
  }
  const amount = Number(textIn(fields, 'amount') ?? left);
  const instructions = textIn(fields, 'instructions_email');
  checkRefundable(store.methods.get(charge.payment_method ?? '')?.type ?? '', instructions);
  return refund(store, intent, amount, {
    instructions,
    metadata: metadataIn(fields),
    reason: textIn(fields, 'reason'),
    isSlow: slowRefunds,
  });
}

/** Of one account. */
const MOST_ENDPOINTS = 16;

const endpointsOf = ({ store, accountId }: Call): Endpoint[] =>
  [...store.endpoints.values()].filter(one => one.accountId === accountId);

const shownEndpoint = ({ id, object, url, status, enabled_events }: Endpoint): Endpoint => ({
  id,
  object,
  url,
  status,
  enabled_events,
});

function createEndpoint(asked: Call): Endpoint {
  const { store, fields, accountId } = asked;
  if (endpointsOf(asked).length >= MOST_ENDPOINTS) {
    throw new DoubleError(400, {
      type: 'invalid_request_error',
      message: `You have reached the maximum of ${MOST_ENDPOINTS} test webhook endpoints.`,
    });
  }
  const id = store.newId('we');
  const made: Endpoint = {
    id,
    object: 'webhook_endpoint',
    url: textIn(fields, 'url') ?? '',
    status: 'enabled',
    enabled_events: listIn(fields, 'enabled_events'),
  };
  store.endpoints.set(id, { accountId, ...made });
  // The secret is told once.
  return { ...made, secret: `whsec_${id.replaceAll('_', '')}` };
}

const found = <T>(value: T | undefined, what: string, id: string): T => {
  if (value === undefined) throw missing(what, id, 'id', false);
  return value;
};

type Route = [method: string, path: RegExp, handle: (asked: Call) => object];

const only = (asked: Call, name: string): ((entry: object) => boolean) => {
  const value = textIn(asked.fields, name);
  return entry => value === null || (entry as Record<string, unknown>)[name] === value;
};

function listBooked(asked: Call): object {
  const { store, fields } = asked;
  const payout = textIn(fields, 'payout');
  const isWanted = ({ id }: Booked): boolean => payout === null || store.paidOut.get(id) === payout;
  const list = page(store.booked.values(), asked, '/v1/balance_transactions', isWanted);
  const sourceOf = (id: string): object | string =>
    store.charges.get(id) ?? store.refunds.get(id) ?? store.disputes.get(id) ?? store.payouts.get(id) ?? id;
  const isExpanded = listIn(fields, 'expand').includes('data.source');
  return { ...list, data: list.data.map(entry => (isExpanded ? { ...entry, source: sourceOf(entry.source) } : entry)) };
}

const EVIDENCE_CHARS = 20_000;

function updateDispute({ store, fields, params: [id] }: Call): object {
  const dispute = found(store.disputes.get(id!), 'Dispute', id!);
  const evidence: Record<string, string> = {};
  for (const [name, value] of Object.entries(fieldsIn(fields, 'evidence'))) {
    if (typeof value !== 'string') continue;
    if (value.length > EVIDENCE_CHARS) throw invalid('The text is too long.', { param: `evidence[${name}]` });
    evidence[name] = value;
  }
  checkFiles(store, evidence);
  return giveEvidence(store, dispute, evidence, textIn(fields, 'submit') !== 'false');
}

const WALLETS = ['amazon_pay', 'apple_pay', 'google_pay', 'klarna', 'link', 'paypal'];

function domainView(name: string, inactiveWallets: readonly string[]): object {
  const statusOf = (wallet: string): string => (inactiveWallets.includes(wallet) ? 'inactive' : 'active');
  return {
    id: `pmd_${name.replaceAll('.', '')}`,
    object: 'payment_method_domain',
    domain_name: name,
    enabled: true,
    ...Object.fromEntries(WALLETS.map(wallet => [wallet, { status: statusOf(wallet) }])),
  };
}

export const ROUTES: readonly Route[] = [
  [
    'GET',
    /^\/v1\/payment_method_domains$/,
    ({ store, fields, inactiveWallets }) => {
      const name = textIn(fields, 'domain_name') ?? '';
      const data = store.domains.has(name) ? [domainView(name, inactiveWallets)] : [];
      return { object: 'list', url: '/v1/payment_method_domains', data, has_more: false };
    },
  ],
  [
    'POST',
    /^\/v1\/payment_method_domains$/,
    ({ store, fields, inactiveWallets }) => {
      const name = textIn(fields, 'domain_name') ?? '';
      store.domains.add(name);
      return domainView(name, inactiveWallets);
    },
  ],
  [
    'GET',
    /^\/v1\/account$/,
    ({ accountId, capabilities, country, disabledReason = null }) => ({
      id: accountId,
      capabilities,
      object: 'account',
      business_profile: { name: 'Northwind Games' },
      charges_enabled: disabledReason === null,
      requirements: { disabled_reason: disabledReason },
      country,
      default_currency: 'usd',
      email: 'studio@example.com',
      settings: { dashboard: { display_name: 'Northwind' } },
    }),
  ],
  ['GET', /^\/v1\/balance_transactions$/, listBooked],
  ['POST', /^\/v1\/customers$/, createCustomer],
  [
    'DELETE',
    /^\/v1\/customers\/(\w+)$/,
    ({ store, params: [id] }) => {
      found(store.customers.get(id!), 'customer', id!);
      store.customers.delete(id!);
      for (const method of store.methods.values()) if (method.customer === id) method.customer = null;
      return { id, object: 'customer', deleted: true };
    },
  ],
  [
    'POST',
    /^\/v1\/test_helpers\/confirmation_tokens$/,
    ({ store, fields, livemode }) =>
      makeToken(store, textIn(fields, 'payment_method') ?? '', livemode, {
        setupFutureUsage: textIn(fields, 'setup_future_usage'),
      }),
  ],
  ['GET', /^\/v1\/confirmation_tokens\/(\w+)$/, ({ store, params: [id], livemode }) => findToken(store, id!, livemode)],
  [
    'POST',
    /^\/v1\/payment_intents$/,
    asked => expanded(asked, createIntent(asked.store, asked.fields, asked.livemode, asked.rules)),
  ],
  [
    'GET',
    /^\/v1\/payment_intents$/,
    asked => {
      const list = page(asked.store.intents.values(), asked, '/v1/payment_intents', only(asked, 'customer'));
      return { ...list, data: list.data.map(intent => expanded(asked, intent)) };
    },
  ],
  ['GET', /^\/v1\/payment_intents\/search$/, asked => searchIntents(asked)],
  ['GET', /^\/v1\/payment_intents\/(\w+)$/, asked => expanded(asked, findIntent(asked.store, asked.params[0]!))],
  [
    'POST',
    /^\/v1\/payment_intents\/(\w+)\/capture$/,
    asked => expanded(asked, captureIntent(asked.store, asked.params[0]!, asked.fields)),
  ],
  [
    'POST',
    /^\/v1\/payment_intents\/(\w+)\/cancel$/,
    asked => expanded(asked, cancelIntent(asked.store, asked.params[0]!)),
  ],
  ['POST', /^\/v1\/refunds$/, createRefund],
  [
    'GET',
    /^\/v1\/refunds$/,
    asked => page(asked.store.refunds.values(), asked, '/v1/refunds', only(asked, 'payment_intent')),
  ],
  ['GET', /^\/v1\/refunds\/(\w+)$/, ({ store, params: [id] }) => found(store.refunds.get(id!), 'refund', id!)],
  [
    'GET',
    /^\/v1\/disputes$/,
    asked => page(asked.store.disputes.values(), asked, '/v1/disputes', only(asked, 'payment_intent')),
  ],
  ['POST', /^\/v1\/files$/, ({ store, fields, file }) => createFile(store, textIn(fields, 'purpose'), file)],
  ['POST', /^\/v1\/disputes\/(\w+)$/, updateDispute],
  [
    'POST',
    /^\/v1\/disputes\/(\w+)\/close$/,
    ({ store, params: [id] }) => giveUp(store, found(store.disputes.get(id!), 'Dispute', id!)),
  ],
  [
    'GET',
    /^\/v1\/radar\/early_fraud_warnings$/,
    asked =>
      page(asked.store.warnings.values(), asked, '/v1/radar/early_fraud_warnings', only(asked, 'payment_intent')),
  ],
  [
    'GET',
    /^\/v1\/payment_methods\/(\w+)$/,
    ({ store, params: [id] }) => found(store.methods.get(id!), 'PaymentMethod', id!),
  ],
  [
    'POST',
    /^\/v1\/payment_methods\/(\w+)\/detach$/,
    ({ store, params: [id] }) => {
      const method = found(store.methods.get(id!), 'PaymentMethod', id!);
      if (method.customer === null) throw invalid('The payment method is not attached to a customer.');
      return Object.assign(method, { customer: null });
    },
  ],
  ['POST', /^\/v1\/webhook_endpoints$/, createEndpoint],
  [
    'GET',
    /^\/v1\/webhook_endpoints$/,
    asked => ({
      object: 'list',
      data: endpointsOf(asked).map(shownEndpoint),
      has_more: false,
      url: '/v1/webhook_endpoints',
    }),
  ],
  [
    'DELETE',
    /^\/v1\/webhook_endpoints\/(\w+)$/,
    ({ store, params: [id] }) => {
      store.endpoints.delete(id!);
      return { id, object: 'webhook_endpoint', deleted: true };
    },
  ],
];
