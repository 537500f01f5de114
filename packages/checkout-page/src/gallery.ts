import type { CheckoutView, FormView, ItemView, LiveForm, OutcomeView, TestCard } from './checkout-view.ts';

const CARDS: TestCard[] = [
  { number: '4242 4242 4242 4242', outcome: 'pays', note: 'Visa, GB' },
  { number: '3700 0000 0000 002', outcome: 'pays', note: 'American Express, US' },
  { number: '4832 2850 6160 9015', outcome: 'declined', note: '16 Payment declined' },
  { number: '4224 7030 8257 5813', outcome: 'challenge', note: 'Visa, GB' },
  { number: '4000 0000 0000 0267', outcome: 'dispute_lost', note: 'Visa, US' },
  { number: '4000 0000 0000 2685', outcome: 'dispute_won', note: 'Visa, US' },
];

const GEMS: ItemView = {
  name: 'Chest of 1,200 gems',
  description: 'With 200 gems on top for the harvest festival.',
  quantity: null,
  price: '$4.99',
  oldPrice: '$7.99',
  imageUrl: null,
};

const BASKET_TOTAL = '$1,000,016.97';
const BASKET: ItemView[] = [
  GEMS,
  {
    name: 'Fox of the northern lights',
    description: null,
    quantity: '2',
    price: '$11.98',
    oldPrice: null,
    imageUrl: null,
  },
  {
    name: 'Donaudampfschifffahrtsgesellschaftskapitänsmütze',
    description:
      'A hat with a long name and an even longer description, which no reader has ever finished without falling asleep.',
    quantity: '1,000,000',
    price: '$1,000,000.00',
    oldPrice: null,
    imageUrl: null,
  },
];

const FRAME = { language: 'en', chosenLanguage: null, theme: 'auto', base: '/c/sample' } as const;

const ORDER = {
  ...FRAME,
  version: 3,
  sandbox: true,
  demo: null,
  provider: null,
  gameName: 'Tiny Harvest',
  gameIconUrl: null,
  logoUrl: null,
  accentColor: null,
  renewInSeconds: null,
  playerName: 'Mika',
  items: [GEMS],
  total: '$4.99',
  discount: null,
  free: false,
  seller: {
    name: 'Northlight Games GmbH',
    supportUrl: 'mailto:help@northlight.example',
    termsUrl: 'https://northlight.example/terms',
    privacyUrl: 'https://northlight.example/privacy',
    refundUrl: 'https://northlight.example/refunds',
    address: 'Hafenstraße 7, 20359 Hamburg, DE',
    registrationNumber: 'HRB 12345',
    taxNumber: 'DE123456789',
  },
  secure: true,
  backToGameUrl: 'tinyharvest://paid?order=ord_sample',
  backToStoreUrl: 'https://store.example/gems',
} as const;

const FORM = {
  ...ORDER,
  email: '',
  problem: null,
  problemDetail: null,
  fieldErrors: {},
  kept: {},
  lastCard: null,
  accepted: ['Visa', 'Mastercard', 'Amex', 'Discover', 'JCB'],
  timeLeft: null,
} as const;

const READY: Extract<FormView, { state: 'ready' }> = { ...FORM, state: 'ready', testCards: CARDS, live: null };

const PROVIDER = {
  scriptUrl: 'https://js.provider.example/form.js',
  part: 'globalThis.openProviderPage=()=>({mount(){},unmount(){},setSaveMode(){},submit:()=>null,async confirm(){}})',
  publishableKey: 'pk_live_sample',
  sources: {
    script: ['https://js.provider.example'],
    connect: ['https://api.provider.example'],
    frame: ['https://js.provider.example', 'https://bank.provider.example'],
  },
};

const BY_PROVIDER: LiveForm = {
  methods: [
    { id: 'ideal', name: 'iDEAL', takes: 'at_once', charges: 'first' },
    { id: 'paypal', name: 'PayPal', takes: 'at_once', charges: 'after' },
  ],
  wallets: [],
  saved: [],
  offersSaving: true,
  notRefundable: [],
  form: {
    amount: 499,
    currency: 'eur',
    types: ['ideal', 'card', 'paypal'],
    order: ['ideal', 'card', 'apple_pay', 'google_pay', 'paypal'],
    savable: { card: 'on_session' },
    charges: { ideal: 'first' },
  },
};

