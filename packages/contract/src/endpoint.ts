import type { ErrorCode } from './errors/errors.ts';
import type { Static, TObject, TSchema } from './type.ts';

/** What the calls are about, with a sentence for each. */
export const TAGS = {
  Orders: 'An order is what a player is buying or has bought.',
  Payments: 'A payment is one attempt to pay an order.',
  Items: 'The catalog of what can be bought.',
  Players: 'What is known about a player, and how to export or erase it.',
  Webhooks: 'Where events are sent.',
  Deliveries: 'Events on their way to a webhook, with every attempt.',
  Events: 'What happened, newest first.',
  Requests: 'The log of API requests.',
  Sandbox: 'Tools for tests: pay, advance time, trigger events, cause failures. Sandbox keys only.',
} as const;

export type Tag = keyof typeof TAGS;

/** What the server needs to route, validate and answer a call. */
export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  params?: TObject;
  query?: TObject;
  headers?: TObject;
  body?: TObject;
  /** A missing body counts as `{}`. */
  bodyOptional?: boolean;
  /** The body is a file as it is, of one of these types and at most this long. */
  file?: { types: readonly string[]; mostBytes: number };
  /** With a content type, the response is a stream of that type without a schema. */
  response: { status: number; description: string; schema?: TSchema; headers?: TObject; contentType?: string };
}

/** One call of the API. Validation, routing, serialization, OpenAPI and the reference are derived from it. */
export interface Endpoint extends HttpCall {
  name: string;
  tag: Tag;
  path: `/s2s/v1/${string}`;
  summary: string;
  description: string;
  /** Codes specific to this call; `errorsOf` adds those that any call can return. */
  errors: readonly ErrorCode[];
}

export const endpoint = <const E extends Endpoint>(description: E): E => description;

type StaticOf<E, Key extends string> =
  E extends Record<Key, infer S extends TSchema> ? Static<S> : Record<string, never>;

export type ParamsOf<E extends HttpCall> = StaticOf<E, 'params'>;
export type QueryOf<E extends HttpCall> = StaticOf<E, 'query'>;
export type HeadersOf<E extends HttpCall> = StaticOf<E, 'headers'>;
export type BodyOf<E extends HttpCall> = StaticOf<E, 'body'>;
export type ResponseOf<E extends HttpCall> = E['response'] extends { schema: infer S extends TSchema }
  ? Static<S>
  : E['response'] extends { contentType: string }
    ? unknown
    : undefined;

const ALWAYS = ['invalid_request', 'unauthorized', 'rate_limited', 'internal', 'unavailable'] as const;
const WITH_BODY = ['invalid_json', 'request_timeout', 'body_too_large', 'unsupported_media_type'] as const;

/** Every code a call can return, its own first. */
export function errorsOf(call: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(call.errors);
  if (call.query || call.headers || call.body || call.params) codes.add('validation_failed');
  if (call.body) for (const code of WITH_BODY) codes.add(code);
  for (const code of ALWAYS) codes.add(code);
  return [...codes];
}
