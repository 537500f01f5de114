import {
  ENDPOINTS,
  type Endpoint,
  ERROR_CODES,
  ERRORS,
  EVENT_KINDS,
  EVENT_WILDCARDS,
  EVENTS,
  errorsOf,
  ISSUES,
  openApiDocument,
  webhookBody,
} from '@coinslot/contract';
import { SETTINGS } from '../apps/server/src/settings/config.ts';
import { adviceFile } from './advice/advice-lines.ts';
import { callPages, fileOfCall } from './calls/call-page.ts';
import { checkoutScriptFile, providerPartFiles } from './checkout-script.ts';
import { exampleCommand } from './example-call.ts';
import { eventSchemas, llmsText } from './machine-reference.ts';
import { modelFiles } from './models/models.ts';
import { postmanCollection } from './postman.ts';
import { document, fieldRows, fields, type Schema, table, titleOf } from './reference-tables.ts';
import { sdkShapes } from './sdk-shapes.ts';
import { signatureVectorsFile } from './signature-vectors.ts';
import { statusReference } from './status-reference.ts';

function endpointSection(call: Endpoint): string {
  const { status, description, schema } = call.response;
  const answer = schema && titleOf(schema);
  return [
    `### ${call.summary}`,
    `\`${call.method} ${call.path}\``,
    `${call.description} [In five languages](calls/${fileOfCall(call)}).`,
    `\`\`\`sh\n${exampleCommand(call)}\n\`\`\``,
    ...fields('Path', call.params),
    ...fields('Query', call.query),
    ...fields('Headers', call.headers),
    ...fields(call.bodyOptional ? 'Body (optional)' : 'Body', call.body),
    `Answers **${status}**: ${description}${answer ? ` Schema [\`${answer}\`](#${answer.toLowerCase()}).` : ''}`,
    `Errors: ${errorsOf(call)
      .map(code => `[\`${code}\`](errors.md#${code})`)
      .join(', ')}.`,
  ].join('\n\n');
}

function apiReference(): string {
  const calls = Object.values<Endpoint>(ENDPOINTS);
  const tags = [...new Set(calls.map(call => call.tag))];
  const answers = new Map<string, Schema>();
  for (const call of calls) {
    const { schema } = call.response;
    const title = schema && titleOf(schema);
    if (title) answers.set(title, schema);
  }
  return document(
    '# API reference',
    'For developers of a game backend. Ten minutes to read, one to look up a call.',
    'Calls for game backends. Every call needs `Authorization: Bearer <S2S_KEY>`; bodies are `application/json`. Times are Unix seconds. The same as OpenAPI 3.1: [openapi.json](openapi.json), served at `/openapi.json`; as a Postman collection: [postman.json](postman.json). Each call has a page of its own, in curl, Node, Python, Go and C#; served at `/docs` it can be tried there.',
    table(
      ['Call', 'What it does'],
      calls.map(call => [`\`${call.method} ${call.path}\``, `[${call.summary}](calls/${fileOfCall(call)})`]),
    ),
    ...tags.flatMap(tag => [`## ${tag}`, ...calls.filter(call => call.tag === tag).map(endpointSection)]),
    '## Answers',
    ...[...answers].flatMap(([title, schema]) => [
      `### ${title}`,
      schema.description ?? '',
      table(
        ['Field', 'Type', 'Meaning'],
        fieldRows(schema).map(([name = '', type = '', , meaning = '']) => [name, type, meaning]),
      ),
    ]),
  );
}