const SIMULATED: LiveForm = {
  methods: [
    { id: 'card', name: 'Card', takes: 'at_once', charges: 'after' },
    { id: 'paypal', name: 'PayPal', takes: 'at_once', charges: 'after' },
    { id: 'multibanco', name: 'Multibanco', takes: 'days', charges: 'first' },
    { id: 'pix', name: 'Pix', takes: 'minutes', charges: 'first' },
  ],
  wallets: [
    { id: 'apple_pay', name: 'Apple Pay', takes: 'at_once', charges: 'after' },
    { id: 'google_pay', name: 'Google Pay', takes: 'at_once', charges: 'after' },
  ],
  saved: [],
  offersSaving: true,
  notRefundable: [],
  form: null,
};

const SAVED = [
  { id: 'svm_1', name: 'Visa ••••\u00a04242', email: 'mika@example.com' },
  { id: 'svm_2', name: 'Mastercard ••••\u00a06884', email: null },
];

const LIVE = { ...READY, sandbox: false, testCards: [], provider: PROVIDER, live: BY_PROVIDER } as const;

const AWAITING = {
  ...ORDER,
  sandbox: false,
  state: 'awaiting',
  kind: 'voucher',
  method: 'Multibanco',
  reference: '12345 999 999 999',
  until: 'November 18, 2026',
  slipUrl: 'https://provider.example/multibanco/voucher/sample',
  refundable: true,
  receiptEmail: 'mika@example.com',
} as const;

const DECLINED: Extract<FormView, { state: 'ready' }> = {
  ...READY,
  email: 'mika@example.com',
  problem: 'declined',
  problemDetail: '16 Payment declined',
  kept: { card_expiry: '12 / 29', postal_code: '20359' },
  lastCard: 'Visa •••• 9015',
};

const FIELD_ERRORS: FormView = {
  ...READY,
  email: 'mika@',
  problem: 'check_fields',
  fieldErrors: {
    email: 'email_invalid',
    card_number: 'card_number_invalid',
    card_expiry: 'card_expiry_past',
    card_cvc: 'card_cvc_required',
    postal_code: 'postal_code_required',
  },
};

const DONE: Extract<OutcomeView, { state: 'done' }> = {
  ...ORDER,
  state: 'done',
  earlier: false,
  receiptEmail: 'mika@example.com',
  facts: {
    orderNumber: 'ord_01kb2m3n4p5q6r7s8t9v0w1x2y',
    paidOn: 'November 16, 2026',
    paidWith: 'Visa •••• 4242',
    refundedOn: null,
    hasReceipt: true,
  },
};

const UNPAID = { ...DONE.facts, paidWith: null, hasReceipt: false };
const REFUNDED = { ...DONE.facts, refundedOn: 'November 17, 2026' };

const ASKING: Extract<OutcomeView, { state: 'asking' }> = {
  ...ORDER,
  state: 'asking',
  mayClose: false,
  late: false,
  receiptEmail: 'mika@example.com',
};

