import { expect, test } from 'vitest';
import { type Html, html, shared } from './html.ts';

test('every piece is escaped, in text and in quoted attributes', () => {
  const nasty = `<a href='x' title="y">&</a>`;
  expect(html`<p title="${nasty}">${nasty}</p>`.toString()).toBe(
    '<p title="&lt;a href=&#39;x&#39; title=&quot;y&quot;&gt;&amp;&lt;/a&gt;">&lt;a href=&#39;x&#39; title=&quot;y&quot;&gt;&amp;&lt;/a&gt;</p>',
  );
});

test('markup made by the tag goes in as it is, alone and in lists', () => {
  const rows = ['a<', 'b'].map(text => html`<li>${text}</li>`);
  expect(html`<ul>${rows}</ul>`.toString()).toBe('<ul><li>a&lt;</li><li>b</li></ul>');
});

test('what only looks like markup is escaped', () => {
  const fake = { toString: () => '<b>' } as unknown as Html;
  expect(html`${fake}`.toString()).toBe('&lt;b&gt;');
  expect(html`${Object.create(null, { toString: { value: () => '<b>' } }) as Html}`.toString()).toBe('&lt;b&gt;');
});

test('null and false leave nothing, zero and an empty text stay', () => {
  expect(html`[${null}${false}${0}${''}]`.toString()).toBe('[0]');
});

test('what is shared stays a piece of its own, and reads the same', () => {
  const card = shared(html`<b>${'&'}</b>`);
  const page = html`<p>${[card, html`<i>${card}</i>`]}</p>`;
  expect(page.toString()).toBe('<p><b>&amp;</b><i><b>&amp;</b></i></p>');
  const [first, second] = page.parts.filter(part => typeof part !== 'string');
  expect(first).toBeDefined();
  expect(first).toBe(second);
});
