import { describe, expect, it } from 'vitest';
import { emailKey, isEmail } from './email.ts';

describe('e-mail addresses', () => {
  it.each([
    'a@b.co',
    'first.last+tag@sub.example.com',
    "o'brien@example.org",
    'jörg@exämple.de',
    '用户@例子.广告',
    'x@xn--bcher-kva.example',
    'player+tag@example.com',
    'jörg@müller.example',
    'मेल@उदाहरण.भारत',
  ])('%s passes', text => expect(isEmail(text)).toBe(true));

  it.each([
    '',
    'a',
    '@b.co',
    'a@',
    'a@b',
    'a@b.',
    'a@.b.co',
    'a@b..co',
    'a@-b.co',
    'a b@c.de',
    'a@b.co\r\nBcc: x@y.z',
    'a@b.co\n',
    'a@b.co ',
    '"a b"@c.de',
    'a,b@c.de',
    'a@b.co,c@d.ef',
    '<a@b.co>',
    'a@@b.co',
    'a@b@c.de',
    '.a@b.co',
    'a..b@c.de',
    'a@[127.0.0.1]',
    `${'a'.repeat(65)}@b.co`,
    'a\u200b@b.co',
    'x@localhost',
    'Name <a@b.co>',
    'a\n@b.co',
    'a@b.co\u0000',
    'a\u202e@b.co',
    `a@${'b'.repeat(300)}.co`,
    `a@${'bbbbbbbbb.'.repeat(26)}co`,
  ])('%j is refused', text => expect(isEmail(text)).toBe(false));
});

describe('the one form of an address', () => {
  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    ['ａｄａ@example.com', 'ada@example.com'],
    [' ada@example.com ', 'ada@example.com'],
    ['jo\u0308rg@example.com', 'jörg@example.com'],
    ['STRASSE@example.com', 'straße@example.com'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@ＥＸＡＭＰＬＥ。com', 'ada@example.com'],
    ['İ@example.com', 'i\u0307@example.com'],
  ])('%s is %s', (one, other) => expect(emailKey(one)).toBe(emailKey(other)));

  it('does not change when it is taken again', () => {
    for (const text of ['İıß@example.com', 'ΑΣ@example.com', 'ﬀ@example.com', 'no address'])
      expect(emailKey(emailKey(text))).toBe(emailKey(text));
  });
});
