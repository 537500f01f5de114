import { Order } from '../orders.ts';
import { PAYMENT_STATUSES } from '../payment-statuses.ts';
import { attentionFilter, Payment } from '../payments.ts';
import { LIMITS, named, nullable, oneLine, oneOf, opaqueId, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { AttentionItem } from './attention.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { boundedPage, Count, exactly, listing, search, someOf } from './listing.ts';
import { ceremonyPart, password } from './session.ts';

const params = Type.Object({ payment_id: opaqueId('pay', 'Identifier of the payment.') });

const filters = {
  q: search(
    'Searches by the start of an order id, payment id, player id or email address, by an amount, or by the last four digits of a card.',
  ),
  status: someOf(PAYMENT_STATUSES, 'Only payments with this status.'),
  method: exactly('Only payments by this method.'),
  brand: exactly('Only cards of this brand.'),
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', description: 'Only cards of this country.' })),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'Only this currency.' })),
  amount_from: Type.Optional(Type.Integer({ minimum: 0, description: 'At least this much, in minor units.' })),
  amount_to: Type.Optional(Type.Integer({ minimum: 0, description: 'At most this much, in minor units.' })),
  response_code: exactly('Only this response code.'),
  player_id: exactly('Only payments of this player.'),
  ...attentionFilter,
};

/** The columns of a transaction in the list and the export. */
export const TRANSACTION_COLUMNS = [
  'payment_id',
  'created_at',
  'status',
  'amount',
  'currency',
  'method',
  'brand',
  'last4',
  'country',
  'player_id',
  'order_id',
  'items',
  'email',
  'response_code',
  'response_description',
  'gateway',
  'refund_reason',
  'dispute_reason',
  'disputes',
  'disputed_amount',
  'dispute_fee',
  'dispute_respond_by',
  'problem',
  'authorized_at',
  'captured_at',
  'refunded_at',
  'captured_amount',
  'returned_amount',
  'reversed_amount',
  'fee',
  'fee_currency',
] as const;
export type TransactionColumn = (typeof TRANSACTION_COLUMNS)[number];

/** Entries in the timeline of a payment or an order. */
export const TIMELINE_KINDS = [
  'order.created',
  'order.paid',
  'order.rejected',
  'order.canceled',
  'order.expired',
  'order.refunded',
  'order.disputed',
  'order.charged_back',
  'payment.pending',
  'payment.requires_action',
  'payment.authorized',
  'payment.succeeded',
  'payment.declined',
  'payment.abandoned',
  'payment.voided',
  'payment.refunded',
  'payment.disputed',
  'payment.charged_back',
  'payment.attention',
  'checkout.opened',
  /** A delivery that asks the game to grant or revoke items was created. */
  'item.add',
  'item.remove',
  /** An attempt of a delivery, with its response. */
  'item.add.attempt',
  'item.remove.attempt',
  /** A delivery finished: accepted, declined, exhausted or canceled (`status`). */
  'item.add.end',
  'item.remove.end',
  /** A dispute came, and how the bank decided. */
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
  'dispute.prevented',
  /** The provider accepted or refused the evidence in a dispute. */
  'dispute.evidence_taken',
  'dispute.evidence_refused',
  /** The studio gave the money up, and the provider took it. */
  'dispute.accepted',
  'receipt.created',
  'receipt.sent',
  /** Entries older than the operator keeps are gone. */
  'not_kept',
  /** A member did something (`action`, `actor`). */
  'person',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

export const TimelineEntry = named(
  'TimelineEntry',
  {
    at: time('When.'),
    kind: oneOf(TIMELINE_KINDS, 'What happened.'),
    payment_id: nullable(opaqueId('pay', 'The attempt it belongs to.')),
    delivery_id: nullable(opaqueId('dlv', 'The delivery, for entries about one.')),
    attempt: nullable(Type.Integer({ description: 'Which attempt, from 1.' })),
    status: nullable(
      Type.String({ description: 'HTTP status of an attempt, final status of a delivery, or status of a mail.' }),
    ),
    code: nullable(Type.String({ description: 'Response code of the provider.' })),
    detail: nullable(Type.String({ description: 'Description of the code, error of the attempt, or reason.' })),
    duration_ms: nullable(Type.Integer({ description: 'How long the attempt took.' })),
    actor: nullable(Type.String({ description: 'The member who did it, if any.' })),
    action: nullable(Type.String({ description: 'What the member did, as in the audit log.' })),
  },
  'One thing that happened.',
);
export type TimelineEntry = Static<typeof TimelineEntry>;

/** What the viewer may do, by status and role. */
export const TRANSACTION_ACTIONS = ['refund'] as const;

const RawObject = named(
  'RawObject',
  {
    name: Type.String({ description: 'What it is, such as `order` or `evt_…`.' }),
    json: Type.String({ description: 'As JSON text.' }),
  },
  'An object as stored or sent.',
);

const minor = (description: string) => Type.Integer({ description: `${description} Minor units.` });

export const TransactionMoney = named(
  'TransactionMoney',
  {
    reserved: minor('Amount reserved.'),
    captured: minor('Amount captured.'),
    returned: minor('Amount refunded.'),
    reversed: minor('Amount reversed by a bank.'),
    fee: nullable(minor('The provider’s fee; null until it is known.')),
    fee_currency: nullable(Type.String({ description: 'Currency of the fee, which is your account’s currency.' })),
  },
  'Money movements of a payment, from the double-entry ledger.',
);
export type TransactionMoney = Static<typeof TransactionMoney>;

export const RISK_SIGNS = [
  'security_code',
  'postal_code',
  'address',
  'three_d_secure',
  'payer_account',
  'seller_protection',
] as const;
export type RiskSign = (typeof RISK_SIGNS)[number];

export const RISK_RESULTS = ['passed', 'partly', 'failed', 'unchecked'] as const;
export type RiskResult = (typeof RISK_RESULTS)[number];

const AtProvider = named(
  'AtProvider',
  {
    reference: nullable(Type.String({ description: 'What the provider calls the payment, such as `pi_…`.' })),
    evidence_due_at: nullable(time('Until when the provider accepts evidence in a dispute.')),
    warning: nullable(
      Type.Object(
        {
          kind: oneOf(['fraud_warning', 'review'], 'A bank expects a dispute, or the provider asks for a look.'),
          reason: Type.String({ description: 'In the provider’s word.' }),
        },
        { description: 'What the provider or a bank suspects. No money has moved because of it.' },
      ),
    ),
    risk: nullable(
      Type.Object(
        {
          level: nullable(oneOf(['normal', 'elevated', 'highest'], 'How likely the provider thinks fraud is.')),
          score: nullable(Type.Integer({ description: 'From 0 to 100, where the provider gives one.' })),
          checks: Type.Array(
            Type.Object({
              what: oneOf(RISK_SIGNS, 'What was compared.'),
              result: oneOf(RISK_RESULTS, 'What it came to.'),
            }),
            { description: 'What the bank or the provider compared.' },
          ),
        },
        { description: 'What the provider thinks of the payer. Nothing follows from it by itself.' },
      ),
    ),
    refusal: nullable(
      Type.Object(
        {
          whose: oneOf(['bank', 'shop'], 'Whose no it is: the bank’s, or a mistake of the setup or the shop.'),
          code: Type.String({ description: 'The provider’s code.' }),
          reason: Type.String({ description: 'The same in words.' }),
          param: nullable(Type.String({ description: 'Which part of the request the provider names.' })),
          request_id: nullable(Type.String({ description: 'How the provider’s support finds the call.' })),
        },
        { description: 'The last call about this payment that the provider refused.' },
      ),
    ),
  },
  'The payment at the provider.',
);

export const TransactionDetail = named(
  'TransactionDetail',
  {
    payment: Payment,
    order: Order,
    money: nullable(TransactionMoney),
    at_provider: nullable(AtProvider),
    timeline: Type.Array(TimelineEntry, { description: 'Oldest first.' }),
    other_payments: Type.Array(Payment, { description: 'The newest other payments of the player.' }),
    actions: Type.Array(oneOf(TRANSACTION_ACTIONS, 'An available action.'), {
      description: 'Actions available to the signed-in member now.',
    }),
    needs_attention: Type.Array(AttentionItem, {
      description: 'The payment, if it needs attention, with what can be done.',
    }),
    raw: Type.Array(RawObject, { description: 'Order, payment and events.' }),
  },
  'Everything about one payment.',
);
export type TransactionDetail = Static<typeof TransactionDetail>;

export const REFUND_EFFECTS = [
  /** The payment is voided, and the player was never charged. */
  'money_released',
  /** The captured money is refunded to the player. */
  'money_returned',
  /** `item.remove` is sent, so that the game revokes the items. */
  'items_removed',
  /** The game was never asked. The delivery is canceled and nothing is sent. */
  'grant_withdrawn',
  /** No enabled endpoint receives `item.remove` now, so the delivery waits for one. */
  'removal_waits',
  /** The order was free, so no money moves. */
  'no_money',
] as const;

export const RefundPreview = named(
  'RefundPreview',
  {
    allowed: Type.Boolean({ description: 'Whether the payment can be refunded now.' }),
    refusal: nullable(Type.String({ description: 'Why not.' })),
    amount: Type.Integer({ description: 'Refund amount, in minor units. Always the full amount.' }),
    currency: Type.String(),
    effects: Type.Array(oneOf(REFUND_EFFECTS, 'What will happen.'), {
      description: 'What will happen, in this order.',
    }),
    items: Type.Array(Type.Object({ sku: Type.String(), name: nullable(Type.String()), quantity: Type.Integer() }), {
      description: 'Items that the player loses.',
    }),
    email: nullable(Type.String({ description: 'Email address of the player.' })),
  },
  'Preview of a refund.',
);
export type RefundPreview = Static<typeof RefundPreview>;

const filterValues = (description: string) =>
  Type.Array(Type.Object({ value: Type.String(), label: nullable(Type.String()) }), { description });

export const transactionEndpoints = {
  listTransactions: dashboardEndpoint({
    name: 'list_transactions',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/transactions',
    summary: 'All payments, successful or not, newest first.',
    query: Type.Object({ ...listing, ...filters }),
    response: { status: 200, description: 'One page.', schema: boundedPage('TransactionPage', Payment) },
    errors: [],
  }),
  countTransactions: dashboardEndpoint({
    name: 'count_transactions',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/transactions/count',
    summary: 'Number of payments that match a filter: exact for few, an estimate for many.',
    query: Type.Object({ created_from: listing.created_from, created_to: listing.created_to, ...filters }),
    response: { status: 200, description: 'The number.', schema: Count },
    errors: [],
  }),
  listTransactionFilters: dashboardEndpoint({
    name: 'list_transaction_filters',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/transactions/filters',
    summary: 'Existing values, for the filter menus.',
    response: {
      status: 200,
      description: 'The values.',
      schema: named(
        'TransactionFilters',
        {
          methods: filterValues('Methods.'),
          brands: filterValues('Brands.'),
          countries: filterValues('Countries.'),
          currencies: filterValues('Currencies.'),
          response_codes: filterValues('Codes of the provider, with their descriptions.'),
        },
        'Values that occur in payments.',
      ),
    },
    errors: [],
  }),
  exportTransactions: dashboardEndpoint({
    name: 'export_transactions',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/transactions/export',
    summary:
      'The complete list as CSV, with the same filters. A plain link, so that the browser saves it as a download.',
    query: Type.Object({
      created_from: listing.created_from,
      created_to: listing.created_to,
      ...filters,
      columns: someOf(TRANSACTION_COLUMNS, 'Columns to include, in this order; all when omitted.'),
    }),
    response: { status: 200, description: 'The file.', contentType: 'text/csv; charset=utf-8' },
    errors: ['rate_limited'],
  }),
  getTransaction: dashboardEndpoint({
    name: 'get_transaction',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}',
    summary: 'Everything about one payment.',
    params,
    response: { status: 200, description: 'The payment.', schema: TransactionDetail },
    errors: ['payment_not_found'],
  }),
  previewRefund: dashboardEndpoint({
    name: 'preview_refund',
    scope: 'environment',
    role: 'support',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/refund',
    summary: 'Preview a refund. Changes nothing.',
    params,
    response: { status: 200, description: 'What would happen.', schema: RefundPreview },
    errors: ['payment_not_found'],
  }),
  refundTransaction: dashboardEndpoint({
    name: 'refund_transaction',
    scope: 'environment',
    role: 'support',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/refund',
    summary: 'Refund the full amount and revoke the items. Repeating the request has no effect.',
    params,
    body: named(
      'RefundTransaction',
      {
        reason: oneLine(LIMITS.reasonChars, 'Reason, in a sentence. The game receives it.', 1),
        password: Type.Optional(
          password('The member’s password. Required in live, where real money moves, unless a passkey answers.'),
        ),
        answer: Type.Optional(ceremonyPart('What a passkey signed, in place of the password.')),
      },
      'Reason for the refund.',
    ),
    response: { status: 200, description: 'The payment as it is now.', schema: TransactionDetail },
    errors: [
      'payment_not_found',
      'order_wrong_status',
      'confirmation_required',
      'password_wrong',
      'passkey_invalid',
      'rate_limited',
    ],
  }),
};
