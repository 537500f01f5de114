import { expect, it } from 'vitest';
import { isMailAddress } from './address.ts';
import { oneLine } from './one-line.ts';

it.each([
  'a@b.c',
  'player+tag@example.com',
  'o’neil@example.com',
  'x@localhost',
  'jörg@müller.example',
  '用户@例子.公司',
  'मेल@उदाहरण.भारत',
])('%s is a mail address', text => expect(isMailAddress(text)).toBe(true));

it.each([
  '',
  'a',
  '@b.c',
  'a@',
  'a b@c.d',
  'a@b c.d',
  'a@b..c',
  'a@.b',
  'a@-b.c',
  'a@[127.0.0.1]',
  'a@b.c, d@e.f',
  'Name <a@b.c>',
  '"a b"@c.d',
  'a@b.c\r\nBcc: d@e.f',
  'a\n@b.c',
  'a@b.c\u0000',
  'a\u202e@b.c',
  `${'a'.repeat(65)}@b.c`,
  `a@${'b'.repeat(300)}.c`,
])('%j is not one mail address', text => expect(isMailAddress(text)).toBe(false));

it('one line has no break, no control character and nothing that turns the reading direction (row 64)', () => {
  expect(oneLine('Receipt\r\nBcc: a@b.c\u2028x\u202ey\u0000')).toBe('Receipt Bcc: a@b.c x y');
});
