import { lookup, Resolver } from 'node:dns/promises';
import { singleFlight } from '../../../kit/concurrency.ts';

/** Every address of a host name, IPv4 and IPv6. Rejects when there is none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

export interface ResolverOptions {
  /** Name servers (`address:port`) instead of those of the system. */
  readonly servers?: readonly string[];
  /** For one try of two. */
  readonly timeoutMs?: number;
}

/**
 * Asks DNS without threads, so that a name server that never answers cannot take the thread pool from all other work.
 * Names DNS does not know (the hosts file, search domains) are then asked from the system, which does use a thread.
 * Deliveries to one host at the same time share one question.
 */
export function systemResolver(options: ResolverOptions = {}): ResolveHost {
  const resolver = new Resolver({ timeout: options.timeoutMs ?? 2000, tries: 2 });
  if (options.servers) resolver.setServers(options.servers);

  const ask = async (host: string): Promise<readonly string[]> => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    if (answers.some(answer => answer.status === 'rejected' && isTimeout(answer.reason))) {
      throw new Error(`DNS did not answer for ${host}`);
    }
    return (await lookup(host, { all: true })).map(({ address }) => address);
  };

  return singleFlight(ask);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ETIMEOUT';
}
