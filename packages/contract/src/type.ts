import type TypeBox from 'typebox';

export type { Static, TObject, TOptional, TProperties, TSchema } from 'typebox';

/**
 * The few builders that the contract needs, with TypeBox's types only. A schema is a plain object, and loading the
 * library would cost every process a fifth of a second and 10 MB.
 */
type Builders = Pick<
  typeof TypeBox,
  'String' | 'Integer' | 'Number' | 'Boolean' | 'Literal' | 'Array' | 'Object' | 'Optional' | 'Pick' | 'Unsafe'
>;

type Schema = Record<string, unknown>;

/** A symbol stays out of the JSON. The enclosing object lists which fields are required. */
const OPTIONAL = Symbol('optional');

const isOptional = (schema: object): boolean => OPTIONAL in schema;

const of =
  (type: string) =>
  (options?: Schema): Schema => ({ type, ...options });

function objectOf(properties: Record<string, Schema>, options?: Schema): Schema {
  const required = Object.keys(properties).filter(name => !isOptional(properties[name]!));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

const builders = {
  String: of('string'),
  Integer: of('integer'),
  Number: of('number'),
  Boolean: of('boolean'),
  Literal: (value: string | number | boolean, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Object: objectOf,
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  Pick: ({ properties }: { properties: Record<string, Schema> }, names: string[]) =>
    objectOf(Object.fromEntries(names.map(name => [name, properties[name]!]))),
  Unsafe: (schema: Schema) => schema,
};

export const Type = builders as unknown as Builders;
