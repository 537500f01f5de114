import {
  CURRENCIES,
  DELIVERY_STATUSES,
  ENDPOINTS,
  type Endpoint,
  EVENT_KINDS,
  EVENT_SELECTORS,
  EVENTS,
  errorsOf,
  ISSUES,
  ORDER_STATUSES,
  PAYMENT_STATUSES,
  REASON_CODES,
  THEMES,
  webhookBody,
} from '@coinslot/contract';
import { finalOrderStatuses, orderStatusesThatAre } from '../apps/server/src/domain/order/order.ts';

interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: Schema;
  items?: Schema;
  enum?: readonly string[];
}

const NOTE = `/** Types of the API. Generated from the contract by \`npm run generate\`: change them there. */`;

const calls: Endpoint[] = Object.values(ENDPOINTS);

/** What a call of a game backend can be answered with, also before it reaches its endpoint. */
const ERROR_CODES = new Set([
  ...calls.flatMap(errorsOf),
  ...(['not_found', 'method_not_allowed', 'uri_too_long', 'headers_too_large'] as const),
]);

/** Lists that have a name in TypeScript; the SDK also checks with those that it exports as values. */
const WORDS: Record<string, readonly string[]> = {
  OrderStatus: ORDER_STATUSES,
  PaymentStatus: PAYMENT_STATUSES,
  DeliveryStatus: DELIVERY_STATUSES,
  EventKind: EVENT_KINDS,
  EventSelector: EVENT_SELECTORS,
  ReasonCode: REASON_CODES,
  Theme: THEMES,
  ErrorCode: [...ERROR_CODES],
  IssueCode: Object.keys(ISSUES),
};
const AS_VALUES: Record<string, string> = {
  OrderStatus: 'ORDER_STATUSES',
  PaymentStatus: 'PAYMENT_STATUSES',
  DeliveryStatus: 'DELIVERY_STATUSES',
  EventSelector: 'EVENT_SELECTORS',
};
/** The contract is laxer with these at run time than in its types. */
const TYPED_BY_HAND: Record<string, string> = { 'Webhook.events': 'EventSelector[]' };

const quote = (word: string): string => `'${word}'`;
const pascal = (name: string): string => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
const keyOf = (name: string): string => (/^\w+$/.test(name) ? name : quote(name));

class Shapes {
  readonly #named = new Map<string, string>();
  readonly #properties = new Map<string, Record<string, Schema>>();

