import { gunzipSync } from 'node:zlib';
import { renderCheckout, Shared } from '@coinslot/checkout-page';
import { GALLERY } from '@coinslot/checkout-page/gallery';
import { expect, test } from 'vitest';
import { packPage, takesGzip } from './pack-page.ts';

test.each(Object.entries(GALLERY))('the page "%s" is unpacked as it was, from far fewer bytes', (_, view) => {
  const { html, parts } = renderCheckout(view);
  const packed = packPage(parts);
  expect(gunzipSync(packed).toString()).toBe(html);
  expect(packed.length).toBeLessThan(Buffer.byteLength(html) / 2);
  expect(packed.length).toBeLessThan(30_000);
});

test.each([
  ['with nothing in it', ''],
  ['in every script', '<p>ü 漢 🪙</p>'],
  ['that is long', 'a longer page 🪙 '.repeat(20_000)],
])('a page %s is packed too', (_, body) => {
  const style = new Shared('<style></style>');
  expect(gunzipSync(packPage(['', style, body, style])).toString()).toBe(`${style.text}${body}${style.text}`);
});

test.each([
  ['gzip', true],
  ['br, GZIP', true],
  ['gzip;q=0.5, br', true],
  ['deflate, gzip ; q=1', true],
  ['gzip;q=0', false],
  ['gzip;q=0.0', false],
  ['br', false],
  ['x-gzip-not', false],
  ['', false],
  [undefined, false],
])('%j takes gzip: %s', (header, takes) => {
  expect(takesGzip(header)).toBe(takes);
});
