import type { CheckoutView, FormView, ItemView, OutcomeView, SellerView, Theme } from './checkout-view.ts';
import type { Language } from './languages.ts';
import type { PageHeaders } from './page-headers.ts';
import { renderCheckout } from './render-checkout.ts';

/** The states of the page that a studio can preview. */
export type PreviewState = 'ready' | 'declined' | 'waiting' | 'done' | 'rejected' | 'receipt';

/** What a studio can change about the page. */
export interface PreviewAppearance {
  language: Language;
  theme: Exclude<Theme, 'auto'>;
  gameName: string;
  gameIconUrl: string | null;
  logoUrl: string | null;
  accentColor: string | null;
  seller: SellerView;
  /** The price of the sample order, formatted. */
  total: string;
}

const PAID_ON = Date.UTC(2026, 10, 16, 12);
const ACCEPTED = ['Visa', 'Mastercard', 'Amex', 'Discover', 'JCB'];
const ADDRESS = 'mika@example.com';

const sampleItem = (price: string): ItemView => ({
  name: 'Sword of Dawn',
  description: 'Cuts through the night.',
  quantity: null,
  price,
  oldPrice: null,
  imageUrl: null,
});

function frameOf(looks: PreviewAppearance) {
  return {
    ...looks,
    chosenLanguage: null,
    base: '/c/preview',
    version: 0,
    sandbox: false,
    demo: null,
    provider: null,
    renewInSeconds: null,
    playerName: 'Mika',
    items: [sampleItem(looks.total)],
    discount: null,
    free: false,
    secure: true,
    backToGameUrl: 'https://game.example/',
    backToStoreUrl: 'https://store.example/',
  } as const;
}

type Frame = ReturnType<typeof frameOf>;

const readyView = (frame: Frame): Extract<FormView, { state: 'ready' }> => ({
  ...frame,
  state: 'ready',
  testCards: [],
  live: null,
  email: '',
  problem: null,
  problemDetail: null,
  fieldErrors: {},
  kept: {},
  lastCard: null,
  accepted: ACCEPTED,
  timeLeft: null,
});

const factsOf = ({ language }: Frame): Extract<OutcomeView, { state: 'done' }>['facts'] => ({
  orderNumber: 'ord_01kb2m3n4p5q6r7s8t9v0w1x2y',
  paidOn: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(PAID_ON),
  paidWith: 'Visa •••• 4242',
  refundedOn: null,
  hasReceipt: true,
});

const VIEWS: Record<PreviewState, (frame: Frame) => CheckoutView> = {
  ready: readyView,
  declined: frame => ({
    ...readyView(frame),
    email: ADDRESS,
    problem: 'declined',
    kept: { card_expiry: '12 / 29' },
    lastCard: 'Visa •••• 9015',
  }),
  waiting: frame => ({ ...frame, state: 'asking', mayClose: false, late: false, receiptEmail: ADDRESS }),
  done: frame => ({ ...frame, state: 'done', earlier: true, receiptEmail: ADDRESS, facts: factsOf(frame) }),
  rejected: frame => ({
    ...frame,
    state: 'rejected',
    returned: false,
    message: null,
    facts: { ...factsOf(frame), hasReceipt: false },
  }),
  receipt: frame => ({ ...frame, state: 'receipt', facts: factsOf(frame), refunded: false }),
};

const KEPT_DIRECTIVES = ['default-src', 'style-src', 'img-src', 'base-uri'];

/** Only our own pages may frame the preview, and it can neither send anything nor run script. */
function previewPolicy(policy: string): string {
  const kept = policy.split('; ').filter(directive => KEPT_DIRECTIVES.includes(directive.split(' ')[0]!));
  return [...kept, "form-action 'none'", "frame-ancestors 'self'", 'sandbox'].join('; ');
}

/** Renders the real page with a sample order and without its script, so that it cannot pay. */
export function renderPreview(state: PreviewState, looks: PreviewAppearance): { html: string; headers: PageHeaders } {
  const { html, headers } = renderCheckout(VIEWS[state](frameOf(looks)));
  return {
    html: html
      .replaceAll(/<script\b.*?<\/script>/gs, '')
      // Without script a browser would show hints that players with script never see.
      .replaceAll(/<noscript>.*?<\/noscript>/gs, '')
      .replace('<main ', '<main inert '),
    headers: {
      ...headers,
      'content-security-policy': previewPolicy(headers['content-security-policy']!),
      'x-frame-options': 'SAMEORIGIN',
    },
  };
}
