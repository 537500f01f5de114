import type { SessionState } from '@coinslot/contract';
import { addressOf } from '../kit/address.ts';
import { periodDays } from '../kit/times.ts';

/** The requests that were sent before the app's code arrived, by address. */
type EarlyReads = Map<string, Promise<Response>>;

declare global {
  var coinslotEarlyReads: EarlyReads | undefined;
}

/** If the app has not asked for an answer by then, the member has already left that page. */
const USABLE_MS = 20_000;

/** The server counts days by this offset: minutes east of UTC. */
const offsetMinutes = (now: Date): number => -now.getTimezoneOffset();

/** The bootstrap script and the home page share this query, so that the page finds its early answer by the address. */
export const homeQuery = (range: string | undefined, now: Date) => ({
  utc_offset_minutes: offsetMinutes(now),
  ...periodDays(range, now),
});

export const PAGE_ROWS = 50;

/** These lists have an endpoint of the same name as their page. */
const LISTS: readonly string[] = ['transactions', 'orders', 'attention', 'grants', 'players', 'items'];

/** Page → what it reads about its game. */
const GAME_READS: Readonly<Record<string, string>> = {
  'integration/keys': 'keys',
  'integration/sandbox': 'chaos',
  'integration/webhooks': 'webhooks',
  'settings/appearance': 'appearance',
  'settings/grant-rules': 'grant-rules',
};

/** Page → what it reads about the game's company. The session has to name the company first. */
const COMPANY_READS: Readonly<Record<string, readonly string[]>> = {
  'settings/company': [''],
  'settings/methods': ['/methods', '/providers'],
  'settings/provider': ['/providers'],
  'settings/receipts': ['/receipts', '/mails'],
  'settings/team': ['/members'],
};

const SESSION = '/dashboard/api/session';

interface GamePath {
  readonly params: { readonly game_id: string; readonly mode: string };
  /** The path inside the game, as the router writes it. Empty for home. */
  readonly page: string;
}

function gamePathOf(path: string): GamePath | undefined {
  const [, game_id, mode, page = ''] = /^\/dashboard\/g\/([^/]+)\/(live|sandbox)(?:\/(.*?)\/?)?$/.exec(path) ?? [];
  return game_id !== undefined && mode !== undefined ? { params: { game_id, mode }, page } : undefined;
}

function homeAddresses({ params }: GamePath, search: string, now: Date): string[] {
  const query = homeQuery(new URLSearchParams(search).get('range') ?? undefined, now);
  return [
    addressOf('/dashboard/api/games/{game_id}/{mode}/home', { params, query }),
    addressOf('/dashboard/api/games/{game_id}/{mode}/checklist', { params: { ...params, mode: 'sandbox' } }),
  ];
}

/** Lists what the page at this address reads no matter what the session contains. */
export function earlyAddresses(path: string, search: string, now: Date): string[] {
  const gamePath = gamePathOf(path);
  if (!gamePath) return [SESSION];
  const { params, page } = gamePath;
  if (page === '') return [SESSION, ...homeAddresses(gamePath, search, now)];
  // Only the page itself knows how to turn its filters into a query.
  if (search !== '') return [SESSION];
  if (LISTS.includes(page)) {
    const query = { limit: PAGE_ROWS };
    return [SESSION, addressOf(`/dashboard/api/games/{game_id}/{mode}/${page}`, { params, query })];
  }
  const read = GAME_READS[page];
  return read ? [SESSION, addressOf(`/dashboard/api/games/{game_id}/{mode}/${read}`, { params })] : [SESSION];
}

/** Lists what the page reads about the company, which is known once the session has arrived. */
export function companyAddresses(
  path: string,
  search: string,
  { companies }: Pick<SessionState, 'companies'>,
): string[] {
  const gamePath = gamePathOf(path);
  const company = companies.find(({ games }) => games.some(({ id }) => id === gamePath?.params.game_id));
  if (!gamePath || !company || search !== '') return [];
  const params = { company_id: company.id };
  return (COMPANY_READS[gamePath.page] ?? []).map(read =>
    addressOf(`/dashboard/api/companies/{company_id}${read}`, { params }),
  );
}

/** Sends the requests at once. Those that depend on the session follow when it has arrived. */
export async function startEarlyReads(
  addresses: readonly string[],
  language: string,
  withSession: (session: SessionState) => string[],
): Promise<void> {
  const headers = { 'accept-language': language };
  const reads: EarlyReads = new Map();
  globalThis.coinslotEarlyReads = reads;
  const ask = (address: string): void => {
    const read = fetch(address, { credentials: 'same-origin', headers });
    // The app handles the failure when it takes the answer. Until then it must not count as an unhandled rejection.
    read.catch(() => undefined);
    reads.set(address, read);
  };
  addresses.forEach(ask);
  try {
    const session = await reads.get(SESSION)?.then(answer => answer.clone().json() as Promise<SessionState>);
    if (session) withSession(session).forEach(ask);
  } catch {
    // The app reads the session too and shows the problem.
  }
}

/** Hands out an early answer once. Any change to the server drops them all, because they may be outdated. */
export function takeEarlyRead(address: string, method = 'GET'): Promise<Response> | undefined {
  const reads = globalThis.coinslotEarlyReads;
  if (method !== 'GET' || performance.now() > USABLE_MS) reads?.clear();
  const read = reads?.get(address);
  reads?.delete(address);
  return read;
}
