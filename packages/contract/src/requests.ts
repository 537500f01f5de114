import { endpoint } from './endpoint.ts';
import { named, nullable, oneOf, opaqueId, page, paging, time } from './shape.ts';
import { type Static, Type } from './type.ts';

export const RequestRecord = named(
  'RequestRecord',
  {
    request_id: opaqueId('req', 'Identifier of the request, as in `X-Request-Id`.'),
    method: Type.String({ description: 'The method.', examples: ['POST'] }),
    path: Type.String({
      description: 'The path without its query. The id of a player is left out.',
      examples: ['/s2s/v1/orders'],
    }),
    status: Type.Integer({ description: 'The status of the response.', examples: [422] }),
    code: nullable(
      Type.String({ description: 'Code of the error; null for a success.', examples: ['validation_failed'] }),
    ),
    message: nullable(
      Type.String({
        description: 'What was wrong: the fields of a failed validation, or the detail of the error.',
        examples: ['/price_decimal: must be a number'],
      }),
    ),
    duration_ms: Type.Integer({ description: 'How long the response took.', examples: [12] }),
    created_at: time('When it was answered.'),
  },
  'One request of this key.',
);
export type RequestRecord = Static<typeof RequestRecord>;

export const listRequests = endpoint({
  name: 'list_requests',
  tag: 'Requests',
  method: 'GET',
  path: '/s2s/v1/requests',
  summary: 'List requests',
  description:
    'Lists what was asked with this key, newest first, with the errors; about a second after the response. The newest 1,000 are kept for a day, without bodies, and of more than a few in a second errors are kept first. This call is not in the list.',
  query: Type.Object({
    ...paging,
    outcome: Type.Optional(oneOf(['error'], '`error`: only requests that were refused or failed.')),
  }),
  response: { status: 200, description: 'One page of requests.', schema: page('RequestPage', RequestRecord) },
  errors: [],
});
