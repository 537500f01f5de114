import { expect, it } from 'vitest';
import { parseUrl } from './parse-url.ts';

it('reads an address with letters beyond ASCII the thousandth time as the first (row 117)', () => {
  const text = 'https://bücher.example/ü';
  const hosts = Array.from({ length: 50_000 }, () => parseUrl(text)?.host);
  expect(new Set(hosts)).toEqual(new Set(['xn--bcher-kva.example']));
});

it.each(['', 'bücher.example', 'https://', 'https://a b/'])('is null for %j', text => {
  expect(parseUrl(text)).toBeNull();
});
