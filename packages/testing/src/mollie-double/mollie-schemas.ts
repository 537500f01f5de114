import {
  CaptureResponse$inboundSchema,
  EntityBalance$inboundSchema,
  EntityBalanceTransaction$inboundSchema,
  EntityCapture$outboundSchema,
  EntityChargeback$inboundSchema,
  ListEntityMethod$inboundSchema,
  PaymentRequest$outboundSchema,
  PaymentResponse$inboundSchema,
  ProfileResponse$inboundSchema,
  RefundRequest$outboundSchema,
  RefundResponse$inboundSchema,
} from 'mollie-api-typescript/models';
import { ErrorResponse$inboundSchema } from 'mollie-api-typescript/models/errors';
import type { MollieExchange } from './mollie-double.ts';

/** What Mollie's own generated client reads and writes: the only part of a schema that is used here. */
interface Schema {
  safeParse(value: unknown): { success: boolean; data?: unknown; error?: { issues: unknown } };
}

interface CallShape {
  at: RegExp;
  body?: Schema;
  answer?: Schema;
  /** Of a list: what each entry is, and under which name. */
  entries?: readonly [key: string, Schema];
}

const PAYMENT = PaymentResponse$inboundSchema;
const REFUND = RefundResponse$inboundSchema;

const CALLS: readonly CallShape[] = [
  { at: /^POST \/v2\/payments$/, body: PaymentRequest$outboundSchema, answer: PAYMENT },
  { at: /^GET \/v2\/payments$/, entries: ['payments', PAYMENT] },
  { at: /^(?:GET|DELETE) \/v2\/payments\/\w+$/, answer: PAYMENT },
  {
    at: /^POST \/v2\/payments\/\w+\/captures$/,
    body: EntityCapture$outboundSchema,
    answer: CaptureResponse$inboundSchema,
  },
  { at: /^POST \/v2\/payments\/\w+\/release-authorization$/ },
  { at: /^POST \/v2\/payments\/\w+\/refunds$/, body: RefundRequest$outboundSchema, answer: REFUND },
  { at: /^GET \/v2\/payments\/\w+\/refunds\/\w+$/, answer: REFUND },
  { at: /^GET \/v2\/refunds$/, entries: ['refunds', REFUND] },
  { at: /^GET \/v2\/chargebacks$/, entries: ['chargebacks', EntityChargeback$inboundSchema] },
  { at: /^GET \/v2\/profiles\/\w+$/, answer: ProfileResponse$inboundSchema },
  { at: /^GET \/v2\/methods$/, entries: ['methods', ListEntityMethod$inboundSchema] },
  { at: /^GET \/v2\/balances\/primary$/, answer: EntityBalance$inboundSchema },
  {
    at: /^GET \/v2\/balances\/primary\/transactions$/,
    entries: ['balance_transactions', EntityBalanceTransaction$inboundSchema],
  },
  { at: /^GET \/v2\/settlements\/\w+\/payments$/, entries: ['payments', PAYMENT] },
  { at: /^GET \/v2\/settlements\/\w+\/captures$/, entries: ['captures', CaptureResponse$inboundSchema] },
  { at: /^GET \/v2\/settlements\/\w+\/refunds$/, entries: ['refunds', REFUND] },
  { at: /^GET \/v2\/settlements\/\w+\/chargebacks$/, entries: ['chargebacks', EntityChargeback$inboundSchema] },
];

const misfit = (schema: Schema, value: unknown): string[] => {
  const { success, error } = schema.safeParse(value);
  return success ? [] : [JSON.stringify(error?.issues)];
};

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
export function misfitsOf({ method, path, body, status, answer }: MollieExchange): string[] {
  const name = `${method} ${path}`;
  const shape = CALLS.find(({ at }) => at.test(name));
  if (!shape) return [`${name} is no call of Mollie’s`];
  if (status >= 400) return misfit(ErrorResponse$inboundSchema, asError(answer)).map(text => `${name}: ${text}`);
  const [key, schema] = shape.entries ?? [];
  const { _embedded: embedded = {} } = (answer ?? {}) as { _embedded?: Record<string, unknown[]> };
  const entries = key ? (embedded[key] ?? []) : [];
  const found = [
    ...(shape.body ? unknownFields(shape.body, body) : []),
    ...(shape.answer ? misfit(shape.answer, answer) : []),
    ...entries.flatMap(entry => misfit(schema!, entry)),
  ];
  return found.map(text => `${name}: ${text}`);
}
