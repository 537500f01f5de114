import { type Endpoint, errorsOf, TAGS } from '../endpoint.ts';
import { ENDPOINTS } from '../endpoints.ts';
import { ERRORS, type ErrorCode } from '../errors/errors.ts';
import { Problem } from '../errors/problem.ts';
import { EVENT_KINDS, EVENTS, webhookBody } from '../events.ts';
import { exampleAnswer, exampleBody, exampleEvent, exampleProblem } from '../examples.ts';
import type { TSchema } from '../type.ts';
import { portable } from './portable-schema.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const API_VERSION = '1.0.0';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Turns a schema into plain JSON. A schema with a title moves to the components and leaves a reference. */
function publish(given: unknown, components: JsonObject): Json {
  if (Array.isArray(given)) return given.map(entry => publish(entry, components));
  if (!isObject(given)) return given as Json;
  const schema = portable(given);
  const plain: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) plain[key] = publish(value, components);
  if (typeof schema.title !== 'string') return plain;
  const known = components[schema.title];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(plain)) {
    throw new Error(`two different schemas are titled ${schema.title}`);
  }
  components[schema.title] = plain;
  return { $ref: `#/components/schemas/${schema.title}` };
}

/** Shared parts that operations refer to by name. */
interface Shared {
  schemas: JsonObject;
  responses: JsonObject;
}

interface Parameters {
  properties: Record<string, TSchema & { description?: string }>;
  required?: readonly string[];
}

const headerName = (name: string): string => name.replace(/(?:^|-)[a-z]/g, part => part.toUpperCase());

function parameters(place: 'path' | 'query' | 'header', group: Parameters | undefined, components: JsonObject): Json[] {
  return Object.entries(group?.properties ?? {}).map(([name, schema]) => ({
    name: place === 'header' ? headerName(name) : name,
    in: place,
    required: group?.required?.includes(name) ?? false,
    description: schema.description ?? '',
    schema: withDefault(publish(schema, components), schema),
  }));
}

/** Generators know that a parameter with a default may be left out; they do not know it of a field. */
const withDefault = (published: Json, schema: object): Json =>
  'default' in schema ? { ...(published as JsonObject), default: schema.default as Json } : published;

