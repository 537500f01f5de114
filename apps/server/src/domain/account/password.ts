import type { Issue } from '@coinslot/contract';
import { hash } from '@node-rs/argon2';

const SHORTEST = 10;
const LONGEST = 1_000;

/** Of the passwords that lists of leaks begin with, those that are long enough to pass otherwise. */
const COMMON: ReadonlySet<string> = new Set(
  `1234567890 0123456789 0987654321 9876543210 12345678910 123456789a a123456789 a1234567890 1234567890a 123456789q
   1q2w3e4r5t 1qaz2wsx3edc 1qazxsw23edc q1w2e3r4t5 q1w2e3r4t5y6 1q2w3e4r5t6y zaq12wsxcde3 qazwsxedcrfv qwertyuiop
   qwertyuiop123 qwerty1234 qwerty12345 qwerty123456 qwerty1234567890 asdfghjkl1 asdfghjkl123 zxcvbnm123 abcdefghij
   abcdefghijk abcd123456 abc1234567 abc123456789 password01 password11 password12 password123 password1234
   password12345 password123456 password2024 password2025 password2026 password!1 password!123 passwordpassword
   passw0rd12 passw0rd123 passw0rd1234 p@ssw0rd12 p@ssw0rd123 p@ssword123 mypassword mypassword1 mypassword123
   iloveyou12 iloveyou123 iloveyou1234 administrator admin12345 admin123456 admin1234567 adminadmin adminadmin1
   letmein123 letmein1234 letmeinnow welcome123 welcome1234 welcome12345 changeme12 changeme123 changemenow
   superman123 batman12345 football10 football123 baseball10 baseball123 basketball basketball1 liverpool1 princess12
   princess123 sunshine12 sunshine123 dragon1234 monkey1234 michael123 charlie123 trustno1trustno1 starwars123
   pokemon123 minecraft1 minecraft123 gamedeveloper gamestudio123 secretpassword correcthorsebatterystaple
   testtesttest test123456 test1234567 testpassword defaultpassword temporary123 unbelievable`.split(/\s+/),
);

const isRepetition = (text: string): boolean => /^(.{1,4})\1+$/u.test(text);

const weak = (message: string): Issue => ({ pointer: '/password', code: 'password_weak', message });

/** What is wrong with a password, given what else is known about its owner. */
export function passwordIssue(password: string, owner: { email: string; company: string }): Issue | null {
  const length = Array.from(password).length;
  if (length === 0) return { pointer: '/password', code: 'required', message: 'A password is required.' };
  if (length < SHORTEST) {
    return { pointer: '/password', code: 'too_short', message: `Must have at least ${SHORTEST} characters.` };
  }
  if (length > LONGEST) {
    return { pointer: '/password', code: 'too_long', message: `Must have at most ${LONGEST} characters.` };
  }
  const folded = password.toLowerCase();
  const known = [owner.email, owner.email.split('@')[0]!, owner.company].map(text => text.trim().toLowerCase());
  if (known.includes(folded.trim())) return weak('Must not be the e-mail address or the name of the company.');
  if (COMMON.has(folded)) return weak('This password is on every list of common passwords.');
  if (isRepetition(folded)) return weak('Must not be the same few characters again and again.');
  return null;
}

export interface PasswordCost {
  memoryKib: number;
  passes: number;
}

/** Above what OWASP asks of argon2id (19 MiB, 2 passes), and small enough for several at once on a small machine. */
const PASSWORD_COST: PasswordCost = { memoryKib: 32_768, passes: 3 };

/** argon2id, with its parameters in the text, so that they can grow. */
export const hashPassword = (password: string, cost: PasswordCost = PASSWORD_COST): Promise<string> =>
  // Keyboards write one accented letter in several ways.
  hash(password.normalize('NFKC'), { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: 1 });
