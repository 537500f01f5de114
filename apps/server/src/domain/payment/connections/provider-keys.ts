import type { Issue } from '@coinslot/contract';

export interface ProviderKeys {
  secretKey: string;
  publishableKey: string;
  callbackSecret: string | null;
}

const SECRET = /^(?:sk|rk)_(test|live)_[A-Za-z0-9_]{6,250}$/;
const PUBLISHABLE = /^pk_(test|live)_[A-Za-z0-9_]{6,250}$/;
const CALLBACK = /^whsec_[A-Za-z0-9+/=_-]{6,250}$/;

const issue = (pointer: string, message: string): Issue => ({ pointer, code: 'pattern', message });

/** What is wrong with the form of the keys; the values themselves never enter a message. */
export function keyIssues({ secretKey, publishableKey, callbackSecret }: ProviderKeys): Issue[] {
  const issues: Issue[] = [];
  if (PUBLISHABLE.test(secretKey)) {
    issues.push(issue('/secret_key', 'This is a publishable key. The secret key begins with sk_ or rk_.'));
  } else if (!SECRET.test(secretKey)) {
    issues.push(issue('/secret_key', 'A secret key of Stripe begins with sk_live_ or rk_live_.'));
  }
  if (SECRET.test(publishableKey)) {
    issues.push(issue('/publishable_key', 'This is a secret key. The publishable key begins with pk_.'));
  } else if (!PUBLISHABLE.test(publishableKey)) {
    issues.push(issue('/publishable_key', 'A publishable key of Stripe begins with pk_live_.'));
  }
  if (callbackSecret !== null && !CALLBACK.test(callbackSecret)) {
    issues.push(issue('/callback_secret', 'A signing secret of Stripe begins with whsec_.'));
  }
  return issues;
}

export type KeyMode = 'live' | 'test' | 'mixed';

/** Only for keys whose form is right. */
export function keyMode({ secretKey, publishableKey }: Pick<ProviderKeys, 'secretKey' | 'publishableKey'>): KeyMode {
  const secret = SECRET.exec(secretKey)?.[1];
  const publishable = PUBLISHABLE.exec(publishableKey)?.[1];
  if (secret !== publishable) return 'mixed';
  return secret === 'test' ? 'test' : 'live';
}

/** Why keys of this mode are not taken here; null: they are. */
export function modeProblem(mode: KeyMode, allowTest: boolean): string | null {
  if (mode === 'mixed') return 'One key is of the test mode and the other of the live mode. Both must be of the same.';
  if (mode === 'test' && !allowTest) {
    return 'These are keys of the test mode. Live takes the live keys; to try things out, use sandbox.';
  }
  return null;
}
