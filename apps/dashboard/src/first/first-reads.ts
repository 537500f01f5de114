import type { SessionState } from '@coinslot/contract';
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

/** What other pages read of their environment. */
const OF_GAME: Readonly<Record<string, string>> = {
  'integration/keys': 'keys',
  'integration/sandbox': 'chaos',
  'integration/webhooks': 'webhooks',
  'settings/appearance': 'appearance',
  'settings/grant-rules': 'grant-rules',
};

/** What pages read of the game's company, which the session names. */
const OF_COMPANY: Readonly<Record<string, readonly string[]>> = {
  'settings/company': [''],
  'settings/methods': ['/methods', '/providers'],
  'settings/provider': ['/providers'],
  'settings/receipts': ['/receipts'],
  'settings/team': ['/members'],
};

const SESSION = '/dashboard/api/session';

interface Place {
  readonly params: { readonly game_id: string; readonly mode: string };
  /** The page, as the router names it; empty for home. */
  readonly page: string;
}

function placeOf(path: string): Place | undefined {
  const [, game_id, mode, page = ''] = /^\/dashboard\/g\/([^/]+)\/(live|sandbox)(?:\/(.*?)\/?)?$/.exec(path) ?? [];
  return game_id !== undefined && mode !== undefined ? { params: { game_id, mode }, page } : undefined;
}

function readsOfHome({ params }: Place, search: string, now: Date): string[] {
  const query = homeQuery(new URLSearchParams(search).get('range') ?? undefined, now);
  return [
    addressOf('/dashboard/api/games/{game_id}/{mode}/home', { params, query }),
    addressOf('/dashboard/api/games/{game_id}/{mode}/checklist', { params: { ...params, mode: 'sandbox' } }),
  ];
}

/** What the page at this address will read whatever the session says; the rest depends on it. */
export function firstAddresses(path: string, search: string, now: Date): string[] {
  const place = placeOf(path);
  if (!place) return [SESSION];
  const { params, page } = place;
  if (page === '') return [SESSION, ...readsOfHome(place, search, now)];
  // What a filter asks for, its page alone knows.
  if (search !== '') return [SESSION];
  if (LISTS.includes(page)) {
    const query = { limit: PAGE_ROWS };
    return [SESSION, addressOf(`/dashboard/api/games/{game_id}/{mode}/${page}`, { params, query })];
  }
  const read = OF_GAME[page];
  return read ? [SESSION, addressOf(`/dashboard/api/games/{game_id}/{mode}/${read}`, { params })] : [SESSION];
}

/** What it will read of the company, once the session has named it. */
export function companyAddresses(
  path: string,
  search: string,
  { companies }: Pick<SessionState, 'companies'>,
): string[] {
  const place = placeOf(path);
  const company = companies.find(({ games }) => games.some(({ id }) => id === place?.params.game_id));
  if (!place || !company || search !== '') return [];
  const params = { company_id: company.id };
  return (OF_COMPANY[place.page] ?? []).map(read =>
    addressOf(`/dashboard/api/companies/{company_id}${read}`, { params }),
  );
}

/** Asks at once; what depends on the session is asked for when it has come. */
export async function askFirst(
  addresses: readonly string[],
  language: string,
  withSession: (session: SessionState) => string[],
): Promise<void> {
  const headers = { 'accept-language': language };
  const reads: FirstReads = new Map();
  globalThis.coinslotFirstReads = reads;
  const ask = (address: string): void => {
    const read = fetch(address, { credentials: 'same-origin', headers });
    // The app hears of a failure when it takes the answer; until then it is no unhandled one.
    read.catch(() => undefined);
    reads.set(address, read);
  };
  addresses.forEach(ask);
  try {
    const session = await reads.get(SESSION)?.then(answer => answer.clone().json() as Promise<SessionState>);
    if (session) withSession(session).forEach(ask);
  } catch {
    // The app reads the session too, and says what is wrong.
  }
}

/** The answer that is already under way, once; none after a change, which may have made it old. */
export function takeFirst(address: string, method = 'GET'): Promise<Response> | undefined {
  const reads = globalThis.coinslotFirstReads;
  if (method !== 'GET' || performance.now() > KEPT_MS) reads?.clear();
  const read = reads?.get(address);
  reads?.delete(address);
  return read;
}
