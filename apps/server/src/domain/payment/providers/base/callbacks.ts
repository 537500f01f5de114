import type { ProviderFault } from './fault.ts';
import type { CallbackRequest, Callbacks, OpenedAccount } from './provider.ts';

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/** An id or a word of a stranger's body: never longer than a column takes. */
export const shortText = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= 255 ? value : null;

/** Null: not an object of JSON. */
export function bodyOf(body: Buffer): Json | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function headerOf({ headers }: CallbackRequest, name: string): string {
  const header = headers[name];
  return Array.isArray(header) ? header.join(',') : (header ?? '');
}

export interface RegisteredAddress {
  id: string;
  url: string;
  /** `*` is all of them. */
  events: readonly string[];
  /** It is registered but switched off, so nothing is sent. */
  isOff?: boolean;
}

export interface Registrar {
  events: readonly string[];
  faultOf(error: unknown): ProviderFault | null;
  list(account: OpenedAccount): Promise<RegisteredAddress[]>;
  /** Has the provider send to the address, given what it sends there already; returns what callbacks are verified with. */
  add(account: OpenedAccount, url: string, there: readonly RegisteredAddress[]): Promise<string>;
}

export function missingEvents(events: readonly string[], there: readonly RegisteredAddress[]): string[] {
  const sent = new Set(there.flatMap(address => address.events));
  return sent.has('*') ? [] : events.filter(event => !sent.has(event));
}

export function createRegistration(registrar: Registrar): Required<Pick<Callbacks, 'events' | 'registration'>> {
  const { events, faultOf } = registrar;
  const listAt = async (account: OpenedAccount, url: string): Promise<RegisteredAddress[]> =>
    (await registrar.list(account)).filter(address => address.url === url);
  return {
    events,
    registration: {
      async register(account, url) {
        try {
          return { secret: await registrar.add(account, url, await listAt(account, url)) };
        } catch (error) {
          const fault = faultOf(error);
          if (!fault) throw error;
          return fault.asAccountProblem();
        }
      },
      async findRegistered(account, url) {
        try {
          const there = (await listAt(account, url)).filter(({ isOff }) => !isOff);
          return { isThere: there.length > 0, missing: missingEvents(events, there) };
        } catch {
          // A restricted key need not be allowed to look.
          return null;
        }
      },
    },
  };
}
