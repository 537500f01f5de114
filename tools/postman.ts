import { ENDPOINTS, type Endpoint } from '@coinslot/contract';
import { exampleBody } from './example-call.ts';

interface Group {
  properties: Record<string, { description?: string }>;
}

const BASE_URL = 'base_url';
const KEY = 's2s_key';

const namesOf = (group: object | undefined): [string, string][] =>
  Object.entries((group as Group | undefined)?.properties ?? {}).map(([name, { description = '' }]) => [
    name,
    description,
  ]);

function requestOf(call: Endpoint): object {
  const body = exampleBody(call);
  const path = call.path.slice(1).replace(/\{(\w+)\}/g, ':$1');
  const optional = namesOf(call.query).map(([key, description]) => ({ key, value: '', description, disabled: true }));
  const headers = namesOf(call.headers).map(([key, description]) => ({ key, value: '', description, disabled: true }));
  return {
    method: call.method,
    description: call.description,
    header: [...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []), ...headers],
    ...(body && {
      body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
    }),
    url: {
      raw: `{{${BASE_URL}}}/${path}`,
      host: [`{{${BASE_URL}}}`],
      path: path.split('/'),
      ...(optional.length > 0 && { query: optional }),
      ...(call.params && {
        variable: namesOf(call.params).map(([key, description]) => ({ key, value: `{{${key}}}`, description })),
      }),
    },
  };
}

/** For Postman and what else reads its format, version 2.1. */
export function postmanCollection(): string {
  const calls = Object.values<Endpoint>(ENDPOINTS);
  const tags = [...new Set(calls.map(call => call.tag))];
  const names = new Set(calls.flatMap(call => namesOf(call.params).map(([name]) => name)));
  const collection = {
    info: {
      name: 'Coinslot',
      description: 'Server-to-server API. Set the variables base_url and s2s_key; the sandbox key moves no real money.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: `{{${KEY}}}`, type: 'string' }] },
    variable: [
      { key: BASE_URL, value: 'http://localhost:4242' },
      { key: KEY, value: '' },
      ...[...names].map(key => ({ key, value: '' })),
    ],
    item: tags.map(tag => ({
      name: tag,
      item: calls.filter(call => call.tag === tag).map(call => ({ name: call.summary, request: requestOf(call) })),
    })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}
