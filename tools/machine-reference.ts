import { readFileSync } from 'node:fs';
import { EVENT_KINDS, openApiDocument } from '@coinslot/contract';
import { fileOfCall } from './calls/call-page.ts';
import { CALLS } from './calls/call-values.ts';

const root = new URL('../', import.meta.url);

const eventName = (kind: string): string => `Event_${kind.replaceAll('.', '_')}`;

/** Every schema that the named ones need, themselves included. */
function withParts(schemas: Record<string, unknown>, names: string[]): Record<string, unknown> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const [, next = ''] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g)) visit(next);
  };
  for (const name of names) visit(name);
  return Object.fromEntries([...found].map(name => [name, schemas[name]]));
}

/** JSON Schema of each webhook body: the file as a whole takes any of them, `$defs` has each by name. */
export function eventSchemas(): string {
  const { components } = openApiDocument() as { components: { schemas: Record<string, unknown> } };
  const names = EVENT_KINDS.map(eventName);
  // Our own formats are unknown elsewhere, and a strict validator refuses to compile what it does not know.
  const definitions = JSON.stringify(withParts(components.schemas, names), (key, value: unknown) =>
    key === 'format' && typeof value === 'string' ? undefined : value,
  );
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:coinslot:events',
    title: 'Coinslot event',
    description: 'Body of a webhook. `event_type` says which of these it is.',
    oneOf: names.map(name => ({ $ref: `#/$defs/${name}` })),
    $defs: JSON.parse(definitions.replaceAll('#/components/schemas/', '#/$defs/')),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** Rows of the table in docs/guides/README.md: title, file, what it is for. */
export function listedGuides(): { title: string; file: string; about: string }[] {
  const index = readFileSync(new URL('docs/guides/README.md', root), 'utf8');
  return [...index.matchAll(/^\| \[(.+?)\]\(([\w-]+\.md)\) \| (.+?) \|$/gm)].map(
    ([, title = '', file = '', about = '']) => ({ title, file, about }),
  );
}

/** For language models and other readers in a hurry, in the form of llmstxt.org. */
export function llmsText(): string {
  const link = (title: string, path: string, about: string): string => `- [${title}](${path}): ${about}`;
  return `# Coinslot

> A self-hosted checkout for in-game items. The game backend creates an order by API, the player pays on a hosted page,
> the game is asked by a signed webhook (item.add), and only its 2xx response captures the money.

- Every call: \`Authorization: Bearer <S2S_KEY>\`, JSON bodies, base path /s2s/v1. A sandbox key moves no real money.
- Create an order with POST /s2s/v1/orders and send the player to \`checkout_url\`, exactly as returned.
- Verify webhooks over the raw body: hex(HMAC-SHA-256(secret, timestamp + "." + body)) equals x-service-signature.
- Handle each \`idempotency_key\` once. Respond with 2xx to grant, or 4xx with {"code":"declined"} to decline for good.
- Errors are application/problem+json with a stable \`code\`. Refunds are always for the full amount.

## Guides

${listedGuides()
  .map(({ title, file, about }) => link(title, `../guides/${file}`, about))
  .join('\n')}

## Reference

${[
  link('API reference', 'api.md', 'every call with its fields, limits and errors'),
  link('Events', 'events.md', 'kinds of events and their fields'),
  link('Errors', 'errors.md', 'every code, and what to do'),
  link('Configuration', 'configuration.md', 'settings of the server'),
].join('\n')}

## Calls

${CALLS.map(call => link(call.summary, `calls/${fileOfCall(call)}`, `${call.method} ${call.path}, in five languages`)).join('\n')}

## For machines

${[
  link('OpenAPI 3.1', 'openapi.json', 'the API'),
  link('Event schemas', 'event-schemas.json', 'JSON Schema of every webhook body'),
  link('Postman collection', 'postman.json', 'every call with an example'),
  link('Signature vectors', 'signature-vectors.json', 'test data for webhook verifiers'),
].join('\n')}
`;
}
