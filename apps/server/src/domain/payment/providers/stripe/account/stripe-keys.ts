import { reasonOf } from '@coinslot/texts/reasons';
import { keyIssues } from '../../base/problems.ts';
import type { KeyRules } from '../../base/provider.ts';

const SECRET = /^(?:sk|rk)_(test|live)_[A-Za-z0-9_]{6,250}$/;
const PUBLISHABLE = /^pk_(test|live)_[A-Za-z0-9_]{6,250}$/;
const CALLBACK = /^whsec_[A-Za-z0-9+/=_-]{6,250}$/;

export const STRIPE_KEYS: KeyRules = {
  issues: ({ secretKey, publishableKey, callbackSecret }) =>
    keyIssues(why => reasonOf('stripe.key', why), {
      secret_key: PUBLISHABLE.test(secretKey) ? 'secret_key_publishable' : !SECRET.test(secretKey) && 'secret_key',
      publishable_key: SECRET.test(publishableKey)
        ? 'publishable_key_secret'
        : !PUBLISHABLE.test(publishableKey) && 'publishable_key',
      callback_secret: callbackSecret !== null && !CALLBACK.test(callbackSecret) && 'callback_secret',
    }),
  modeOf({ secretKey, publishableKey }) {
    const [secret, publishable] = [SECRET.exec(secretKey)?.[1], PUBLISHABLE.exec(publishableKey)?.[1]];
    if (secret !== publishable) return 'mixed';
    return secret === 'test' ? 'test' : 'live';
  },
  names: { publishableKey: 'Publishable key', secretKey: 'Secret key', callbackSecret: 'Callback signing secret' },
};
