import { parseUrl } from '../../../../kit/parse-url.ts';
import type { OpenedAccount } from '../base/provider.ts';
import type { DayRange } from '../base/provider-day.ts';
import type { MollieClient } from './wire/mollie-client.ts';
import type { MolliePage } from './wire/mollie-objects.ts';

const PAGE = '250';

export const secondsOf = ({ createdAt }: { createdAt: string }): number => Math.floor(Date.parse(createdAt) / 1000);

export interface MollieLists {
  client: MollieClient;
  account: OpenedAccount;
}

/** Page after page, the newest first. */
export async function* pagesOf<Entry>(
  { client, account }: MollieLists,
  path: string,
  key: string,
  query: Readonly<Record<string, string>> = {},
): AsyncGenerator<Entry[]> {
  for (let from: string | null = ''; from !== null; ) {
    const page: MolliePage<string, Entry> = await client.call(account, {
      method: 'GET',
      path,
      query: { limit: PAGE, ...query, ...(from !== '' && { from }) },
    });
    const { _embedded: embedded, _links: links } = page;
    yield embedded[key] ?? [];
    from = parseUrl(links.next?.href ?? '')?.searchParams.get('from') ?? null;
  }
}

/** Of a list that begins with the newest: those of the range, and nothing is asked for beyond its beginning. */
export async function* inRange<Entry extends { createdAt: string }>(
  pages: AsyncIterable<Entry[]>,
  { fromSeconds, toSeconds }: DayRange,
): AsyncGenerator<Entry[]> {
  for await (const page of pages) {
    yield page.filter(entry => secondsOf(entry) >= fromSeconds && secondsOf(entry) < toSeconds);
    const last = page.at(-1);
    if (!last || secondsOf(last) < fromSeconds) return;
  }
}