function errorReference(): string {
  return document(
    '# Errors',
    'For developers of a game backend. One minute to look up a code.',
    'Every error is `application/problem+json` (RFC 9457) with `type`, `title`, `status`, `detail`, `code`, `request_id`, and for invalid fields `errors[]` of `{ pointer, code, message }`. `code` is stable; the wording may change.',
    table(
      ['Code', 'Status', 'Title'],
      ERROR_CODES.map(code => [`[\`${code}\`](#${code})`, String(ERRORS[code].status), ERRORS[code].title]),
    ),
    ...ERROR_CODES.map(code => {
      const { status, title, description, whatToDo } = ERRORS[code];
      return `## ${code}\n\n**${status}** ${title}. ${description}\n\nWhat to do: ${whatToDo}`;
    }),
    '## Field codes',
    'Codes in the `errors[]` of a `validation_failed`.',
    table(
      ['Code', 'Meaning'],
      Object.entries(ISSUES).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
  );
}

function eventReference(): string {
  const shapes = new Map<string, Schema>();
  for (const kind of EVENT_KINDS) {
    const data = EVENTS[kind].data as object as Schema;
    shapes.set(data.title ?? kind, data);
  }
  const nameOf = (kind: (typeof EVENT_KINDS)[number]) => (EVENTS[kind].data as object as Schema).title ?? '';
  const outer = fieldRows(webhookBody('item.add') as object).filter(([name]) => !name?.startsWith('`event_data.'));
  return document(
    '# Events',
    'For developers of a game backend. Five minutes.',
    'Kinds of events that webhooks deliver. Only `item.add` asks for permission: the money is captured after its 2xx response. The others inform, and never delay a checkout. As JSON Schema: [event-schemas.json](event-schemas.json).',
    table(
      ['event_type', 'Sent when', 'event_data'],
      EVENT_KINDS.map(kind => [
        `\`${kind}\``,
        EVENTS[kind].description,
        `[${nameOf(kind)}](#${nameOf(kind).toLowerCase()})`,
      ]),
    ),
    `A subscription can also select ${EVENT_WILDCARDS.map(word => `\`${word}\``).join(', ')}.`,
    '## Body',
    table(
      ['Field', 'Type', 'Meaning'],
      outer.map(([name = '', type = '', , meaning = '']) => [name, type, meaning]),
    ),
    ...[...shapes].flatMap(([name, schema]) => [
      `## ${name}`,
      schema.description ?? '',
      table(
        ['Field', 'Type', 'Meaning'],
        fieldRows(schema).map(([field = '', type = '', , meaning = '']) => [field, type, meaning]),
      ),
    ]),
  );
}

function configurationReference(): string {
  return document(
    '# Configuration',
    'For operators. Ten minutes.',
    'Settings come from environment variables. Invalid values stop the start with one message that lists every problem.',
    table(
      ['Name', 'Default', 'Meaning', 'Example'],
      SETTINGS.map(setting => [`\`${setting.name}\``, setting.default, setting.meaning, `\`${setting.example}\``]),
    ),
    'Every secret (DATABASE_URL, MASTER_KEY, SMTP_URL, keys of providers) can stand in a file in place of the environment: `MASTER_KEY_FILE=/run/secrets/master-key`, and so on with `_FILE` behind each name. The variable itself goes first.',
    'The rate limit is counted over all processes: each tells the others its counts in steps, so a key may pass its limit by one step for each process. While the database is away each counts alone.',
  );
}

/** Every generated file, by its path from the root. */
export function referenceFiles(): Record<string, string> {
  return {
    'docs/reference/api.md': apiReference(),
    'docs/reference/configuration.md': configurationReference(),
    'docs/reference/errors.md': errorReference(),
    'docs/reference/event-schemas.json': eventSchemas(),
    'docs/reference/events.md': eventReference(),
    'docs/reference/llms.txt': llmsText(),
    'docs/reference/openapi.json': `${JSON.stringify(openApiDocument(), null, 2)}\n`,
    'docs/reference/postman.json': postmanCollection(),
    'docs/reference/signature-vectors.json': signatureVectorsFile(),
    'docs/reference/statuses.md': statusReference(),
    'packages/checkout-page/src/page-script.ts': checkoutScriptFile(),
    ...providerPartFiles(),
    ...callPages(),
    'packages/exam/src/advice/lines.ts': adviceFile(),
    ...sdkShapes(),
    ...modelFiles(),
  };
}
