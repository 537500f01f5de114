import type { Issue } from '@coinslot/contract';
import type { KeyMode, KeyRules, ProviderKeys } from '../../base/provider.ts';

const SECRET = /^(?:sk|rk)_(test|live)_[A-Za-z0-9_]{6,250}$/;
const PUBLISHABLE = /^pk_(test|live)_[A-Za-z0-9_]{6,250}$/;
const CALLBACK = /^whsec_[A-Za-z0-9+/=_-]{6,250}$/;

const issue = (pointer: string, message: string): Issue => ({ pointer, code: 'pattern', message });

function issues({ secretKey, publishableKey, callbackSecret }: ProviderKeys): Issue[] {
  const found: Issue[] = [];
  if (PUBLISHABLE.test(secretKey)) {
    found.push(issue('/secret_key', 'This is a publishable key. The secret key begins with sk_ or rk_.'));
  } else if (!SECRET.test(secretKey)) {
    found.push(issue('/secret_key', 'A secret key of Stripe begins with sk_live_ or rk_live_.'));
  }
  if (SECRET.test(publishableKey)) {
    found.push(issue('/publishable_key', 'This is a secret key. The publishable key begins with pk_.'));
  } else if (!PUBLISHABLE.test(publishableKey)) {
    found.push(issue('/publishable_key', 'A publishable key of Stripe begins with pk_live_.'));
  }
  if (callbackSecret !== null && !CALLBACK.test(callbackSecret)) {
    found.push(issue('/callback_secret', 'A signing secret of Stripe begins with whsec_.'));
  }
  return found;
}

function modeOf({ secretKey, publishableKey }: ProviderKeys): KeyMode {
  const secret = SECRET.exec(secretKey)?.[1];
  const publishable = PUBLISHABLE.exec(publishableKey)?.[1];
  if (secret !== publishable) return 'mixed';
  return secret === 'test' ? 'test' : 'live';
}

export const STRIPE_KEYS: KeyRules = {
  issues,
  modeOf,
  names: { publishableKey: 'Publishable key', secretKey: 'Secret key', callbackSecret: 'Callback signing secret' },
};
