import { expect, test } from 'vitest';
import { isGuessable } from './guessable-password.ts';

test.each(
  `1234567890 0123456789 0987654321 9876543210 12345678910 1q2w3e4r5t 1qaz2wsx3edc q1w2e3r4t5 q1w2e3r4t5y6 qazwsxedcrfv
   qwertyuiop qwertyuiop123 qwerty1234 qwerty1234567890 asdfghjkl123 zxcvbnm123 abcdefghij abcd123456 password01 password123
   password12345 password2024 password2031 password!1 password!123 passwordpassword passw0rd123 p@ssw0rd123 p@$$w0rd2025
   mypassword mypassword123 iloveyou123 administrator admin123456 adminadmin1 letmein1234 letmeinnow welcome12345
   changeme123 superman123 football10 baseball123 basketball liverpool1 princess123 sunshine12 dragon1234 monkey1234
   michael123 trustno1trustno1 starwars123 pokemon123 minecraft1 gamedeveloper gamestudio123 correcthorsebatterystaple
   testtesttest test123456 defaultpassword temporary123 unbelievable summer2026! adminpassword 111222333444 qwerty_123456 123456789a a123456789 1234567890q 123456789abc iloveyou1! summer2024 passw0rd!!
   qwerty123! 147258369a 1234qwerasdf coinslot2026`.split(/\s+/),
)('%s is common', password => {
  expect(isGuessable(password)).toBe(true);
});

test.each([
  'orange lamp on the roof',
  'ten chars!',
  'пароль-из-слов',
  'x9$kq2!mpz',
  'dragon-8f2k-harbor',
  'tr0ub4dor&3xy',
])('%s is not', password => {
  expect(isGuessable(password)).toBe(false);
});

test('the longest that is let in is answered at once', () => {
  expect(isGuessable('ab'.repeat(500))).toBe(false);
});
