interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema;
  enum?: string[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
}

/** A place in a body, and something that must not stand there. */
export interface WrongValue {
  /** Path of keys and indexes from the body's root. */
  path: (string | number)[];
  why: string;
  value: unknown;
}

const SAMPLES: [type: string, value: unknown][] = [
  ['null', null],
  ['boolean', true],
  ['number', 1.5],
  ['string', 'x'],
  ['array', []],
  ['object', {}],
];

function fits(schema: Schema, type: string): boolean {
  const allowed = [schema.type ?? []].flat();
  // 1.5 is a number and no integer, which is what the sample is for.
  return allowed.includes(type);
}

/** A field without a type, such as one that is refused whatever it holds, has no wrong type. */
const wrongTypes = (schema: Schema): Omit<WrongValue, 'path'>[] =>
  schema.type === undefined && !schema.enum
    ? []
    : SAMPLES.filter(([type]) => !fits(schema, type)).map(([type, value]) => ({ why: type, value }));

function beyondLimits(schema: Schema): Omit<WrongValue, 'path'>[] {
  const { minLength = 0, maxLength, minimum, maximum, minItems = 0, maxItems, maxProperties } = schema;
  const found: Omit<WrongValue, 'path'>[] = [];
  const add = (why: string, value: unknown): void => void found.push({ why, value });
  if (minLength > 0) add('too short', 'x'.repeat(minLength - 1));
  if (maxLength !== undefined && fits(schema, 'string')) add('too long', 'x'.repeat(maxLength + 1));
  if (minimum !== undefined) add('too small', minimum - 1);
  if (maximum !== undefined) add('too big', maximum + 1);
  if (minItems > 0) add('too few', []);
  if (maxItems !== undefined)
    add(
      'too many',
      Array.from({ length: maxItems + 1 }, () => ({ sku: 'x' })),
    );
  if (maxProperties !== undefined) {
    add('too many keys', Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, i) => [`key${i}`, 'x'])));
  }
  if (schema.enum) add('no such word', 'POST ');
  if (schema.format) add('wrong form', 'not it');
  return found;
}

/** Every wrong type and every broken limit for every field that a schema knows, at any depth. */
export function wrongValues(schema: object, path: (string | number)[] = []): WrongValue[] {
  const { properties = {}, items, additionalProperties } = schema as Schema;
  const children: [string | number, Schema][] = Object.entries(properties);
  if (items) children.push([0, items]);
  if (additionalProperties) children.push(['any', additionalProperties]);
  return children.flatMap(([key, child]) => [
    ...[...wrongTypes(child), ...beyondLimits(child)].map(wrong => ({ ...wrong, path: [...path, key] })),
    ...wrongValues(child, [...path, key]),
  ]);
}

export const pointerOf = ({ path }: WrongValue): string => `/${path.join('/')}`;

/** The body with the value in its place; what stands in the way becomes what the place needs. */
export function withValue(body: unknown, [key, ...rest]: (string | number)[], value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === 'number') return [withValue((body as unknown[] | undefined)?.[0], rest, value)];
  const record = (body ?? {}) as Record<string, unknown>;
  return { ...record, [key]: withValue(record[key], rest, value) };
}
