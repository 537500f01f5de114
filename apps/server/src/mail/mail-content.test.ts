import { expect, it } from 'vitest';
import { oneLine } from './mail-content.ts';

it('one line has no break, no control character and nothing that turns the reading direction (row 64)', () => {
  expect(oneLine('Receipt\r\nBcc: a@b.c\u2028x\u202ey\u0000')).toBe('Receipt Bcc: a@b.c x y');
});
