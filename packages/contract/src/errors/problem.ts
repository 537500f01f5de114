import { named, oneOf } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { ERROR_CODES } from './errors.ts';
import { ISSUES, type IssueCode } from './issues.ts';

const ProblemIssue = named(
  'ProblemIssue',
  {
    pointer: Type.String({
      description: 'JSON Pointer to the field; for a query parameter or header `/` and its name.',
      examples: ['/items/0/sku'],
    }),
    code: oneOf(Object.keys(ISSUES) as IssueCode[], 'What is wrong, from a closed list.'),
    message: Type.String({ description: 'A readable explanation.' }),
  },
  'One problem with a field.',
);

/** Every error response (RFC 9457). */
export const Problem = named(
  'Problem',
  {
    type: Type.String({ description: 'URL that explains the code.' }),
    title: Type.String({ description: 'The code in words.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.Optional(Type.String({ description: 'What went wrong in this request.' })),
    code: oneOf(ERROR_CODES, 'Stable code, from a closed list.'),
    request_id: Type.String({ description: 'Identifies this request in the operator’s log.' }),
    errors: Type.Optional(Type.Array(ProblemIssue, { description: 'All invalid fields.' })),
  },
  'An error, as application/problem+json (RFC 9457).',
);
export type Problem = Static<typeof Problem>;
