import { ProviderFault } from '../base/fault.ts';
import type { OpenedAccount } from '../base/provider.ts';
import { DayIncomplete, type DayRange } from '../base/provider-day.ts';
import type { PaypalClient } from './wire/paypal-client.ts';
import type { PaypalTransaction } from './wire/paypal-objects.ts';

const PAGE = 500;
/** PayPal refuses a list that is longer, whatever the page. */
const MOST_LISTED = 10_000;

interface Report {
  transaction_details?: PaypalTransaction[];
  last_refreshed_datetime?: string;
  total_pages?: number;
  total_items?: number;
}

export const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

type AskPage = (range: DayRange, page: number) => Promise<Report>;

export const askPage =
  (client: PaypalClient, account: OpenedAccount): AskPage =>
  ({ fromSeconds, toSeconds }, page) =>
    client.call<Report>(account, {
      method: 'GET',
      path: '/v1/reporting/transactions',
      query: {
        start_date: isoOf(fromSeconds),
        end_date: isoOf(toSeconds - 1),
        fields: 'transaction_info',
        page_size: String(PAGE),
        page: String(page),
      },
    });

/** Null: there are more than PayPal lists at once. */
async function firstPage(ask: AskPage, range: DayRange): Promise<Report | null> {
  try {
    const report = await ask(range, 1);
    return (report.total_items ?? 0) > MOST_LISTED ? null : report;
  } catch (error) {
    if (error instanceof ProviderFault && error.code === 'RESULTSET_TOO_LARGE') return null;
    throw error;
  }
}

/** PayPal's list is hours behind: a day is compared once the list has reached its end. One that is too long is halved. */
export async function* pagesOf(ask: AskPage, range: DayRange): AsyncGenerator<PaypalTransaction[]> {
  const { fromSeconds, toSeconds } = range;
  const first = await firstPage(ask, range);
  if (!first) {
    const middle = Math.floor((fromSeconds + toSeconds) / 2);
    if (middle === fromSeconds) throw new DayIncomplete('PayPal lists no second that has so many transactions.');
    yield* pagesOf(ask, { fromSeconds, toSeconds: middle });
    yield* pagesOf(ask, { fromSeconds: middle, toSeconds });
    return;
  }
  const reached = Date.parse(first.last_refreshed_datetime ?? '') / 1000;
  if (!(reached >= toSeconds)) throw new DayIncomplete('PayPal has not listed the whole day yet.');
  yield first.transaction_details ?? [];
  for (let page = 2; page <= (first.total_pages ?? 1); page++) yield (await ask(range, page)).transaction_details ?? [];
}
