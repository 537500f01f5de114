import {
  ENDPOINTS,
  type Endpoint,
  EVENT_KINDS,
  exampleAnswer,
  exampleBody,
  exampleEvent,
  openApiDocument,
  webhookBody,
} from '@coinslot/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { exampleCommand } from './example-call.ts';
import { eventSchemas, listedGuides, llmsText } from './machine-reference.ts';
import { postmanCollection } from './postman.ts';

const calls = Object.values<Endpoint>(ENDPOINTS);
const ajv = new Ajv2020({ strict: false, validateFormats: false });

describe.each(calls.map(call => [call.name, call] as const))('the example of %s', (_name, call) => {
  it('is a body the call takes, and a command that names no foreign thing', () => {
    const body = exampleBody(call);
    expect(body === null).toBe(call.body === undefined);
    if (call.body) expect(ajv.validate(JSON.parse(JSON.stringify(call.body)), body), ajv.errorsText()).toBe(true);
    expect(exampleCommand(call)).toMatch(/^curl -sS (?:-X [A-Z]+ )?"?http:\/\/localhost:4242\/s2s\/v1\//);
  });
});

describe('OpenAPI', () => {
  interface Operation {
    operationId?: string;
    requestBody?: { content: Record<string, { example?: unknown }> };
    responses: Record<string, { content?: Record<string, { example?: unknown; examples?: object }> }>;
  }
  const { paths, webhooks, components } = openApiDocument() as unknown as {
    paths: Record<string, Record<string, Operation>>;
    webhooks: Record<string, Record<string, Operation>>;
    components: { responses: Operation['responses'] };
  };
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap(one => Object.values(one));

  it('names every operation once', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
  });

  /** Each schema by its JSON Pointer: those with a name, and those that stand in an operation. */
  function pointers(value: unknown, path = ''): string[] {
    if (typeof value !== 'object' || value === null || path.includes('/example')) return [];
    return Object.entries(value).flatMap(([key, inner]) => {
      const pointer = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return key === 'schema' || path === '/components/schemas' ? [pointer] : pointers(inner, pointer);
    });
  }

  it('loads in a strict validator that knows no format of ours', () => {
    const document = openApiDocument();
    const strict = new Ajv2020({ strict: true });
    strict.addVocabulary(Object.keys(document));
    strict.addSchema(document, 'api');
    const all = pointers(document);
    expect(all.length).toBeGreaterThan(100);
    for (const pointer of all) expect(() => strict.compile({ $ref: `api#${encodeURI(pointer)}` })).not.toThrow();
  });

  it('takes what the contract takes: its examples, and values at the edge of each pattern', () => {
    const document = openApiDocument();
    const strict = new Ajv2020({ strict: true });
    strict.addVocabulary(Object.keys(document));
    strict.addSchema(document, 'api');
    const order = {
      player_id: 'p',
      items: [{ sku: 's', sale: { price_decimal: 1 }, image_url: 'HTTPS://cdn.example/a.png' }],
      email: '"a b"@example.com',
      currency: 'JPY',
      country: 'GB',
      locale: 'zh-Hant-TW',
      back_to_game_url: 'my-game.app+1:{order_id}',
      player: { attributes: { level: 3, guild: 'Foxes', vip: true } },
    };
    const check = strict.getSchema('api#/components/schemas/CreateOrder');
    expect([check?.(order), check?.errors]).toEqual([true, null]);
    for (const call of calls) {
      const { title } = { title: '', ...call.body };
      if (title === '') continue;
      const takes = strict.getSchema(`api#/components/schemas/${title}`);
      expect([call.name, takes?.(exampleBody(call)), takes?.errors]).toEqual([call.name, true, null]);
    }
  });

  it('shows an example of every request, answer and error', () => {
    for (const { operationId, requestBody, responses } of operations) {
      for (const { content } of [requestBody, ...Object.values(responses)].filter(part => part !== undefined))
        for (const media of Object.values(content ?? {}))
          expect([operationId, media]).toEqual([operationId, expect.objectContaining({ example: expect.anything() })]);
    }
    for (const { content } of Object.values(components.responses))
      for (const media of Object.values(content ?? {})) expect(Object.keys(media.examples ?? {})).not.toEqual([]);
  });

  it.each(calls.filter(({ response }) => response.schema).map(call => [call.name, call] as const))(
    'shows an answer of %s that its schema takes',
    (_name, call) => {
      const schema = JSON.parse(JSON.stringify(call.response.schema)) as object;
      expect(ajv.validate(schema, exampleAnswer(call)), ajv.errorsText()).toBe(true);
    },
  );

  it.each(EVENT_KINDS)('shows a body of %s that its schema takes', kind => {
    const schema = JSON.parse(JSON.stringify(webhookBody(kind))) as object;
    expect(ajv.validate(schema, exampleEvent(webhookBody(kind))), ajv.errorsText()).toBe(true);
  });
});

