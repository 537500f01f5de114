import {
  CaptureResponse$inboundSchema,
  EntityBalance$inboundSchema,
  EntityBalanceTransaction$inboundSchema,
  EntityCapture$outboundSchema,
  EntityChargeback$inboundSchema,
  ListEntityMethod$inboundSchema,
  ListLinks$inboundSchema,
  PaymentRequest$outboundSchema,
  PaymentResponse$inboundSchema,
  ProfileResponse$inboundSchema,
  RefundRequest$outboundSchema,
  RefundResponse$inboundSchema,
} from 'mollie-api-typescript/models';
import { ErrorResponse$inboundSchema } from 'mollie-api-typescript/models/errors';
import * as operations from 'mollie-api-typescript/models/operations';
import { startCountingUnrecognized } from 'mollie-api-typescript/types/unrecognized';
import type { MollieExchange } from './mollie-double.ts';

/** What Mollie's own generated client reads and writes: the only part of a schema that is used here. */
interface Schema {
  safeParse(value: unknown): { success: boolean; data?: unknown; error?: { issues: unknown } };
}

interface CallShape {
  at: RegExp;
  /** What may stand in the query; absent: nothing. */
  query?: unknown;
  body?: Schema;
  answer?: Schema;
  /** Of a list: what each entry is, and under which name. */
  entries?: readonly [key: string, Schema];
}

const PAYMENT = PaymentResponse$inboundSchema;
const REFUND = RefundResponse$inboundSchema;

const CALLS: readonly CallShape[] = [
  {
    at: /^POST \/v2\/payments$/,
    query: operations.CreatePaymentRequest$outboundSchema,
    body: PaymentRequest$outboundSchema,
    answer: PAYMENT,
  },
  {
    at: /^GET \/v2\/payments$/,
    query: operations.ListPaymentsRequest$outboundSchema,
    entries: ['payments', PAYMENT],
  },
  { at: /^GET \/v2\/payments\/\w+$/, query: operations.GetPaymentRequest$outboundSchema, answer: PAYMENT },
  { at: /^DELETE \/v2\/payments\/\w+$/, answer: PAYMENT },
  {
    at: /^POST \/v2\/payments\/\w+\/captures$/,
    body: EntityCapture$outboundSchema,
    answer: CaptureResponse$inboundSchema,
  },
  { at: /^POST \/v2\/payments\/\w+\/release-authorization$/ },
  { at: /^POST \/v2\/payments\/\w+\/refunds$/, body: RefundRequest$outboundSchema, answer: REFUND },
  { at: /^GET \/v2\/payments\/\w+\/refunds\/\w+$/, answer: REFUND },
  { at: /^GET \/v2\/refunds$/, query: operations.ListAllRefundsRequest$outboundSchema, entries: ['refunds', REFUND] },
  {
    at: /^GET \/v2\/chargebacks$/,
    query: operations.ListAllChargebacksRequest$outboundSchema,
    entries: ['chargebacks', EntityChargeback$inboundSchema],
  },
  { at: /^GET \/v2\/profiles\/\w+$/, answer: ProfileResponse$inboundSchema },
  {
    at: /^GET \/v2\/methods$/,
    query: operations.ListMethodsRequest$outboundSchema,
    answer: operations.ListMethodsResponse$inboundSchema,
    entries: ['methods', ListEntityMethod$inboundSchema],
  },
  { at: /^GET \/v2\/balances\/primary$/, answer: EntityBalance$inboundSchema },
  {
    at: /^GET \/v2\/balances\/primary\/transactions$/,
    query: operations.ListBalanceTransactionsRequest$outboundSchema,
    entries: ['balance_transactions', EntityBalanceTransaction$inboundSchema],
  },
  ...(
    [
      ['payments', PAYMENT],
      ['captures', CaptureResponse$inboundSchema],
      ['refunds', REFUND],
      ['chargebacks', EntityChargeback$inboundSchema],
    ] as const
  ).map(([kind, schema]) => ({
    at: new RegExp(`^GET /v2/settlements/\\w+/${kind}$`),
    query: operations.ListSettlementPaymentsRequest$outboundSchema,
    entries: [kind, schema] as const,
  })),
];

/** By itself the client reads a word of its enumerations that it does not know as it comes. */
const misfit = (schema: Schema, value: unknown): string[] => {
  const counting = startCountingUnrecognized();
  const { success, error } = schema.safeParse(value);
  const unknown = counting.end();
  if (!success) return [JSON.stringify(error?.issues)];
  return unknown > 0 ? [`${unknown} words that Mollie does not have`] : [];
};

/** The names that a call's schema declares, under the change of names that the client makes of them. */
const declaredIn = (schema: unknown): string[] => {
  const { _def: def } = schema as { _def: { schema?: unknown; shape?: () => object } };
  return def.schema ? declaredIn(def.schema) : Object.keys(def.shape?.() ?? {});
};

function unknownQuery({ query: schema }: CallShape, query: readonly string[]): string[] {
  const declared = schema === undefined ? [] : declaredIn(schema);
  return query.filter(name => !declared.includes(name.replace(/\[.+$/, ''))).map(name => `?${name}`);
}

/** Mollie's client leaves out what its schema does not know, so what is missing afterwards is a field that Mollie has not. */
function unknownFields(schema: Schema, body: unknown): string[] {
  const { success, data } = schema.safeParse(body);
  if (!success) return misfit(schema, body);
  const known = JSON.stringify(data, (_, value: unknown) => value ?? undefined);
  return namesIn(body).filter(name => !known.includes(`"${name}"`));
}

const namesIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [...(Array.isArray(value) ? [] : [name]), ...namesIn(inner)])
    : [];

/** The client reads an error together with how it came. */
const asError = (answer: unknown) => ({
  ...(answer as object),
  request$: new Request('https://api.mollie.com'),
  response$: new Response(),
  body$: '',
});

/** How one exchange departs from what Mollie's own client sends and reads; empty: it does not. */
export function misfitsOf({ method, path, query, body, status, answer }: MollieExchange): string[] {
  const name = `${method} ${path}`;
  const shape = CALLS.find(({ at }) => at.test(name));
  if (!shape) return [`${name} is no call of Mollie’s`];
  if (status >= 400) return misfit(ErrorResponse$inboundSchema, asError(answer)).map(text => `${name}: ${text}`);
  const [key, schema] = shape.entries ?? [];
  const { _embedded: embedded = {}, _links: links } = (answer ?? {}) as {
    _embedded?: Record<string, unknown[]>;
    _links?: unknown;
  };
  const entries = key ? (embedded[key] ?? []) : [];
  const found = [
    ...unknownQuery(shape, query),
    ...(key && !shape.answer ? misfit(ListLinks$inboundSchema, links) : []),
    ...(shape.body ? unknownFields(shape.body, body) : []),
    ...(shape.answer ? misfit(shape.answer, answer) : []),
    ...entries.flatMap(entry => misfit(schema!, entry)),
  ];
  return found.map(text => `${name}: ${text}`);
}
