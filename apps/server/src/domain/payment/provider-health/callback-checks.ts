import { advice } from '@coinslot/texts/advice';
import type { Shop } from '../../shop.ts';
import { failed, fine, unknown, warning } from '../providers/base/checks.ts';
import type { Callbacks, Check, OpenedAccount, RegisteredCallback } from '../providers/base/provider.ts';

export type CallbackState = 'working' | 'secret_missing' | 'not_registered' | 'unknown';

interface Registered {
  account: OpenedAccount;
  callbacks: Callbacks;
  registered: RegisteredCallback | null;
}

export function callbackState({ account, callbacks, registered }: Registered): CallbackState {
  if (!callbacks.registration) return 'working';
  if (account.callbackSecret === null) return 'secret_missing';
  if (registered === null) return 'unknown';
  return registered.isThere && registered.missing.length === 0 ? 'working' : 'not_registered';
}

/** What was set up and does not work is a fault; what was never set up is only a loss of minutes. */
export function registrationChecks({ account, callbacks, registered }: Registered): Check[] {
  if (!callbacks.registration) return [fine('callback')];
  if (account.callbackSecret === null) return [warning('callback', advice.each('callback_secret_missing'))];
  if (registered === null) return [unknown('callback'), unknown('callback_events')];
  if (!registered.isThere) return [failed('callback', advice.each('callback_not_registered'))];
  const { missing } = registered;
  if (missing.length === 0) return [fine('callback'), fine('callback_events')];
  const fix = advice.each('callback_events_missing', { events: missing.join(', ') });
  return [fine('callback'), failed('callback_events', fix)];
}

export async function reachCheck({ publicUrl, allowTestKeys }: Shop, url: string): Promise<Check> {
  if (!publicUrl.startsWith('https://')) {
    return allowTestKeys
      ? unknown('callback_reachable')
      : failed('callback_reachable', advice.each('callback_not_https'), publicUrl);
  }
  const reached = await probeCallback(url);
  if (reached === 'ours') return fine('callback_reachable');
  return reached === 'other'
    ? failed('callback_reachable', advice.each('callback_answered_by_other', { url }))
    : warning('callback_reachable', advice.each('callback_unanswered', { url }));
}

const TIMEOUT_MS = 8_000;
const MOST_BYTES = 10_000;

/** `ours`: this program answered there. `other`: something else did. */
export type Reached = 'ours' | 'other' | 'nothing';

/** Asks the callback address from outside, as the provider does, with nothing in hand: the program refuses that by its own code. */
export async function probeCallback(url: string): Promise<Reached> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = (await answer.text()).slice(0, MOST_BYTES);
    return answer.status === 400 && text.includes('callback_refused') ? 'ours' : 'other';
  } catch {
    return 'nothing';
  }
}
