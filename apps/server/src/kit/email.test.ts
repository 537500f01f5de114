import { describe, expect, it } from 'vitest';
import { isEmail } from './email.ts';

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
