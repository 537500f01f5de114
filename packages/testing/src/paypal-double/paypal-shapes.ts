import type { Shape } from './shapes.ts';

/**
 * PayPal's API as far as Coinslot speaks it: fields, enums, patterns and lengths of Orders v2, Payments v2, Payment method
 * tokens v3, Disputes v1, Webhooks v1 and Transaction search v1. The double holds every request to it, and its own answers.
 */
export const text = (max: number, min = 1): RegExp => new RegExp(`^[\\s\\S]{${min},${max}}$`);
export const TIME =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
export const URI = /^https?:\/\/\S+$/;
const ID = /^[A-Z0-9]{17,19}$/;
const VAULT_ID = /^[0-9a-zA-Z_-]{1,255}$/;
export const CUSTOMER_ID = /^[0-9a-zA-Z_-]{1,22}$/;
export const EMAIL = /^\S+@\S+\.\S+$/;
const COUNTRY = /^([A-Z]{2}|C2)$/;

export const MONEY = {
  fields: { currency_code: /^[A-Z]{3}$/, value: /^(?=.{1,32}$)(-?\d+|-?\d*\.\d+)$/ },
  needs: ['currency_code', 'value'],
} satisfies Shape;
export const LINKS = {
  list: {
    fields: { href: text(20_000), rel: text(100), method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'] },
    needs: ['href', 'rel'],
  },
} satisfies Shape;

const AUTHORIZATION_STATUSES = ['CREATED', 'CAPTURED', 'DENIED', 'PARTIALLY_CAPTURED', 'VOIDED', 'PENDING'];
const CAPTURE_STATUSES = ['COMPLETED', 'DECLINED', 'PARTIALLY_REFUNDED', 'PENDING', 'REFUNDED', 'FAILED'];
const REFUND_STATUSES = ['CANCELLED', 'FAILED', 'PENDING', 'COMPLETED'];
const ORDER_STATUSES = ['CREATED', 'SAVED', 'APPROVED', 'VOIDED', 'COMPLETED', 'PAYER_ACTION_REQUIRED'];

const EXPERIENCE: Shape = {
  fields: {
    brand_name: text(127),
    locale: /^(?=.{2,10}$)[a-z]{2}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/,
    shipping_preference: ['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'],
    return_url: URI,
    cancel_url: URI,
    landing_page: ['LOGIN', 'GUEST_CHECKOUT', 'NO_PREFERENCE'],
    user_action: ['CONTINUE', 'PAY_NOW'],
    payment_method_preference: ['UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED'],
  },
};
const WALLET: Shape = {
  fields: {
    vault_id: VAULT_ID,
    email_address: EMAIL,
    experience_context: EXPERIENCE,
    attributes: {
      fields: {
        customer: { fields: { id: CUSTOMER_ID, email_address: EMAIL } },
        vault: {
          fields: {
            store_in_vault: ['ON_SUCCESS'],
            description: text(128),
            usage_pattern: [
              'IMMEDIATE',
              'DEFERRED',
              'RECURRING_PREPAID',
              'RECURRING_POSTPAID',
              'THRESHOLD_PREPAID',
              'THRESHOLD_POSTPAID',
            ],
            usage_type: ['MERCHANT', 'PLATFORM'],
            customer_type: ['CONSUMER', 'BUSINESS'],
            permit_multiple_payment_tokens: 'boolean',
          },
          needs: ['usage_type'],
        },
      },
    },
  },
};
export const SOURCE: Shape = { fields: { paypal: WALLET } };
const BREAKDOWN: Shape = {
  fields: {
    item_total: MONEY,
    shipping: MONEY,
    handling: MONEY,
    tax_total: MONEY,
    insurance: MONEY,
    shipping_discount: MONEY,
    discount: MONEY,
  },
};
const ITEM: Shape = {
  fields: {
    name: text(127),
    unit_amount: MONEY,
    tax: MONEY,
    quantity: /^[1-9][0-9]{0,9}$/,
    description: text(127, 0),
    sku: text(127, 0),
    category: ['DIGITAL_GOODS', 'PHYSICAL_GOODS', 'DONATION'],
  },
  needs: ['name', 'unit_amount', 'quantity'],
};
export const UNIT = {
  reference_id: text(256),
  amount: { fields: { ...MONEY.fields, breakdown: BREAKDOWN }, needs: MONEY.needs },
  items: { list: ITEM },
  description: text(127),
  custom_id: text(127),
  invoice_id: text(127),
  soft_descriptor: text(22),
};

const RELATED: Shape = {
  fields: { related_ids: { fields: { order_id: text(20), authorization_id: text(20), capture_id: text(20) } } },
};
const COMMON = {
  id: ID,
  amount: MONEY,
  invoice_id: text(127),
  custom_id: text(127),
  links: LINKS,
  create_time: TIME,
  update_time: TIME,
};
const PROTECTION = {
  seller_protection: {
    fields: {
      status: ['ELIGIBLE', 'PARTIALLY_ELIGIBLE', 'NOT_ELIGIBLE'],
      dispute_categories: { list: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'] },
    },
  },
} satisfies Record<string, Shape>;
/** Of captures, and of reservations only within their order. */
const SIGNS = {
  ...PROTECTION,
  processor_response: { fields: { avs_code: /^(?:[A-IMNPRSUW-Z]|Null|[0-4])$/, cvv_code: /^(?:[EIMNPSUX]|[0-4])$/ } },
} satisfies Record<string, Shape>;
const HOLD = {
  ...COMMON,
  ...PROTECTION,
  status: AUTHORIZATION_STATUSES,
  status_details: { fields: { reason: ['PENDING_REVIEW'] } },
  expiration_time: TIME,
} satisfies Record<string, Shape>;
/** By itself it names what it belongs to; within an order it need not. */
export const AUTHORIZATION: Shape = { fields: { ...HOLD, supplementary_data: RELATED } };
const TAKEN = {
  ...COMMON,
  ...SIGNS,
  status: CAPTURE_STATUSES,
  status_details: {
    fields: {
      reason: [
        'BUYER_COMPLAINT',
        'CHARGEBACK',
        'ECHECK',
        'INTERNATIONAL_WITHDRAWAL',
        'OTHER',
        'PENDING_REVIEW',
        'RECEIVING_PREFERENCE_MANDATES_MANUAL_ACTION',
        'REFUNDED',
        'TRANSACTION_APPROVED_AWAITING_FUNDING',
        'UNILATERAL',
        'VERIFICATION_REQUIRED',
      ],
    },
  },
  final_capture: 'boolean',
  seller_receivable_breakdown: {
    fields: { gross_amount: MONEY, paypal_fee: MONEY, net_amount: MONEY },
    needs: ['gross_amount'],
  },
} satisfies Record<string, Shape>;
export const CAPTURE: Shape = { fields: { ...TAKEN, supplementary_data: RELATED } };
export const REFUND: Shape = {
  fields: {
    ...COMMON,
    custom_id: /^[A-Za-z0-9\-_.,]{1,127}$/,
    status: REFUND_STATUSES,
    status_details: { fields: { reason: ['ECHECK'] } },
  },
};
export const ORDER: Shape = {
  fields: {
    id: ID,
    status: ORDER_STATUSES,
    intent: ['CAPTURE', 'AUTHORIZE'],
    create_time: TIME,
    update_time: TIME,
    links: LINKS,
    payment_source: {
      fields: {
        paypal: {
          fields: {
            email_address: EMAIL,
            account_id: /^[2-9A-HJ-NP-Z]{13}$/,
            account_status: ['VERIFIED', 'UNVERIFIED'],
            address: { fields: { country_code: COUNTRY }, needs: ['country_code'] },
            attributes: {
              fields: {
                vault: {
                  fields: {
                    id: text(255),
                    status: ['VAULTED', 'CREATED', 'APPROVED'],
                    customer: { fields: { id: CUSTOMER_ID } },
                    links: LINKS,
                  },
                },
              },
            },
          },
        },
      },
    },
    purchase_units: {
      list: {
        fields: {
          ...UNIT,
          payments: {
            fields: {
              authorizations: { list: { fields: { ...HOLD, ...SIGNS } } },
              captures: { list: { fields: TAKEN } },
              refunds: { list: REFUND },
            },
          },
        },
      },
    },
  },
};

export const DISPUTE_FIELDS = {
  dispute_id: /^[A-Za-z0-9-]{1,255}$/,
  create_time: TIME,
  update_time: TIME,
  reason: [
    'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    'MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED',
    'UNAUTHORISED',
    'CREDIT_NOT_PROCESSED',
    'DUPLICATE_TRANSACTION',
    'INCORRECT_AMOUNT',
    'PAYMENT_BY_OTHER_MEANS',
    'CANCELED_RECURRING_BILLING',
    'PROBLEM_WITH_REMITTANCE',
    'OTHER',
  ],
  status: ['OPEN', 'WAITING_FOR_BUYER_RESPONSE', 'WAITING_FOR_SELLER_RESPONSE', 'UNDER_REVIEW', 'RESOLVED', 'OTHER'],
  dispute_amount: MONEY,
  dispute_life_cycle_stage: ['INQUIRY', 'CHARGEBACK', 'PRE_ARBITRATION', 'ARBITRATION'],
  seller_response_due_date: TIME,
  links: LINKS,
} satisfies Record<string, Shape>;
const EVIDENCE_FIELDS = {
  evidence_type: [
    'PROOF_OF_FULFILLMENT',
    'PROOF_OF_REFUND',
    'PROOF_OF_RECEIPT_COPY',
    'ITEM_DESCRIPTION',
    'PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED',
    'MERCHANT_RESPONSE',
    'ORDER_DETAILS',
    'OTHER',
  ],
  notes: text(2_000),
  documents: { list: { fields: { name: /^[A-Za-z0-9-_,\s]+[.][A-Za-z]+$/ } }, min: 1, max: 100 },
} satisfies Record<string, Shape>;
/** The one part of the form that is not a file. */
export const EVIDENCES: Shape = {
  fields: {
    input: {
      fields: { evidences: { list: { fields: EVIDENCE_FIELDS, needs: ['evidence_type'] }, min: 1, max: 100 } },
      needs: ['evidences'],
    },
  },
  needs: ['input'],
};
export const DISPUTE: Shape = {
  fields: {
    ...DISPUTE_FIELDS,
    external_reason_code: text(2_000),
    money_movements: {
      list: {
        fields: {
          affected_party: ['SELLER', 'BUYER'],
          amount: MONEY,
          initiated_time: TIME,
          type: ['DEBIT', 'CREDIT'],
          reason: text(2_000),
        },
      },
    },
    evidences: { list: { fields: { ...EVIDENCE_FIELDS, source: ['SUBMITTED_BY_BUYER', 'SUBMITTED_BY_SELLER'] } } },
    disputed_transactions: {
      list: { fields: { seller_transaction_id: /^[A-Za-z0-9-]{1,255}$/, custom: text(2_000), gross_amount: MONEY } },
    },
    dispute_outcome: {
      fields: {
        outcome_code: [
          'RESOLVED_BUYER_FAVOUR',
          'RESOLVED_SELLER_FAVOUR',
          'RESOLVED_WITH_PAYOUT',
          'CANCELED_BY_BUYER',
          'ACCEPTED',
          'DENIED',
          'NONE',
        ],
      },
    },
  },
};

export const WEBHOOK: Shape = {
  fields: {
    id: text(50),
    url: URI,
    event_types: { list: { fields: { name: text(100) }, needs: ['name'] } },
    links: LINKS,
  },
  needs: ['url', 'event_types'],
};
export const INFO: Shape = {
  fields: {
    transaction_id: /^[a-zA-Z0-9]{1,24}$/,
    paypal_reference_id: /^[a-zA-Z0-9]{1,24}$/,
    paypal_reference_id_type: ['ODR', 'TXN', 'SUB', 'PAP'],
    transaction_event_code: /^[a-zA-Z0-9]{1,5}$/,
    transaction_initiation_date: TIME,
    transaction_updated_date: TIME,
    transaction_amount: MONEY,
    fee_amount: MONEY,
    transaction_status: /^[DPSV]$/,
    invoice_id: /^[a-zA-Z0-9_'\-., ":;!?]{1,127}$/,
    custom_field: /^[a-zA-Z0-9_'\-., ":;!?]{1,127}$/,
  },
};
export const EVENT: Shape = {
  fields: {
    id: text(100),
    create_time: TIME,
    resource_type: text(100),
    event_version: /^\d+\.\d+$/,
    event_type: text(100),
    summary: text(1_000),
    resource_version: /^\d+\.\d+$/,
    resource: { fields: {} },
    links: LINKS,
  },
};
