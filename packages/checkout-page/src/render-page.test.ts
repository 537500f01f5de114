import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CheckoutState, CheckoutView } from './checkout-view.ts';
import { GALLERY } from './gallery.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import { renderPage } from './render-page.ts';

const ATTACK = `"'><img src=x onerror=alert(1)></title></style></script><script>alert(1)</script>{game}&amp;`;

/** Every text and number of a view that comes from outside, replaced. Closed words stay, or there would be no page. */
function poison<T>(value: T, key = ''): T {
  const closed = ['state', 'language', 'theme', 'problem', 'fieldErrors', 'outcome', 'missing'];
  if (closed.includes(key)) return value;
  if (typeof value === 'string') return ATTACK as T;
  if (Array.isArray(value)) return value.map(entry => poison(entry)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, poison(entry, name)])) as T;
}

const views: [string, CheckoutView][] = Object.entries(GALLERY);

describe.each(views)('%s', (_name, view) => {
  test('is a whole document with a title, one heading and no hole left in its texts', () => {
    const page = renderPage(view);
    expect(page).toMatch(/^<!doctype html>\n<html lang="\w+" dir="ltr" data-theme="auto">/);
    expect(page).toMatch(/<title>[^<]+<\/title>/);
    expect(page.match(/<h1>/g)).toHaveLength(1);
    const body = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
    expect(body).not.toMatch(/\{\w+\}|undefined|\[object|NaN/);
  });

  test('text from outside cannot become markup', () => {
    const page = renderPage(poison(view));
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page.match(/<\/style>/g)).toHaveLength(1);
    expect(page).not.toContain('<img src=x');
    expect(page).not.toContain(`"'>`);
  });

  test('style and script are the very bytes that the policy allows', () => {
    const page = renderPage(view);
    for (const tag of [/<style>(.*?)<\/style>/s, /<script type="module">(.*?)<\/script>/s]) {
      const hash = createHash('sha256')
        .update(tag.exec(page)?.[1] ?? '')
        .digest('base64');
      expect(PAGE_HEADERS['content-security-policy']).toContain(`'sha256-${hash}'`);
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
    waiting_no_webhook: true,
    done: true,
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
  const policy = PAGE_HEADERS['content-security-policy'];
  expect(policy).not.toMatch(/unsafe|\*/);
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"]) {
    expect(policy).toContain(part);
  }
});

const { done, declined } = GALLERY;

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
    new Set(['paying', 'checking', 'asking', 'waiting_no_webhook', 'refund_requested', 'unavailable']),
  );
});

const pageWith = (imageUrl: string) => renderPage({ ...done, items: done.items.map(item => ({ ...item, imageUrl })) });

test('a picture is shown from https only', () => {
  expect(pageWith('http://plain.example/a.png')).not.toContain('<img');
  expect(pageWith('https://pictures.example/a.png')).toContain('<img src="https://pictures.example/a.png" alt=""');
});

test("the provider's own words are for sandbox only", () => {
  expect(renderPage(declined)).toContain('16 Payment declined');
  expect(renderPage({ ...declined, sandbox: false, testCards: [] })).not.toContain('16 Payment declined');
});
