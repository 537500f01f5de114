import { ISSUES, type Issue, type IssueCode } from '@coinslot/contract';
import { hash, verify } from '@node-rs/argon2';
import { semaphore } from '../../kit/concurrency.ts';
import { weaknessOf } from './password-strength.ts';

const SHORTEST = 10;
const LONGEST = 1_000;

/** What others may know of the person who chooses a password. */
export interface PasswordOwner {
  email: string;
  name?: string | null;
  company?: string;
  game?: string;
}

export function passwordIssue(password: string, { email, name, company, game }: PasswordOwner): Issue | null {
  const issue = (code: IssueCode, message: string): Issue => ({ pointer: '/password', code, message });
  const length = Array.from(password).length;
  if (length === 0) return issue('required', 'A password is required.');
  if (length < SHORTEST) return issue('too_short', `Must have at least ${SHORTEST} characters.`);
  if (length > LONGEST) return issue('too_long', `Must have at most ${LONGEST} characters.`);
  const weakness = weaknessOf(password, [email, name ?? '', company ?? '', game ?? '']);
  return weakness && issue(weakness, ISSUES[weakness]);
}

export interface PasswordCost {
  memoryKib: number;
  passes: number;
}

/** Above what OWASP asks of argon2id (19 MiB, 2 passes), and small enough for several at once on a small machine. */
const PASSWORD_COST: PasswordCost = { memoryKib: 32_768, passes: 3 };

/** Each takes its memory and one of the few threads that the program has for such work; a flood must take neither from payments. */
const inTurn = semaphore(2);

/** argon2id, with its parameters in the text, so that they can grow. */
export const hashPassword = (password: string, cost: PasswordCost = PASSWORD_COST): Promise<string> =>
  // Keyboards write one accented letter in several ways.
  inTurn(() => hash(password.normalize('NFKC'), { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: 1 }));

/** No password has this hash: it is of users whom only their company's identity provider knows. */
export const NO_PASSWORD = 'none';

let decoy: Promise<string> | undefined;

/** Without a hash the same work is done in vain, so that the time does not show which addresses have an account. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no user has this password');
  const own = passwordHash === NO_PASSWORD ? null : passwordHash;
  const known = own ?? (await decoy);
  const isRight = await inTurn(() => verify(known, password.normalize('NFKC')));
  return own !== null && isRight;
}
