import { day, named, nullable, time } from '../../shape.ts';
import { type Static, Type } from '../../type.ts';
import { dashboardEndpoint } from '../dashboard-endpoint.ts';

const key = (description: string) => Type.String({ description: `${description} Empty where it is not known.` });
const count = (description: string) => Type.Integer({ description });

const share = {
  of: count('How many there were.'),
  reached: count('How many of them got there.'),
  of_before: count('How many there were in the span before.'),
  reached_before: count('How many of those got there.'),
};

const ShareRow = named('ShareRow', { key: key('What it is about.'), ...share }, 'A share, and the same before.');
export type ShareRow = Static<typeof ShareRow>;

const SalesRow = named(
  'SalesRow',
  {
    key: key('What it is about.'),
    name: nullable(Type.String({ description: 'Its name, where it has one.' })),
    count: count('Orders, or pieces of an item.'),
    amount: Type.Integer({ description: 'In minor units of the answer’s currency.' }),
    count_before: count('The same in the span before.'),
    amount_before: Type.Integer({ description: 'The same in the span before.' }),
  },
  'What was sold, and the same before.',
);
export type SalesRow = Static<typeof SalesRow>;

const DeclineRow = named(
  'DeclineRow',
  {
    code: key('The response code.'),
    description: nullable(Type.String()),
    count: count('Declined payments.'),
    count_before: count('The same in the span before.'),
  },
  'Payments that were declined for one reason.',
);
export type DeclineRow = Static<typeof DeclineRow>;

const RateDay = named(
  'RateDay',
  {
    day: Type.String({ description: 'A day of UTC, such as `2026-05-04`.' }),
    paid: count('Orders paid on this day.'),
    returned: count('How many of them were refunded or charged back since.'),
    disputed: count('How many of them a bank questioned since.'),
  },
  'What became of the orders of one day.',
);
export type RateDay = Static<typeof RateDay>;

const Cohort = named(
  'Cohort',
  {
    month: Type.String({ description: 'The month of the first purchase, such as `2026-05`.' }),
    buyers: Type.Array(Type.Integer(), {
      description: 'Buyers in that month, in the one after it, and so on. The first is the size of the cohort.',
    }),
  },
  'Players who bought first in one month.',
);
export type Cohort = Static<typeof Cohort>;

export const Figures = named(
  'Figures',
  {
    as_of: time('Events before this time are counted.'),
    from: Type.String({ description: 'First day of the span, of UTC.' }),
    to: Type.String({ description: 'Last day of the span.' }),
    before_from: Type.String({ description: 'First day of the span that it is compared with.' }),
    before_to: Type.String({ description: 'Last day of the span that it is compared with.' }),
    currency: nullable(Type.String({ description: 'The currency of all amounts; null where nothing was sold.' })),
    is_sum: Type.Boolean({ description: 'Whether all currencies are added up by the company’s rates.' }),
    currencies: Type.Array(Type.String(), { description: 'Currencies that were paid in, the most orders first.' }),
    sum_currency: nullable(Type.String({ description: 'What all can be added up in; null without rates.' })),
    missing: Type.Array(Type.String(), { description: 'Currencies without a rate, which the sum leaves out.' }),
    methods: Type.Array(ShareRow, { description: 'Payments by method, and which were reserved.' }),
    countries: Type.Array(ShareRow, { description: 'Opened pages by country, and which were paid since.' }),
    devices: Type.Array(ShareRow, { description: 'Opened pages by device, and which were paid since.' }),
    declines: Type.Array(DeclineRow, { description: 'The most frequent first.' }),
    sales: Type.Object({
      items: Type.Array(SalesRow),
      countries: Type.Array(SalesRow),
      hours: Type.Array(SalesRow, { description: 'By the hour of UTC, `0` to `23`.' }),
      methods: Type.Array(SalesRow),
      first: SalesRow,
      repeat: SalesRow,
    }),
    cohorts: Type.Array(Cohort, { description: 'Of the last twelve months, oldest first.' }),
    grants: Type.Object({
      steps: Type.Array(
        Type.Object({
          up_to_ms: nullable(Type.Integer({ description: 'Null: more than the last step.' })),
          count: count('Orders.'),
          count_before: count('The same in the span before.'),
        }),
      ),
      p50_ms: nullable(Type.Integer({ description: 'Half of the orders were granted within this.' })),
      p95_ms: nullable(Type.Integer({ description: '95 of 100 orders were granted within this.' })),
    }),
    days: Type.Array(RateDay, { description: 'Every day of the span, oldest first.' }),
  },
  'Figures that answer questions, from roll-ups.',
);
export type Figures = Static<typeof Figures>;

export const figureEndpoints = {
  getFigures: dashboardEndpoint({
    name: 'get_figures',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/figures',
    summary:
      'Conversion, declines, revenue, buyers, time to grant and rates of a span of days, compared with another. The last 30 days and those before when none is given.',
    query: Type.Object({
      from: Type.Optional(day('First day, such as `2026-05-04`.')),
      to: Type.Optional(day('Last day, at most 366 days; today when omitted.')),
      before_from: Type.Optional(day('First day to compare with; as many days right before when omitted.')),
      currency: Type.Optional(
        Type.String({
          maxLength: 3,
          description: 'The currency of amounts, or `sum`; the most used one when omitted.',
        }),
      ),
    }),
    response: { status: 200, description: 'The figures.', schema: Figures },
    errors: [],
  }),
};