describe('an example', () => {
  /** Fields whose value is only their own name, which tells a reader nothing. */
  function empties(value: unknown, name = ''): string[] {
    if (typeof value !== 'object' || value === null) return value === name ? [name] : [];
    return Object.entries(value).flatMap(([key, one]) => empties(one, Array.isArray(value) ? name : key));
  }

  it('has values that a game would see', () => {
    expect(calls.flatMap(call => [...empties(exampleBody(call)), ...empties(exampleAnswer(call))])).toEqual([]);
    expect(EVENT_KINDS.flatMap(kind => empties(exampleEvent(webhookBody(kind))))).toEqual([]);
  });
});

describe('the Postman collection', () => {
  interface Item {
    request: { method: string; url: { path: string[]; variable?: { key: string }[] } };
  }
  const collection = JSON.parse(postmanCollection()) as {
    info: { schema: string };
    variable: { key: string }[];
    item: Item[];
  };

  it('has every call once, and a variable for everything it needs', () => {
    const requests = collection.item.map(({ request }) => request);
    expect(requests.map(({ method, url }) => `${method} /${url.path.join('/')}`).toSorted()).toEqual(
      calls.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`).toSorted(),
    );
    const known = new Set(collection.variable.map(({ key }) => key));
    for (const { url } of requests) for (const { key } of url.variable ?? []) expect(known).toContain(key);
    expect(collection.info.schema).toContain('/v2.1.0/');
  });
});

describe('the event schemas', () => {
  const schema = JSON.parse(eventSchemas()) as { $id: string; oneOf: object[]; $defs: Record<string, object> };
  const check = new Ajv2020();
  check.addSchema(schema);

  it('compiles in strict mode, as validators do by default', () => {
    expect(() => new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema)).not.toThrow();
  });

  it('has one for each kind', () => {
    expect(schema.oneOf).toHaveLength(EVENT_KINDS.length);
  });

  it('takes a real body, and not one of another kind or without its key', () => {
    const event = {
      event_id: 'evt_1',
      event_type: 'checkout.opened',
      event_time: 1_767_225_600,
      game_id: 'game_1',
      sandbox: true,
      idempotency_key: 'evt_1',
      event_data: { order_id: 'ord_1', player_id: 'player-1' },
    };
    const takes = (name: string, body: object): boolean => check.validate(`${schema.$id}#/$defs/${name}`, body);
    expect(takes('Event_checkout_opened', event)).toBe(true);
    expect(takes('Event_item_add', event)).toBe(false);
    const { idempotency_key: _, ...without } = event;
    expect(takes('Event_checkout_opened', without)).toBe(false);
  });
});

describe('llms.txt', () => {
  it('names every guide, and begins as llmstxt.org asks', () => {
    const text = llmsText();
    expect(text).toMatch(/^# Coinslot\n\n> /);
    expect(listedGuides().length).toBeGreaterThan(8);
    for (const { file } of listedGuides()) expect(text).toContain(`(../guides/${file})`);
  });
});
