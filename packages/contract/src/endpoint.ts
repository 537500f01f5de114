import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';

export type Tag = 'Orders' | 'Payments' | 'Items' | 'Players' | 'Webhooks' | 'Deliveries';

/** One call of the API: validation, routing, serialization, OpenAPI and the reference all come from this. */
export interface Endpoint {
  name: string;
  tag: Tag;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/s2s/v1/${string}`;
  summary: string;
  description: string;
  params?: TObject;
  query?: TObject;
  headers?: TObject;
  body?: TObject;
  /** The body may be left out; it then counts as `{}`. */
  bodyOptional?: boolean;
  response: { status: number; description: string; schema?: TSchema; headers?: TObject };
  /** Codes of this call alone; those that any call can answer are added by `errorsOf`. */
  errors: readonly ErrorCode[];
}

export const endpoint = <const E extends Endpoint>(description: E): E => description;

type StaticOf<E, Key extends string> =
  E extends Record<Key, infer S extends TSchema> ? Static<S> : Record<string, never>;

export type ParamsOf<E extends Endpoint> = StaticOf<E, 'params'>;
export type QueryOf<E extends Endpoint> = StaticOf<E, 'query'>;
export type HeadersOf<E extends Endpoint> = StaticOf<E, 'headers'>;
export type BodyOf<E extends Endpoint> = StaticOf<E, 'body'>;
export type ResponseOf<E extends Endpoint> = E['response'] extends { schema: infer S extends TSchema }
  ? Static<S>
  : undefined;

const ALWAYS = ['invalid_request', 'unauthorized', 'rate_limited', 'internal', 'unavailable'] as const;
const WITH_BODY = ['invalid_json', 'request_timeout', 'body_too_large', 'unsupported_media_type'] as const;

/** Every code a call can answer, its own first. */
export function errorsOf(call: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(call.errors);
  if (call.query || call.headers || call.body || call.params) codes.add('validation_failed');
  if (call.body) for (const code of WITH_BODY) codes.add(code);
  for (const code of ALWAYS) codes.add(code);
  return [...codes];
}
