import { invalidArgument } from '../coinslot-error.ts';

/** The service accepts no shorter secret, so a shorter one is a mistake, and easy to guess. */
const SHORTEST_SECRET = 8;
const WHAT = 'the S2S key, or the secret of the webhook';

/** Returns the signing secrets as a list. An empty secret would accept anything that a stranger signs. */
export function secretsOf(call: string, secret: unknown): string[] {
  const secrets: unknown[] = [secret].flat();
  if (secrets.length === 0 || secrets.some(one => one === undefined || one === null || one === ''))
    throw invalidArgument(call, `secret is missing or empty: it is ${WHAT}`);
  for (const one of secrets) {
    if (typeof one !== 'string') throw invalidArgument(call, `secret must be a string or a list of them: ${WHAT}`);
    if (one.trim().length < SHORTEST_SECRET)
      throw invalidArgument(call, `secret is too short: it has at least ${SHORTEST_SECRET} characters. It is ${WHAT}`);
  }
  return secrets as string[];
}