  /** Declares a schema under a name; one that only adds to another is written as its extension. */
  declare(name: string, { description, properties = {}, required = [] }: Schema): string {
    if (this.#named.has(name)) return name;
    const base = this.#baseOf(properties);
    // Before its fields are written, so that it stands in front of what they need.
    this.#named.set(name, '');
    this.#properties.set(name, properties);
    const fields = Object.entries(properties)
      .filter(([key]) => !base || !(key in base.properties))
      .map(([key, field]) => {
        const type = TYPED_BY_HAND[`${name}.${key}`] ?? this.typeOf(field);
        const note = field.description ? `/** ${field.description} */ ` : '';
        return `  ${note}${keyOf(key)}${required.includes(key) ? '' : '?'}: ${type};`;
      });
    const note = description ? `/** ${description} */\n` : '';
    const head = `export interface ${name}${base ? ` extends ${base.name}` : ''}`;
    this.#named.set(name, `${note}${head} {\n${fields.join('\n')}\n}`);
    return name;
  }

  #baseOf(properties: Record<string, Schema>): { name: string; properties: Record<string, Schema> } | undefined {
    const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
    return [...this.#properties]
      .map(([name, candidate]) => ({ name, properties: candidate, size: Object.keys(candidate).length }))
      .filter(
        one => one.size > 3 && Object.entries(one.properties).every(([key, field]) => same(field, properties[key])),
      )
      .toSorted((one, other) => other.size - one.size)[0];
  }

  typeOf(schema: Schema): string {
    const kinds = [schema.type ?? []].flat();
    const parts = kinds.map(kind => (kind === 'null' ? 'null' : this.#plain({ ...schema, type: kind })));
    return parts.length > 0 ? parts.join(' | ') : 'unknown';
  }

  #plain(schema: Schema): string {
    if (schema.enum) return this.#words(schema.enum);
    if (schema.type === 'array') {
      const item = this.typeOf(schema.items ?? {});
      return /[ |]/.test(item) ? `Array<${item}>` : `${item}[]`;
    }
    if (schema.type !== 'object') return schema.type === 'integer' ? 'number' : String(schema.type);
    if (schema.additionalProperties) return `Record<string, ${this.typeOf(schema.additionalProperties)}>`;
    const { data, next_cursor } = schema.properties ?? {};
    if (data?.items && next_cursor) return `Page<${this.typeOf(data.items)}>`;
    if (schema.title) return this.declare(schema.title, schema);
    const { properties = {}, required = [] } = schema;
    const fields = Object.entries(properties).map(
      ([key, field]) => `${keyOf(key)}${required.includes(key) ? '' : '?'}: ${this.typeOf(field)}`,
    );
    return `{ ${fields.join('; ')} }`;
  }

  #words(words: readonly string[]): string {
    const same = (list: readonly string[]): boolean => list.join() === words.join();
    const name = Object.keys(WORDS).find(one => same(WORDS[one] ?? []));
    return name ?? words.map(quote).join(' | ');
  }

  names(): string[] {
    return [...this.#named.keys()];
  }

  text(without: string[] = []): string[] {
    return [...this.#named].filter(([name]) => !without.includes(name)).map(([, text]) => text);
  }
}

const PAGE = `/** One page of a list, newest first. */
export interface Page<T> {
  data: T[];
  /** Send it as \`cursor\` to get the next page; null on the last page. */ next_cursor: string | null;
}`;

function wordLists(): string[] {
  return Object.entries(WORDS).map(([name, words]) => {
    const constant = AS_VALUES[name];
    const list = words.map(quote);
    return constant
      ? `export const ${constant} = [${list.join(', ')}] as const;\nexport type ${name} = (typeof ${constant})[number];`
      : `export type ${name} = ${list.join(' | ')};`;
  });
}

const EVENT = `/** A webhook's body. Switch on \`event_type\` to narrow it. */
export type WebhookEvent<K extends EventKind = EventKind> = {
  [Kind in K]: EventEnvelope & { event_type: Kind; event_data: EventDataByKind[Kind] };
}[K];`;

function eventShapes(): string[] {
  const shapes = new Shapes();
  const kinds = EVENT_KINDS.map(
    kind => `  /** ${EVENTS[kind].description} */ ${quote(kind)}: ${shapes.typeOf(EVENTS[kind].data as Schema)};`,
  );
  const { properties = {}, required = [] } = webhookBody('item.add') as Schema;
  const { event_type: _, event_data: __, ...rest } = properties;
  shapes.declare('EventEnvelope', {
    properties: rest,
    required,
    description: 'The fields around `event_data` in every webhook.',
  });
  const byKind = `/** Every kind of event and its \`event_data\`. */\nexport interface EventDataByKind {\n${kinds.join('\n')}\n}`;
  return [...shapes.text(shop.names()), byKind, EVENT];
}

function shapesOf(some: Endpoint[]): Shapes {
  const shapes = new Shapes();
  // What is read comes first: what is saved only adds warnings to it.
  const readsFirst = some.toSorted((one, other) => Number(other.method === 'GET') - Number(one.method === 'GET'));
  for (const { name, body, query, response } of readsFirst) {
    if (body) shapes.typeOf(body);
    if (query) shapes.declare(`${pascal(name)}Query`, query);
    if (response.schema) shapes.typeOf(response.schema);
  }
  return shapes;
}

/** The shop in one file; what is about webhooks and sandbox in another. */
const SHOP = new Set<string>(['Orders', 'Payments', 'Items', 'Players']);
const shop = shapesOf(calls.filter(({ tag }) => SHOP.has(tag)));

/** What a caller may ask of a status, as the tables of the server say it. */
function statusGroups(): string[] {
  const list = (name: string, why: string, statuses: readonly string[]): string =>
    `/** ${why} */\nexport const ${name}: readonly OrderStatus[] = [${statuses.map(quote).join(', ')}];`;
  return [
    list('FINAL_ORDER_STATUSES', 'Nothing that a caller could wait for follows.', finalOrderStatuses()),
    list('UNPAID_ORDER_STATUSES', 'No payment ever held money for it.', orderStatusesThatAre('unpaid')),
  ];
}

/** In front of the shapes stand the imports they use. */
function withImports(parts: string[], from: Record<string, string[]>): string[] {
  const code = parts.join('\n').replace(/\/\*\*.*?\*\//gs, '');
  const imports = Object.entries(from).flatMap(([path, names]) => {
    const used = names.filter(name => new RegExp(`\\b${name}\\b`).test(code));
    return used.length > 0 ? [`import type { ${used.join(', ')} } from '${path}';`] : [];
  });
  return [imports.join('\n'), ...parts];
}

const file = (...parts: string[]): string => `${[NOTE, ...parts].join('\n\n')}\n`;

function currencyDecimals(): string {
  const rows = [...CURRENCIES].filter(([, decimals]) => decimals !== 2).map(row => `  ['${row[0]}', ${row[1]}],`);
  return [
    'const DECIMALS: ReadonlyMap<string, number> = new Map([',
    ...rows,
    ']);',
    '',
    '/** How many decimals a currency has by ISO 4217, which may differ from what `Intl` says. */',
    'export const currencyDecimals = (currency: string): number => DECIMALS.get(currency) ?? 2;',
  ].join('\n');
}

/** The types that the SDK publishes, so that it depends on nothing. */
export function sdkShapes(): Record<string, string> {
  const words = { './word-shapes.ts': Object.keys(WORDS) };
  const known = { './api-shapes.ts': shop.names(), ...words };
  return {
    'packages/sdk/src/currency-decimals.ts': file(currencyDecimals()),
    'packages/sdk/src/word-shapes.ts': file(...wordLists(), ...statusGroups()),
    'packages/sdk/src/api-shapes.ts': file(...withImports([PAGE, ...shop.text()], words)),
    'packages/sdk/src/webhook-shapes.ts': file(...withImports(shapesOf(calls).text(shop.names()), known)),
    'packages/sdk/src/event-shapes.ts': file(...withImports(eventShapes(), known)),
  };
}