function errorResponses(call: Endpoint, shared: Shared): JsonObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(call)) {
    const status = ERRORS[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const references: JsonObject = {};
  for (const [status, codes] of [...byStatus].toSorted(([a], [b]) => a - b)) {
    const name = codes.join('_or_');
    references[status] = { $ref: `#/components/responses/${name}` };
    shared.responses[name] = {
      description: codes.map(code => `\`${code}\`: ${ERRORS[code].title}`).join('. '),
      headers: {
        'X-Request-Id': requestId,
        ...(status === 429 || status === 503 ? { 'Retry-After': retryAfter } : {}),
      },
      content: {
        'application/problem+json': {
          schema: publish(Problem, shared.schemas),
          examples: Object.fromEntries(codes.map(code => [code, { value: exampleProblem(code) as Json }])),
        },
      },
    };
  }
  return references;
}

const integerHeader = (description: string): JsonObject => ({ description, schema: { type: 'integer' } });

const retryAfter = integerHeader('Seconds to wait.');
const requestId: JsonObject = { $ref: '#/components/headers/X-Request-Id' };

const sharedHeaders: JsonObject = {
  'X-Request-Id': { description: 'Identifies this request in the operator’s log.', schema: { type: 'string' } },
  'RateLimit-Limit': integerHeader('Requests per minute.'),
  'RateLimit-Remaining': integerHeader('Requests left now.'),
  'RateLimit-Reset': integerHeader('Seconds until the limit resets.'),
};

const answerHeaders: JsonObject = Object.fromEntries(
  Object.keys(sharedHeaders).map(name => [name, { $ref: `#/components/headers/${name}` }]),
);

function successResponse(call: Endpoint, components: JsonObject): JsonObject {
  const own: JsonObject = {};
  for (const [name, schema] of Object.entries((call.response.headers as Parameters | undefined)?.properties ?? {})) {
    own[name] = { description: schema.description ?? '', schema: publish(schema, components) };
  }
  const { schema } = call.response;
  return {
    description: call.response.description,
    headers: { ...answerHeaders, ...own },
    ...(schema
      ? {
          content: {
            'application/json': { schema: publish(schema, components), example: exampleAnswer(call) as Json },
          },
        }
      : {}),
  };
}

function operation(call: Endpoint, shared: Shared): JsonObject {
  const components = shared.schemas;
  const given = [
    ...parameters('path', call.params, components),
    ...parameters('query', call.query, components),
    ...parameters('header', call.headers, components),
  ];
  return {
    operationId: call.name,
    tags: [call.tag],
    summary: call.summary,
    description: call.description,
    ...(given.length > 0 ? { parameters: given } : {}),
    ...(call.body
      ? {
          requestBody: {
            required: !call.bodyOptional,
            content: {
              'application/json': { schema: publish(call.body, components), example: exampleBody(call) as Json },
            },
          },
        }
      : {}),
    responses: {
      [call.response.status]: successResponse(call, components),
      ...errorResponses(call, shared),
      ...(call.response.status === 101 ? { default: { description: 'The connection was not upgraded.' } } : {}),
    },
  };
}

function paths(shared: Shared): JsonObject {
  const found: Record<string, JsonObject> = {};
  for (const call of Object.values<Endpoint>(ENDPOINTS)) {
    found[call.path] = { ...found[call.path], [call.method.toLowerCase()]: operation(call, shared) };
  }
  return found;
}

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const webhookHeaders = [
  header('x-service-signature-timestamp', 'Unix seconds, new for every attempt.'),
  header('x-service-signature', 'HMAC-SHA-256 of `<timestamp>.<raw body>` with the secret, in lower-case hex.'),
  header('webhook-id', 'Standard Webhooks: identifier of the message.'),
  header('webhook-timestamp', 'Standard Webhooks: Unix seconds.'),
  header('webhook-signature', 'Standard Webhooks: `v1,<base64>`.'),
  header('x-service-delivery-attempt', 'Counts from 1.'),
];

function webhooks(components: JsonObject): JsonObject {
  const found: JsonObject = {};
  for (const kind of EVENT_KINDS) {
    found[kind] = {
      post: {
        operationId: `receive_${kind.replaceAll('.', '_')}`,
        summary: EVENTS[kind].description,
        parameters: webhookHeaders.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: publish(webhookBody(kind), components),
              example: exampleEvent(webhookBody(kind)) as Json,
            },
          },
        },
        responses: {
          '2XX': { description: 'Processed.' },
          '4XX': {
            description:
              'An error; the webhook is sent again later. With the JSON body `{"code":"declined"}` the game declines for good; a `message` beside it, of up to 200 characters, is shown to the player.',
          },
          '5XX': { description: 'An error; the webhook is sent again later.' },
        },
      },
    };
  }
  return found;
}

const sortKeys = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** In a file that is handed out: each installation has a base URL of its own. */
const anyServer: JsonObject = {
  url: '{base_url}',
  variables: { base_url: { default: 'http://localhost:4242', description: 'Where your Coinslot is.' } },
};

/** The API as OpenAPI 3.1. `serverUrl` is this service’s base URL. */
export function openApiDocument(serverUrl?: string): JsonObject {
  const shared: Shared = { schemas: {}, responses: {} };
  const described = { paths: paths(shared), webhooks: webhooks(shared.schemas) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Coinslot',
      version: API_VERSION,
      description:
        'Server-to-server API for selling in-game items: create an order, send the player to its checkout URL, grant the items when the webhook asks.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [serverUrl === undefined ? anyServer : { url: serverUrl }],
    security: [{ s2s_key: [] }],
    tags: [...new Set(Object.values<Endpoint>(ENDPOINTS).map(call => call.tag))].map(name => ({
      name,
      description: TAGS[name],
    })),
    ...described,
    components: {
      securitySchemes: {
        s2s_key: {
          type: 'http',
          scheme: 'bearer',
          description: 'The S2S key of a game environment. Sandbox and live have different keys.',
        },
      },
      headers: sharedHeaders,
      parameters: Object.fromEntries(webhookHeaders.map(parameter => [parameter.name, parameter])),
      responses: sortKeys(shared.responses),
      schemas: sortKeys(shared.schemas),
    },
  };
}