/** Samples of every state and its variants, for tests and the gallery page. */
export const GALLERY = {
  ready: READY,
  'ready, live, little time': {
    ...LIVE,
    demo: 'test',
    problem: 'provider_keys',
    timeLeft: '12 minutes',
    renewInSeconds: 754,
  },
  'ready, live': LIVE,
  'ready, live, Arabic': { ...LIVE, language: 'ar', live: { ...BY_PROVIDER, saved: SAVED } },
  'ready, live, simulated, saved': {
    ...READY,
    sandbox: false,
    demo: 'simulated',
    live: { ...SIMULATED, saved: SAVED },
  },
  'ready, live, simulated, not refundable': {
    ...READY,
    sandbox: false,
    demo: 'simulated',
    items: [{ ...GEMS, price: 'MX$89.00', oldPrice: 'MX$139.00' }],
    total: 'MX$89.00',
    live: {
      ...SIMULATED,
      methods: [
        { id: 'card', name: 'Card', takes: 'at_once', charges: 'after' },
        { id: 'oxxo', name: 'OXXO', takes: 'days', charges: 'for_good' },
      ],
      notRefundable: ['OXXO'],
    },
  },
  'ready, many items': { ...READY, items: BASKET, total: BASKET_TOTAL },
  'ready, discount': { ...READY, items: [GEMS, { ...GEMS, name: 'Fox' }], total: '$7.00', discount: '−$2.98' },
  'ready, German': { ...READY, language: 'de', chosenLanguage: 'de', total: '4,99 €' },
  'ready, Arabic': { ...READY, language: 'ar', total: '\u200f4.99\u00a0US$\u200e' },
  'ready, red accent': { ...READY, accentColor: '#c8102e' },
  'ready, pale accent': { ...READY, accentColor: '#fafafa' },
  declined: DECLINED,
  'wrong fields': FIELD_ERRORS,
  claim: { ...FORM, state: 'claim', free: true, accepted: [], total: '$0.00', items: [{ ...GEMS, price: '$0.00' }] },
  paying: { ...ORDER, state: 'paying', slow: false },
  'paying, slow': { ...ORDER, state: 'paying', slow: true },
  checking: { ...ORDER, state: 'checking' },
  challenge: { ...ORDER, state: 'challenge', by: 'simulator' },
  'challenge, live': { ...ORDER, sandbox: false, provider: PROVIDER, state: 'challenge', by: 'provider' },
  'awaiting, voucher': AWAITING,
  'awaiting, not refundable': { ...AWAITING, method: 'OXXO', refundable: false },
  'awaiting, debit': { ...AWAITING, kind: 'debit', method: 'SEPA', reference: null, until: null, slipUrl: null },
  asking: ASKING,
  'asking, free': { ...ASKING, free: true, total: '$0.00', receiptEmail: null },
  'asking, may close': { ...ASKING, mayClose: true },
  'asking, late': { ...ASKING, mayClose: true, late: true },
  'asking, late, free': { ...ASKING, mayClose: true, late: true, free: true, receiptEmail: null },
  'waiting, no webhook': { ...ORDER, state: 'waiting_no_webhook', receiptEmail: 'mika@example.com' },
  done: DONE,
  'done, many items, no way back': {
    ...DONE,
    items: BASKET,
    total: BASKET_TOTAL,
    backToGameUrl: null,
    backToStoreUrl: null,
  },
  'already paid': { ...DONE, earlier: true },
  'done, blue accent': { ...DONE, accentColor: '#1d4ed8' },
  'done, Arabic': { ...DONE, language: 'ar', total: '\u200f4.99\u00a0US$\u200e' },
  rejected: { ...ORDER, state: 'rejected', returned: false, message: null, facts: UNPAID },
  'rejected, with words': {
    ...ORDER,
    state: 'rejected',
    returned: false,
    message: 'Your inventory is full. Make room and buy again.',
    facts: UNPAID,
  },
  receipt: { ...ORDER, state: 'receipt', facts: DONE.facts, refunded: false },
  'receipt, refunded': {
    ...ORDER,
    state: 'receipt',
    facts: REFUNDED,
    refunded: true,
    items: BASKET,
    total: BASKET_TOTAL,
  },
  'declined, live, simulated': { ...DECLINED, sandbox: false, demo: 'simulated', live: SIMULATED },
  'declined, live, simulated, saved': {
    ...DECLINED,
    sandbox: false,
    demo: 'simulated',
    live: { ...SIMULATED, saved: SAVED },
  },
  'ready, very many items': { ...READY, items: [...BASKET, ...BASKET, ...BASKET], total: '$3,000,050.91' },
  'rejected, refund refused': {
    ...ORDER,
    sandbox: false,
    state: 'rejected',
    returned: true,
    owed: true,
    message: null,
    facts: UNPAID,
  },
  'rejected, captured first': {
    ...ORDER,
    sandbox: false,
    state: 'rejected',
    returned: true,
    message: null,
    facts: UNPAID,
  },
  canceled: { ...ORDER, state: 'canceled', facts: UNPAID },
  expired: { ...ORDER, state: 'expired', backToGameUrl: null, facts: UNPAID },
  'refund under way': { ...ORDER, state: 'refund_requested', facts: DONE.facts },
  refunded: { ...ORDER, state: 'refunded', facts: REFUNDED },
  disputed: { ...ORDER, state: 'disputed', facts: DONE.facts },
  'charged back': { ...ORDER, state: 'charged_back', facts: DONE.facts },
  'not connected, no provider': { ...ORDER, sandbox: false, state: 'not_connected', missing: 'provider' },
  'not connected, currency': { ...ORDER, sandbox: false, state: 'not_connected', missing: 'currency' },
  'not connected, amount': { ...ORDER, sandbox: false, state: 'not_connected', missing: 'amount_low' },
  'not connected, no webhook': { ...ORDER, sandbox: false, state: 'not_connected', missing: 'webhook' },
  'not found': { ...FRAME, state: 'not_found' },
  unavailable: { ...FRAME, state: 'unavailable' },
} satisfies Record<string, CheckoutView>;
