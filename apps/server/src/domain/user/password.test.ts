import { verify } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { hashPassword, passwordIssue } from './password.ts';

const owner = { email: 'ada.lovelace@example.com', company: 'Northwind Games' };

test.each([
  ['', 'required'],
  ['short', 'too_short'],
  ['nine char', 'too_short'],
  ['👾👾👾👾👾👾👾👾👾', 'too_short'],
  ['x'.repeat(1_001), 'too_long'],
  ['ada.lovelace@example.com', 'password_personal'],
  ['ADA.LOVELACE', 'password_personal'],
  ['northwind games', 'password_personal'],
  ['Password123', 'password_common'],
  ['1234567890', 'password_common'],
  ['aaaaaaaaaaaa', 'password_repeated'],
  ['abcabcabcabc', 'password_repeated'],
])('%j is refused as %s', (password, code) => {
  expect(passwordIssue(password, owner)).toMatchObject({ pointer: '/password', code });
});

test.each(['ten chars!', 'orange lamp on the roof', 'пароль-из-слов', 'x9$kQ2!mPz', 'victim kettle 9932'])(
  '%j is taken',
  password => {
    expect(passwordIssue(password, owner)).toBeNull();
  },
);

test('a password is kept as argon2id with at least what OWASP asks for', async () => {
  const hashed = await hashPassword('orange lamp on the roof');
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=32768,t=3,p=1\$/);
  expect(await verify(hashed, 'orange lamp on the roof')).toBe(true);
  expect(await verify(hashed, 'orange lamp on the roof ')).toBe(false);
});

test('the same letters typed on another keyboard are the same password', async () => {
  const hashed = await hashPassword('cafe\u0301 on the roof', { memoryKib: 8, passes: 1 });
  expect(await verify(hashed, 'caf\u00e9 on the roof')).toBe(true);
});
