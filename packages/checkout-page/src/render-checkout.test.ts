import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { CheckoutState, CheckoutView } from './checkout-view.ts';
import { GALLERY } from './gallery.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { LIVE_SCRIPT, PAGE_SCRIPT } from './page-script.ts';
import { renderCheckout } from './render-checkout.ts';

const renderPage = (view: CheckoutView) => renderCheckout(view).html;

const ATTACK = `"'><img src=x onerror=alert(1)></title></style></script><script>alert(1)</script>{game}&amp;`;

/** Replaces every text and number of a view that comes from outside. Values from closed lists stay. */
function poison<T>(value: T, key = ''): T {
  const closed = [
    'state',
    'language',
    'chosenLanguage',
    'theme',
    'problem',
    'fieldErrors',
    'outcome',
    'missing',
    'demo',
    'takes',
    'kind',
    'by',
    // A script of ours.
    'part',
  ];
  if (closed.includes(key)) return value;
  if (typeof value === 'string') return ATTACK as T;
  if (Array.isArray(value)) return value.map(entry => poison(entry)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, poison(entry, name)])) as T;
}

const hasProvider = (view: CheckoutView): boolean => 'provider' in view && !view.sandbox && view.provider !== null;

const views: [string, CheckoutView][] = Object.entries(GALLERY);

