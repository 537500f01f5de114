import { InexactNumber, type JsonValue } from './strict-json.ts';

export interface SchemaShape {
  type?: unknown;
  properties?: Record<string, SchemaShape>;
  items?: SchemaShape;
  maxItems?: number;
  maxProperties?: number;
}

type Find = (value: JsonValue, pointer: string, found: string[]) => void;

const MAX_NAMED = 100;
/** Applies where a schema has no limit of its own. */
const MAX_ENTRIES = 1_000;

export const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** One entry more than allowed is enough to see that there are too many, so the rest is never checked. */
export const entriesToCheck = (limit: number | undefined): number => (limit ?? MAX_ENTRIES) + 1;

export const isPlainObject = (value: JsonValue): value is { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof InexactNumber);

function finderOfObject(properties: Record<string, SchemaShape>): Find {
  // A map and not the schema's object: a field named `constructor` is not known only because objects inherit it.
  const known = new Map(Object.entries(properties).map(([key, schema]) => [key, finderOf(schema)]));
  return (value, pointer, found) => {
    if (!isPlainObject(value)) return;
    for (const key in value) {
      const inner = known.get(key);
      if (inner === undefined) {
        if (found.length < MAX_NAMED) found.push(`${pointer}/${pointerPart(key)}`);
      } else if (inner !== null) {
        inner(value[key] as JsonValue, `${pointer}/${key}`, found);
      }
    }
  };
}

function finderOfArray(items: Find, limit: number): Find {
  return (value, pointer, found) => {
    if (!Array.isArray(value)) return;
    const end = Math.min(value.length, limit);
    for (let i = 0; i < end; i++) items(value[i] as JsonValue, `${pointer}/${i}`, found);
  };
}

/** Returns null for plain values and objects with free keys, in which no field can be unknown. */
function finderOf(schema: SchemaShape): Find | null {
  if (schema.properties) return finderOfObject(schema.properties);
  const items = schema.items ? finderOf(schema.items) : null;
  return items ? finderOfArray(items, entriesToCheck(schema.maxItems)) : null;
}

/** Prepares the search for fields that a schema does not know, as JSON Pointers, at most a hundred. */
export function unknownFieldsOf(schema: object): (value: JsonValue) => string[] {
  const find = finderOf(schema);
  return value => {
    const found: string[] = [];
    find?.(value, '', found);
    return found;
  };
}

type Prune = (value: JsonValue) => JsonValue;

function firstKeys(value: { [key: string]: JsonValue }, most: number): JsonValue {
  const kept: { [key: string]: JsonValue } = {};
  let count = 0;
  for (const key in value) {
    if (count++ >= most) break;
    kept[key] = value[key]!;
  }
  return kept;
}

/** Returns null for a schema that limits nothing. */
function prunerOf(schema: SchemaShape): Prune | null {
  if (schema.properties) {
    const known = Object.entries(schema.properties).map(([key, inner]) => [key, prunerOf(inner)] as const);
    return value => {
      if (!isPlainObject(value)) return value;
      const kept: { [key: string]: JsonValue } = {};
      for (const [key, prune] of known) {
        if (Object.hasOwn(value, key)) kept[key] = prune ? prune(value[key]!) : value[key]!;
      }
      return kept;
    };
  }
  if (schema.items) {
    const most = entriesToCheck(schema.maxItems);
    const prune = prunerOf(schema.items);
    return value => {
      if (!Array.isArray(value)) return value;
      const kept = value.length > most ? value.slice(0, most) : value;
      return prune ? kept.map(prune) : kept;
    };
  }
  const { maxProperties } = schema;
  if (maxProperties === undefined) return null;
  return value => (isPlainObject(value) ? firstKeys(value, entriesToCheck(maxProperties)) : value);
}

/**
 * Prepares a function that copies only the fields of a schema, and one entry past each of its limits. The thorough check
 * names every error, so a list of a hundred thousand wrong entries would give a hundred thousand errors.
 */
export function pruneOf(schema: object): Prune {
  return prunerOf(schema) ?? (value => value);
}
