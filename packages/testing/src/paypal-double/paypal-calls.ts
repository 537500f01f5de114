import {
  AUTHORIZATION,
  CAPTURE,
  CUSTOMER_ID,
  DISPUTE,
  DISPUTE_FIELDS,
  EMAIL,
  EVENT,
  EVIDENCES,
  INFO,
  LINKS,
  MONEY,
  ORDER,
  REFUND,
  SOURCE,
  TIME,
  text,
  UNIT,
  URI,
  WEBHOOK,
} from './paypal-shapes.ts';
import type { Shape } from './shapes.ts';

export interface CallShape {
  /** Method and path. */
  at: RegExp;
  body?: Shape;
  /** Of the query. */
  query?: Readonly<Record<string, RegExp>>;
  answer?: Shape;
  /** The resource of an event is whatever the event is about. */
  skipsResource?: true;
}

/** The list of disputes always leads to itself. */
const SOME_LINKS: Shape = { ...LINKS, min: 1 };

const AUTH = '/v2/payments/authorizations/[A-Z0-9]+';

export const CALLS: readonly CallShape[] = [
  {
    at: /^POST \/v2\/checkout\/orders$/,
    body: {
      fields: {
        intent: ['CAPTURE', 'AUTHORIZE'],
        purchase_units: { list: { fields: UNIT, needs: ['amount'] }, min: 1, max: 10 },
        payment_source: SOURCE,
      },
      needs: ['intent', 'purchase_units'],
    },
    answer: ORDER,
  },
  { at: /^GET \/v2\/checkout\/orders\/[A-Z0-9]+$/, answer: ORDER },
  {
    at: /^POST \/v2\/checkout\/orders\/[A-Z0-9]+\/authorize$/,
    body: { fields: { payment_source: SOURCE } },
    answer: ORDER,
  },
  { at: new RegExp(`^GET ${AUTH}$`), answer: AUTHORIZATION },
  {
    at: new RegExp(`^POST ${AUTH}/capture$`),
    body: {
      fields: {
        invoice_id: text(127, 0),
        note_to_payer: text(255, 0),
        amount: MONEY,
        final_capture: 'boolean',
        soft_descriptor: text(22, 0),
      },
    },
    answer: CAPTURE,
  },
  { at: new RegExp(`^POST ${AUTH}/reauthorize$`), body: { fields: { amount: MONEY } }, answer: AUTHORIZATION },
  { at: new RegExp(`^POST ${AUTH}/void$`), answer: AUTHORIZATION },
  { at: /^GET \/v2\/payments\/captures\/[A-Z0-9]+$/, answer: CAPTURE },
  {
    at: /^POST \/v2\/payments\/captures\/[A-Z0-9]+\/refund$/,
    body: { fields: { amount: MONEY, custom_id: text(127), invoice_id: text(127), note_to_payer: text(255) } },
    answer: REFUND,
  },
  { at: /^GET \/v2\/payments\/refunds\/[A-Z0-9]+$/, answer: REFUND },
  {
    at: /^GET \/v3\/vault\/payment-tokens\/[\w-]+$/,
    answer: {
      fields: {
        id: /^[0-9a-zA-Z_-]{1,36}$/,
        customer: { fields: { id: CUSTOMER_ID } },
        payment_source: { fields: { paypal: { fields: { email_address: EMAIL } } } },
        links: LINKS,
      },
    },
  },
  { at: /^DELETE \/v3\/vault\/payment-tokens\/[\w-]+$/ },
  {
    at: /^GET \/v1\/customer\/disputes$/,
    query: {
      start_time: TIME,
      disputed_transaction_id: /^[0-9A-Z_]{1,255}$/,
      page_size: /^([1-9]|[1-4]\d|50)$/,
      next_page_token: /^[A-Za-z0-9+/=]{1,255}$/,
      dispute_state: /^[0-9A-Z_]+$/,
      update_time_before: TIME,
      update_time_after: TIME,
    },
    answer: { fields: { items: { list: { fields: DISPUTE_FIELDS }, min: 1 }, links: SOME_LINKS } },
  },
  { at: /^GET \/v1\/customer\/disputes\/[\w-]+$/, answer: DISPUTE },
  {
    at: /^POST \/v1\/customer\/disputes\/[\w-]+\/provide-evidence$/,
    body: EVIDENCES,
    answer: { fields: { links: SOME_LINKS } },
  },
  {
    at: /^POST \/v1\/customer\/disputes\/[\w-]+\/accept-claim$/,
    body: {
      fields: {
        note: text(2_000),
        accept_claim_type: ['REFUND', 'REFUND_WITH_RETURN', 'PARTIAL_REFUND', 'REFUND_WITH_RETURN_SHIPMENT_LABEL'],
        refund_amount: MONEY,
        invoice_id: text(127),
      },
      needs: ['note'],
    },
    answer: { fields: { links: SOME_LINKS } },
  },
  { at: /^GET \/v1\/notifications\/webhooks$/, answer: { fields: { webhooks: { list: WEBHOOK } } } },
  { at: /^POST \/v1\/notifications\/webhooks$/, body: WEBHOOK, answer: WEBHOOK },
  { at: /^DELETE \/v1\/notifications\/webhooks\/\w+$/ },
  {
    at: /^POST \/v1\/notifications\/verify-webhook-signature$/,
    body: {
      fields: {
        auth_algo: /^[a-zA-Z0-9]{1,100}$/,
        cert_url: URI,
        transmission_id: /^(?!\d+$)\w+\S{0,49}$/,
        transmission_sig: /^(?!\d+$)\w+\S{0,499}$/,
        transmission_time: text(100),
        webhook_id: /^[a-zA-Z0-9]{1,50}$/,
        webhook_event: EVENT,
      },
      needs: [
        'auth_algo',
        'cert_url',
        'transmission_id',
        'transmission_sig',
        'transmission_time',
        'webhook_id',
        'webhook_event',
      ],
    },
    skipsResource: true,
    answer: { fields: { verification_status: ['SUCCESS', 'FAILURE'] }, needs: ['verification_status'] },
  },
  {
    at: /^GET \/v1\/reporting\/transactions$/,
    query: {
      start_date: TIME,
      end_date: TIME,
      fields: text(500),
      page_size: /^([1-9]\d?|[1-4]\d\d|500)$/,
      page: /^[1-9]\d{0,9}$/,
    },
    answer: {
      fields: {
        transaction_details: { list: { fields: { transaction_info: INFO } }, min: 1 },
        account_number: /^[a-zA-Z0-9]{1,255}$/,
        start_date: TIME,
        end_date: TIME,
        last_refreshed_datetime: TIME,
        page: 'integer',
        total_items: 'integer',
        total_pages: 'integer',
      },
    },
  },
  {
    at: /^GET \/v1\/reporting\/balances$/,
    answer: {
      fields: {
        account_id: /^[2-9A-HJ-NP-Z]{13}$/,
        as_of_time: TIME,
        last_refresh_time: TIME,
        balances: {
          list: {
            fields: { currency: /^[A-Z]{3}$/, primary: 'boolean', total_balance: MONEY, available_balance: MONEY },
            needs: ['currency', 'total_balance'],
          },
        },
      },
    },
  },
];
