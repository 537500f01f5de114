import type { AuthenticatedKey } from '../../domain/game/keys/authenticate-key.ts';
import { type Allowance, addressKey, tooManyRequests } from '../../http/rate-limit.ts';
import { AppError } from '../../kit/app-error.ts';
import type { S2sGate } from './s2s-shop.ts';

/**
 * Whose key it is. One that was never right here counts as a guess before the database is asked, so that guesses sent side
 * by side are counted like those one after the other; a caller who turns out to be right gets it back.
 */
export function admitKey(
  { authenticateKey, guessLimiter }: Pick<S2sGate, 'authenticateKey' | 'guessLimiter'>,
  authorization: string | undefined,
  ip: string,
): AuthenticatedKey | Promise<AuthenticatedKey> {
  let taken: Allowance | undefined;
  const count = (): Allowance => {
    taken ??= guessLimiter.take(addressKey(ip));
    return taken;
  };
  const uncount = (): void => {
    if (taken) guessLimiter.uncount(addressKey(ip));
  };
  const judge = (key: AuthenticatedKey | null): AuthenticatedKey => {
    if (key) {
      uncount();
      return key;
    }
    const allowance = count();
    throw allowance.allowed ? new AppError('unauthorized') : tooManyRequests(allowance);
  };
  const found = authenticateKey(authorization, () => count().allowed);
  if (!(found instanceof Promise)) return judge(found);
  return found.then(judge, (error: unknown) => {
    uncount();
    throw error;
  });
}
