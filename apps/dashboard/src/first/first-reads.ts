import { addressOf } from '../kit/address.ts';
import { periodDays } from '../kit/times.ts';

/** What the page asked for before the app's code arrived, by address. */
type FirstReads = Map<string, Promise<Response>>;

declare global {
  var coinslotFirstReads: FirstReads | undefined;
}

/** An answer that the app has not wanted by then belongs to a page that the member has left. */
const KEPT_MS = 20_000;

/** Minutes east of Greenwich, as the server counts days. */
export const offsetMinutes = (now: Date): number => -now.getTimezoneOffset();

/** The query of the home page, the same here and in the app, so that it finds the answer under its address. */
export const homeQuery = (range: string | undefined, now: Date) => ({
  utc_offset_minutes: offsetMinutes(now),
  ...periodDays(range, now),
});

/** How many rows a list shows at once. */
export const PAGE_ROWS = 50;

/** Lists whose first page is read from the same name as theirs. */
const LISTS: readonly string[] = ['transactions', 'orders', 'attention', 'grants', 'players', 'items'];

/** What the page at this address will read whatever the session says; the rest depends on it. */
export function firstAddresses(path: string, search: string, now: Date): string[] {
  const [, game_id, mode, rest = ''] = /^\/dashboard\/g\/([^/]+)\/(live|sandbox)(?:\/(.*))?$/.exec(path) ?? [];
  const session = '/dashboard/api/session';
  if (game_id === undefined || mode === undefined) return [session];
  // What a filter asks for, its page alone knows.
  if (LISTS.includes(rest) && search === '') {
    const request = { params: { game_id, mode }, query: { limit: PAGE_ROWS } };
    return [session, addressOf(`/dashboard/api/games/{game_id}/{mode}/${rest}`, request)];
  }
  if (rest !== '') return [session];
  const query = homeQuery(new URLSearchParams(search).get('range') ?? undefined, now);
  return [
    session,
    addressOf('/dashboard/api/games/{game_id}/{mode}/home', { params: { game_id, mode }, query }),
    addressOf('/dashboard/api/games/{game_id}/{mode}/checklist', { params: { game_id, mode: 'sandbox' } }),
  ];
}

export function askFirst(addresses: readonly string[], language: string): void {
  const headers = { 'accept-language': language };
  const reads: FirstReads = new Map();
  for (const address of addresses) {
    const read = fetch(address, { credentials: 'same-origin', headers });
    // The app hears of a failure when it takes the answer; until then it is no unhandled one.
    read.catch(() => undefined);
    reads.set(address, read);
  }
  globalThis.coinslotFirstReads = reads;
}

/** The answer that is already under way, once; none after a change, which may have made it old. */
export function takeFirst(address: string, method = 'GET'): Promise<Response> | undefined {
  const reads = globalThis.coinslotFirstReads;
  if (method !== 'GET' || performance.now() > KEPT_MS) reads?.clear();
  const read = reads?.get(address);
  reads?.delete(address);
  return read;
}
