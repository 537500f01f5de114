import type { JsonValue } from './strict-json.ts';
import { entriesToCheck, isPlainObject, type SchemaShape } from './unknown-fields.ts';

type Prune = (value: JsonValue) => JsonValue;

/** The first entries of an object with free keys. */
function firstKeys(value: { [key: string]: JsonValue }, most: number): JsonValue {
  const kept: { [key: string]: JsonValue } = {};
  let count = 0;
  for (const key in value) {
    if (count++ >= most) break;
    kept[key] = value[key]!;
  }
  return kept;
}

/** Null where there is nothing to cut. */
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
 * Prepares a copy of what a schema would look at, one entry past each limit. The thorough check names every error, so that
 * a list of a hundred thousand wrong entries would make a hundred thousand of them.
 */
export function pruneOf(schema: object): Prune {
  return prunerOf(schema) ?? (value => value);
}
