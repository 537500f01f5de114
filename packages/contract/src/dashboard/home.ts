import { currency, day, named, nullable, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { WebhookHealth } from './webhooks.ts';

const MoneyFigure = named(
  'MoneyFigure',
  {
    currency: Type.String(),
    paid: Type.Integer({ description: 'Captured, in minor units.' }),
    paid_orders: Type.Integer({ description: 'Number of orders.' }),
    returned: Type.Integer({ description: 'Refunded or charged back, in minor units.' }),
    returned_orders: Type.Integer(),
    net: Type.Integer({ description: 'Captured, without what was returned since of the same orders.' }),
  },
  'Money of one currency.',
);
export type MoneyFigure = Static<typeof MoneyFigure>;

const MoneySum = named(
  'MoneySum',
  {
    currency: Type.String({ description: 'The currency that the company chose for sums.' }),
    paid: Type.Integer({ description: 'Captured, in minor units, by the company’s own rates.' }),
    net: Type.Integer({ description: 'The same without what was returned since.' }),
    missing: Type.Array(Type.String(), { description: 'Currencies without a rate. They are not in the sum.' }),
  },
  'All currencies in one.',
);
export type MoneySum = Static<typeof MoneySum>;

const counts = {
  orders: Type.Integer({ description: 'Orders created.' }),
  opened: Type.Integer({ description: 'Orders whose payment page was opened for the first time.' }),
  started: Type.Integer({ description: 'Payment attempts.' }),
  paid: Type.Integer({ description: 'Orders paid.' }),
  declined: Type.Integer({ description: 'Attempts that were declined.' }),
  money: Type.Array(MoneyFigure, { description: 'By currency, the most frequent first.' }),
  sum: nullable(MoneySum),
};

export const DayFigures = named(
  'DayFigures',
  { day: Type.String({ description: 'For example `2026-05-04`, in the requested time zone.' }), ...counts },
  'What happened on one day.',
);
export type DayFigures = Static<typeof DayFigures>;

const SpanFigures = named(
  'SpanFigures',
  {
    ...counts,
    conversion: nullable(
      Type.Number({
        description: 'Share of the orders opened in this span that were paid since, 0 to 1; null when none was opened.',
      }),
    ),
    refund_rate: nullable(
      Type.Number({
        description:
          'Share of the orders paid in this span that were refunded or charged back since; null without any.',
      }),
    ),
    dispute_rate: nullable(
      Type.Number({
        description: 'Share of the orders paid in this span that a bank questioned since; null without any.',
      }),
    ),
    declines: Type.Array(
      Type.Object({
        code: Type.String({ description: 'Response code; empty when there was none.' }),
        description: nullable(Type.String()),
        count: Type.Integer(),
      }),
      { description: 'Declined attempts by reason, the most frequent first.' },
    ),
  },
  'What happened in a span of days.',
);

export const Home = named(
  'Home',
  {
    as_of: time('Events before this time are counted.'),
    today: SpanFigures,
    from: Type.String({ description: 'First day of the range.' }),
    to: Type.String({ description: 'Last day of the range.' }),
    range: SpanFigures,
    before: named('FiguresBefore', SpanFigures.properties, 'As many days right before the range.'),
    days: Type.Array(DayFigures, { description: 'Every day of the range, oldest first. Empty days are listed too.' }),
    hours: Type.Array(
      Type.Object({
        at: time('When the hour begins.'),
        orders: Type.Integer(),
        opened: Type.Integer(),
        paid: Type.Integer(),
      }),
      { description: 'The last 24 hours, oldest first.' },
    ),
    grants_waiting: Type.Integer({
      description: 'Items waiting to be granted or revoked; at most 1,000 are counted.',
    }),
    oldest_grant_since: nullable(time('Since when the oldest of them has been waiting.')),
    needs_attention: Type.Integer({
      description: 'Payments that need attention; at most 1,000 are counted.',
    }),
    webhooks: named(
      'HomeWebhooks',
      {
        ...WebhookHealth.properties,
        enabled: Type.Integer({ description: 'Webhooks that are on.' }),
        disabled: Type.Integer({ description: 'Webhooks that are off.' }),
        takes_items: Type.Boolean({ description: 'Whether an enabled webhook receives `item.add`.' }),
      },
      'Webhook figures of the last 24 hours.',
    ),
  },
  'The home page.',
);
export type Home = Static<typeof Home>;

/** What can change, named after the list that shows it. */
export const CHANGE_KINDS = ['orders', 'payments', 'deliveries', 'grants', 'home'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

const COMPANY = '/dashboard/api/companies/{company_id}';

const rate = named(
  'Rate',
  {
    currency: currency(),
    rate: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1e9,
      description: 'What one unit of it is in the sum’s currency.',
    }),
  },
  'A rate that the company entered.',
);

export const ReportRates = named(
  'ReportRates',
  {
    currency: nullable(Type.String({ description: 'The currency of sums; null: amounts are not added up.' })),
    rates: Type.Array(rate),
  },
  'How reports add up several currencies. Payments and books do not use it.',
);
export type ReportRates = Static<typeof ReportRates>;

export const homeEndpoints = {
  getRates: dashboardEndpoint({
    name: 'get_rates',
    scope: 'company',
    role: 'viewer',
    method: 'GET',
    path: `${COMPANY}/rates`,
    summary: 'How reports add up several currencies.',
    response: { status: 200, description: 'The rates.', schema: ReportRates },
    errors: [],
  }),
  putRates: dashboardEndpoint({
    name: 'put_rates',
    scope: 'company',
    role: 'developer',
    method: 'PUT',
    path: `${COMPANY}/rates`,
    summary: 'Choose the currency of sums and its rates; null for no sum.',
    body: named(
      'PutRates',
      { currency: nullable(currency()), rates: Type.Array(rate, { maxItems: 200 }) },
      'All rates; those left out are removed.',
    ),
    response: { status: 200, description: 'The rates.', schema: ReportRates },
    errors: [],
  }),
  getHome: dashboardEndpoint({
    name: 'get_home',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/home',
    summary:
      'Today, a range of days and as many days before it, from rolled-up figures. The last 30 days when no range is given.',
    query: Type.Object({
      utc_offset_minutes: Type.Optional(
        Type.Integer({
          minimum: -840,
          maximum: 840,
          description: 'The viewer’s UTC offset in minutes; days start at full UTC hours.',
        }),
      ),
      from: Type.Optional(day('First day, such as `2026-05-04`.')),
      to: Type.Optional(day('Last day, at most 366 days; today when omitted.')),
    }),
    response: { status: 200, description: 'The figures.', schema: Home },
    errors: [],
  }),
  streamChanges: dashboardEndpoint({
    name: 'stream_changes',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/changes',
    summary:
      'Server-sent events. `event: changed` has `data: {"lists":["orders","payments"]}` (see CHANGE_KINDS), at most one per second; `event: end` means that the session or the role ended; `event: beat` comes every five seconds.',
    response: { status: 200, description: 'The stream.', contentType: 'text/event-stream; charset=utf-8' },
    errors: [],
  }),
};