describe.each(views)('%s', (_name, view) => {
  test('is a whole document with a title, one heading and no hole left in its texts', () => {
    const page = renderPage(view);
    expect(page).toMatch(/^<!doctype html>\n<html lang="\w+" dir="(?:ltr|rtl)" data-theme="auto">/);
    expect(page).toMatch(/<title>[^<]+<\/title>/);
    expect(page.match(/<h1>/g)).toHaveLength(1);
    const body = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
    expect(body).not.toMatch(/\{\w+\}|undefined|\[object|NaN/);
  });

  test('text from outside cannot become markup', () => {
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      const page = renderPage({ ...poison(view), language });
      expect(page.match(/<script/g)).toHaveLength(1 + Number(hasProvider(view)));
      expect(page.match(/<\/style>/g)).toHaveLength('sandbox' in view && !view.sandbox ? 2 : 1);
      expect(page).not.toContain('<img src=x');
      expect(page).not.toContain(`"'>`);
    }
  });

  test('style and script are the very bytes that the policy allows', () => {
    const { html: page, headers } = renderCheckout(view);
    const inline = [...page.matchAll(/<(?:style|script type="module")>(.*?)<\/(?:style|script)>/gs)];
    const isLive = 'sandbox' in view && !view.sandbox;
    const isAccented = 'accentColor' in view && view.accentColor !== null;
    expect(inline.length).toBe(2 + Number(isLive) + Number(isAccented) + Number(hasProvider(view)));
    for (const [, text = ''] of inline) {
      const hash = createHash('sha256').update(text).digest('base64');
      expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`);
    }
    expect(page).not.toMatch(/ style=| on\w+=/);
  });
});

test('the gallery holds every state', () => {
  const every: Record<CheckoutState, true> = {
    ready: true,
    claim: true,
    paying: true,
    checking: true,
    challenge: true,
    asking: true,
    awaiting: true,
    waiting_no_webhook: true,
    done: true,
    receipt: true,
    rejected: true,
    canceled: true,
    expired: true,
    refund_requested: true,
    refunded: true,
    disputed: true,
    charged_back: true,
    not_connected: true,
    not_found: true,
    unavailable: true,
  };
  expect(new Set(Object.values(GALLERY).map(view => view.state))).toEqual(new Set(Object.keys(every)));
});

test('the policy allows no inline code but ours, no framing and no other host for forms and script', () => {
  const policy = renderCheckout(GALLERY['ready, red accent']).headers['content-security-policy'];
  expect(policy).not.toMatch(/unsafe|\*/);
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"]) {
    expect(policy).toContain(part);
  }
});

const { ready, done, declined } = GALLERY;

test('every answer forbids framing, caching, guessing the type, being listed and telling where it came from', () => {
  for (const view of Object.values(GALLERY)) {
    expect(renderCheckout(view).headers).toMatchObject({
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
    });
  }
});

test('a color that is none changes nothing, neither page nor policy', () => {
  const odd = renderCheckout({ ...ready, accentColor: '#fff;} body { display: none }' });
  expect(odd).toEqual(renderCheckout(ready));
});

test('the language that was picked goes along with every address, and no other does', () => {
  const picked = renderPage({ ...ready, language: 'ja', chosenLanguage: 'ja' });
  expect(picked).toContain('action="/c/sample/pay?lang=ja"');
  expect(picked).toContain('data-address="/c/sample?lang=ja"');
  expect(renderPage({ ...GALLERY.asking, chosenLanguage: 'pt-BR' })).toContain(';url=/c/sample?lang=pt-BR"');
  expect(renderPage({ ...GALLERY.challenge, chosenLanguage: 'ar' })).toContain('action="/c/sample/challenge?lang=ar"');
  expect(renderPage({ ...ready, language: 'ja' })).not.toContain('?lang=ja');
});

test.each(Object.entries(LANGUAGES))('%s: every state has its page', (language, { dir }) => {
  for (const view of Object.values(GALLERY)) {
    const page = renderPage({ ...view, language: language as Language });
    expect(page).toContain(`<html lang="${language}" dir="${dir}"`);
    const body = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
    expect(body).not.toMatch(/\{\w+\}|undefined|\[object|NaN/);
  }
});

test('a first load is small in every state and language, and one request', () => {
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    for (const view of Object.values(GALLERY)) {
      const page = renderPage({ ...view, language });
      expect(gzipSync(page).length).toBeLessThan('sandbox' in view && !view.sandbox ? 15_500 : 12_500);
      expect(page).not.toMatch(/<link (?!rel="icon" href="data:)|<script [^>]*src|@import|url\(/);
    }
  }
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://x.example/1',
  'about:blank',
  '//evil.example',
  '/relative',
  '',
])('a way back that could run script or leads nowhere (%j) is left out', url => {
  const page = renderPage({ ...done, backToGameUrl: url, backToStoreUrl: url });
  expect(page).not.toContain('id="back_to_game"');
  expect(page).not.toContain('id="back_to_store"');
  expect(page).not.toContain('data-open');
  expect(page).not.toContain('http-equiv');
});

test.each(['mygame://paid?order=ord_1&x=2', 'https://game.example/back', 'intent://paid#Intent;scheme=mygame;end'])(
  'done leads to %s by button, by script and without script',
  url => {
    const page = renderPage({ ...done, backToGameUrl: url });
    const escaped = url.replaceAll('&', '&amp;');
    expect(page).toContain(`id="back_to_game" href="${escaped}"`);
    expect(page).toContain(`data-open="${escaped}"`);
    expect(page).toContain(`<noscript><meta http-equiv="refresh" content="1;url=${escaped}"></noscript>`);
  },
);

test('only a finished order opens the game by itself', () => {
  const opening = Object.values(GALLERY).filter(view => renderPage(view).includes('data-open='));
  expect(new Set(opening.map(view => view.state))).toEqual(new Set(['done']));
});

test('pages that wait reload themselves without script, the others do not', () => {
  const reloading = Object.values(GALLERY).filter(view => renderPage(view).includes(';url=/c/sample"'));
  expect(new Set(reloading.map(view => view.state))).toEqual(
    new Set(['paying', 'checking', 'asking', 'awaiting', 'waiting_no_webhook', 'refund_requested', 'unavailable']),
  );
});

const pageWith = (imageUrl: string) => renderPage({ ...done, items: done.items.map(item => ({ ...item, imageUrl })) });

test('a picture is shown from https only', () => {
  expect(pageWith('http://plain.example/a.png')).not.toContain('<img');
  expect(pageWith('https://pictures.example/a.png')).toContain('<img src="https://pictures.example/a.png" alt=""');
});

const OVER = ['refunded', 'canceled', 'expired', 'refund under way', 'disputed', 'charged back', 'rejected'] as const;

test.each(OVER)(
  '%s: the page has the order number and the date, and the method and the receipt of what was paid',
  name => {
    const view = GALLERY[name];
    const page = renderPage(view);
    expect(page).toContain(view.facts.orderNumber);
    expect(page).toContain(view.facts.paidOn);
    const isPaid = view.facts.paidWith !== null;
    expect([page.includes('Visa •••• 4242'), page.includes('href="/c/sample/receipt"')]).toEqual([isPaid, isPaid]);
    if (name === 'refunded') expect(page).toContain('<dt>Refunded</dt><dd><bdi>November 17, 2026</bdi></dd>');
  },
);

test('a saved method is one button, and all else is folded away until it is wanted or was declined', () => {
  const saved = GALLERY['ready, live, simulated, saved'];
  const [shown = '', folded = ''] = renderPage(saved).split('<details class="more">');
  expect(shown.match(/<button/g)).toHaveLength(1);
  expect(shown).toContain('value="svm_1"');
  for (const part of ['svm_2', 'apple_pay', 'card_number', 'Remove']) expect(folded).toContain(part);
  expect(renderPage({ ...saved, problem: 'declined' })).toContain('<details class="more" open>');
});

test('the icon of the game and the logo of the studio are shown', () => {
  const page = renderPage({ ...ready, gameIconUrl: 'https://p.example/i.png', logoUrl: 'https://p.example/l.png' });
  expect(page).toContain('<img src="https://p.example/i.png" alt=""');
  expect(page).toContain('<img class="logo" src="https://p.example/l.png" alt=""');
});

test('who opens a paid order later is told so, and nothing opens by itself', () => {
  const page = renderPage(GALLERY['already paid']);
  expect(page).toContain('Already paid');
  expect(page).toContain('id="back_to_game"');
  expect(page).not.toMatch(/data-open|http-equiv/);
});

test("the provider's own words are for sandbox only", () => {
  expect(renderPage(declined)).toContain('16 Payment declined');
  expect(renderPage({ ...declined, sandbox: false })).not.toContain('16 Payment declined');
});

const LIVE_VIEWS = Object.values(GALLERY).filter(view => 'sandbox' in view && !view.sandbox);
const SANDBOX_VIEWS = Object.values(GALLERY).filter(view => 'sandbox' in view && view.sandbox);

test('nothing of a provider stands in a sandbox page or its policy, whatever the view holds', () => {
  const { provider } = GALLERY['ready, live'];
  for (const view of SANDBOX_VIEWS) {
    const { html: page, headers } = renderCheckout({ ...view, provider } as CheckoutView);
    expect(page + JSON.stringify(headers)).not.toMatch(/provider\.example|pk_live|openProviderPage/i);
    expect(headers['content-security-policy']).not.toContain('frame-src');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  }
});

test('an open live page allows what its provider needs and nothing else', () => {
  const { headers } = renderCheckout(GALLERY['ready, live']);
  const policy = headers['content-security-policy'] ?? '';
  const hosts = policy.match(/https:\/\/[^ ;]+/g);
  expect(new Set(hosts)).toEqual(
    new Set(['https://js.provider.example', 'https://api.provider.example', 'https://bank.provider.example']),
  );
  expect(policy).not.toMatch(/unsafe/);
  expect(policy).toContain("form-action 'self'");
});

test('the provider’s part stands before the page’s script, and its hash in the policy', () => {
  const { html: page, headers } = renderCheckout(GALLERY['ready, live']);
  const [, part = ''] = /<script type="module">([^<]*)<\/script>\s*<script/.exec(page) ?? [];
  expect(part).toContain('openProviderPage');
  const hash = createHash('sha256').update(part).digest('base64');
  expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`);
});

test('a live page without a provider, or with its order done, allows no other place', () => {
  const closed = LIVE_VIEWS.filter(view => !('provider' in view) || view.provider === null);
  expect(closed.length).toBeGreaterThan(5);
  for (const view of closed) {
    expect(renderCheckout(view).headers['content-security-policy']).not.toMatch(/https:\/\//);
  }
});

test('a double of the provider is allowed at its own address only', () => {
  const origin = 'http://127.0.0.1:4555';
  const sources = { script: [origin], connect: [origin], frame: [origin] };
  const provider = { scriptUrl: `${origin}/v3/`, part: '', publishableKey: 'pk_test_sample', sources };
  const policy = renderCheckout({ ...GALLERY['ready, live'], provider }).headers['content-security-policy'];
  expect(policy).toContain('http://127.0.0.1:4555');
  expect(policy).not.toContain('provider.example');
});

test('without script the form says what it needs and offers what works all the same', () => {
  const page = renderPage(GALLERY['ready, live']);
  const without = /<noscript>(?!<meta)(.*?)<\/noscript>/s.exec(page)?.[1] ?? '';
  expect(without).toContain('needs JavaScript');
  expect(without).toContain('value="ideal"');
  expect(without).not.toContain('value="card"');
});

test('no field of a card stands in a page where the provider asks for it', () => {
  const [, body = ''] = renderPage(GALLERY['ready, live, Arabic']).split('<main');
  expect(body.split('</main>')[0]).not.toMatch(/card_number|card_cvc|cc-number/);
});

test('a demonstration is marked on every page of it', () => {
  for (const view of LIVE_VIEWS) {
    const page = renderPage({ ...view, language: 'en', demo: 'simulated' } as CheckoutView);
    expect(page).toContain('class="sandbox"');
    expect(page).toContain('Simulator');
  }
});

test.each([
  ['sandbox', PAGE_SCRIPT],
  ['live', LIVE_SCRIPT],
])('the files of the %s script are one program: no name is declared twice', (_mode, script) => {
  // As in a module: a plain script would let one function take the place of another.
  expect(() => new Script(`'use strict'; {${script}}`)).not.toThrow();
});

test('while a slip waits to be paid, it is the one step that stands out', () => {
  const main = renderPage(GALLERY['awaiting, voucher']);
  expect(main.match(/class="button"/g)).toHaveLength(1);
  expect(main).toMatch(/class="button plain" id="back_to_game"/);
});
