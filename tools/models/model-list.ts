import { ENDPOINTS, type Endpoint, EVENT_KINDS, EVENTS } from '@coinslot/contract';

interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: readonly string[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: Schema;
}

/** What a field holds, in no language yet. */
export type Kind =
  | { kind: 'string'; words: readonly string[] }
  | { kind: 'integer' | 'number' | 'boolean' | 'any' }
  | { kind: 'list' | 'map'; of: Kind }
  | { kind: 'model'; name: string };

export interface Field {
  key: string;
  type: Kind;
  isRequired: boolean;
  isNullable: boolean;
  description: string;
}

export interface Model {
  name: string;
  description: string;
  fields: Field[];
}

export const pascal = (name: string): string =>
  name.replace(/(?:^|[_.-])(\w)/g, (_, letter: string) => letter.toUpperCase());

const isNull = (type: Schema['type']): boolean => Array.isArray(type) && type.includes('null');

/** Every object that a game backend sends, reads or receives, those inside of others first. */
export function listModels(): Model[] {
  const found = new Map<string, Model>();

  function kindOf(schema: Schema, name: string): Kind {
    const types = [schema.type ?? []].flat().filter(type => type !== 'null');
    const [type] = types;
    if (types.length !== 1) return { kind: 'any' };
    if (type === 'string') return { kind: 'string', words: schema.enum ?? [] };
    if (type === 'array') return { kind: 'list', of: kindOf(schema.items ?? {}, name) };
    if (type !== 'object') return { kind: type as 'integer' | 'number' | 'boolean' };
    if (schema.additionalProperties) return { kind: 'map', of: kindOf(schema.additionalProperties, name) };
    if (!schema.properties) return { kind: 'any' };
    return declare(schema.title ?? name, schema);
  }

  function declare(name: string, { description = '', properties = {}, required = [] }: Schema): Kind {
    if (!found.has(name)) {
      const fields = Object.entries(properties).map(([key, field]) => ({
        key,
        type: kindOf(field, name + pascal(key)),
        isRequired: required.includes(key),
        isNullable: isNull(field.type),
        description: field.description ?? '',
      }));
      found.set(name, { name, description, fields });
    }
    return { kind: 'model', name };
  }

  for (const { name, body, response } of Object.values<Endpoint>(ENDPOINTS)) {
    if (body) kindOf(body, `${pascal(name)}Body`);
    if (response.schema) kindOf(response.schema, `${pascal(name)}Answer`);
  }
  for (const kind of EVENT_KINDS) kindOf(EVENTS[kind].data as Schema, `${pascal(kind)}Data`);
  return [...found.values()];
}
