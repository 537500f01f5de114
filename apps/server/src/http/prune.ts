import type { JsonValue } from './strict-json.ts';
import { entriesToCheck, isPlainObject, type SchemaShape } from './unknown-fields.ts';

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
