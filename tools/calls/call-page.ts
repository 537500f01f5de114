import { type Endpoint, ERRORS, errorsOf, exampleAnswer } from '@coinslot/contract';
import { document, fields, table, titleOf } from '../reference-tables.ts';
import { callExamples, EXAMPLE_LANGUAGES, type ExampleLanguage } from './call-examples.ts';
import { CALLS } from './call-values.ts';

const FENCES: Readonly<Record<ExampleLanguage, string>> = {
  curl: 'sh tab=curl',
  Node: 'js tab=Node',
  Python: 'python tab=Python',
  Go: 'go tab=Go',
  // Compiled nowhere in our tests, so the page says so.
  'C#': 'csharp tab=C# not-run',
};

export const fileOfCall = ({ name }: Endpoint): string => `${name.replaceAll('_', '-')}.md`;

const LISTENING = [
  'None of the packages speaks WebSocket by itself. The [command line](../../../packages/cli/README.md) does, and hands what arrives to your receiver:',
  '```sh\ncoinslot listen --forward-to http://localhost:3000/webhook --url http://localhost:4242\n```',
];

function requestSection(call: Endpoint): string[] {
  const examples = callExamples(call);
  if (!examples) return LISTENING;
  return EXAMPLE_LANGUAGES.map(language => `\`\`\`${FENCES[language]}\n${examples[language]}\n\`\`\``);
}

function answerSection({ response }: Endpoint, answer: unknown): string[] {
  const title = response.schema && titleOf(response.schema);
  const named = title ? ` Schema [\`${title}\`](../api.md#${title.toLowerCase()}).` : '';
  const shown = answer === null ? [] : [`\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\``];
  return [
    `**${response.status}**: ${response.description}${named} The header \`x-request-id\` names the request in the server's log.`,
    ...shown,
  ];
}

function callPage(call: Endpoint): string {
  const given = [
    ...fields('Path', call.params),
    ...fields('Query', call.query),
    ...fields('Headers', call.headers),
    ...fields(call.bodyOptional ? 'Body (optional)' : 'Body', call.body),
  ];
  return document(
    `# ${call.summary}`,
    'For developers of a game backend. One minute.',
    `\`${call.method} ${call.path}\``,
    call.description,
    '## Request',
    ...requestSection(call),
    ...given,
    '## Answer',
    ...answerSection(call, exampleAnswer(call)),
    '## Errors',
    table(
      ['Code', 'Status', 'Title'],
      errorsOf(call).map(code => [
        `[\`${code}\`](../errors.md#${code})`,
        String(ERRORS[code].status),
        ERRORS[code].title,
      ]),
    ),
  );
}

/** A page for each call, by its path from the root. */
export const callPages = (): Record<string, string> =>
  Object.fromEntries(CALLS.map(call => [`docs/reference/calls/${fileOfCall(call)}`, callPage(call)]));
