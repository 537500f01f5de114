import { expect, test } from 'vitest';
import { weaknessOf } from './password-strength.ts';

const COMMON = `1234567890 0987654321 12345678910 1q2w3e4r5t 1qaz2wsx3edc q1w2e3r4t5 q1w2e3r4t5y6 qazwsxedcrfv qwertyuiop
   qwertyuiop123 qwerty1234 qwerty1234567890 asdfghjkl123 zxcvbnm123 abcd123456 password01 password123
   password12345 password2024 password2031 password!1 password!123 passw0rd123 p@ssw0rd123 p@$$w0rd2025 mypassword
   mypassword123 iloveyou123 administrator admin123456 letmein1234 letmeinnow welcome12345 changeme123 superman123
   football10 baseball123 basketball liverpool1 princess123 sunshine12 dragon1234 monkey1234 michael123 starwars123
   pokemon123 minecraft1 gamedeveloper gamestudio123 correcthorsebatterystaple test123456 defaultpassword
   temporary123 unbelievable summer2026! adminpassword 111222333444 qwerty_123456 123456789a a123456789 1234567890q
   123456789abc iloveyou1! summer2024 passw0rd!! qwerty123! 147258369a 1234qwerasdf coinslot2026`;

const cases = (code: string, passwords: string): [string, string][] =>
  passwords.split(/\s+/).map(password => [password, code]);

test.each([
  ...cases('password_common', COMMON),
  ...cases('password_repeated', 'passwordpassword adminadmin1 trustno1trustno1 testtesttest'),
  ...cases('password_pattern', '0123456789 9876543210 abcdefghij tyuioplkjh dfghjkloiuytr'),
  ...cases('password_date', '17.11.2004 1987-05-04'),
  ...cases('password_personal', 'ada.lovelace1815 northwindgames! moonharbor7 harbormoon2'),
])('%s is refused for what it is: %s', (password, code) => {
  expect(weaknessOf(password, ['ada.lovelace@example.com', 'Northwind Games', 'Moon Harbor'])).toBe(code);
});

test.each([
  'orange lamp on the roof',
  'ten chars!',
  'пароль-из-слов',
  'x9$kq2!mpz',
  'dragon-8f2k-harbor',
  'tr0ub4dor&3xy',
  'victim kettle 9932',
  'seven green kettles',
  'Tulip-Radio-77-fence',
])('%s is taken', password => {
  expect(weaknessOf(password, [])).toBeNull();
});

test('a good beginning is enough, and a long text of few characters is not', () => {
  expect(weaknessOf(`orange lamp on the roof${'x'.repeat(900)}`, [])).toBeNull();
  expect(weaknessOf('ab'.repeat(500), [])).toBe('password_repeated');
});

test('the worst of the longest is answered within bounds', () => {
  for (const text of ['01', 'p@$$w0rd', '112121212122', 'aA1!', '4@8({[<369!1|0$57+%2']) {
    const before = process.cpuUsage();
    weaknessOf(text.repeat(1_000 / text.length), []);
    const { user, system } = process.cpuUsage(before);
    // Some 130 ms at most; without the bounds it is seconds.
    expect(user + system).toBeLessThan(1_000_000);
  }
});
