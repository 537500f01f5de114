import type { Issue } from '@coinslot/contract';
import { InexactNumber, type JsonValue } from './strict-json.ts';
import { entriesToCheck, isPlainObject, pointerPart, type SchemaShape } from './unknown-fields.ts';

type Path = (string | number)[];
type Find = (value: JsonValue, path: Path, found: Issue[]) => void;

const MAX_SHOWN = 40;

function issueOf({ source }: InexactNumber, path: Path): Issue {
  const shown = source.length > MAX_SHOWN ? `${source.slice(0, MAX_SHOWN)}…` : source;
  const pointer = path.map(part => `/${pointerPart(String(part))}`).join('');
  return {
    pointer,
    code: 'number_not_exact',
    message: `The number ${shown} has more digits than can be kept exactly.`,
  };
}

/** Searches one entry. Most entries are plain values, which need no step on the path. */
function enter(find: Find, entry: JsonValue, part: string | number, path: Path, found: Issue[]): void {
  if (typeof entry !== 'object' || entry === null) return;
  path.push(part);
  find(entry, path, found);
  path.pop();
}

function findAnywhere(limit: number): Find {
  const find: Find = (value, path, found) => {
    if (value instanceof InexactNumber) found.push(issueOf(value, path));
    else if (Array.isArray(value)) {
      for (let i = 0; i < value.length && found.length < limit; i++) enter(find, value[i]!, i, path, found);
    } else if (isPlainObject(value)) {
      for (const key in value) {
        if (found.length >= limit) return;
        enter(find, value[key]!, key, path, found);
      }
    }
  };
  return find;
}

function findBySchema(schema: SchemaShape, limit: number): Find {
  const anywhere = findAnywhere(limit);
  if (schema.properties) {
    const known = Object.entries(schema.properties).map(([key, inner]) => [key, findBySchema(inner, limit)] as const);
    return (value, path, found) => {
      if (!isPlainObject(value)) anywhere(value, path, found);
      else
        for (const [key, find] of known) {
          if (found.length >= limit) return;
          if (Object.hasOwn(value, key)) enter(find, value[key]!, key, path, found);
        }
    };
  }
  if (!schema.items) return anywhere;
  const items = findBySchema(schema.items, limit);
  const most = entriesToCheck(schema.maxItems);
  return (value, path, found) => {
    if (!Array.isArray(value)) anywhere(value, path, found);
    else
      for (let i = 0; i < value.length && i < most && found.length < limit; i++)
        enter(items, value[i]!, i, path, found);
  };
}

/** Prepares the search for numbers that a float cannot keep, up to a limit. Ignored fields are not searched. */
export function inexactNumbersOf(schema: object, limit: number): (value: JsonValue) => Issue[] {
  const find = findBySchema(schema, limit);
  return value => {
    const found: Issue[] = [];
    find(value, [], found);
    return found;
  };
}
