/** What strict validators and generators elsewhere need, of a schema that this program reads more precisely itself. */
type Schema = Record<string, unknown>;

/** Our own formats are unknown elsewhere. Each pattern takes at least what its format takes. */
const PATTERNS: Record<string, string> = {
  email: '^.+@.+$',
  'web-url': '^[Hh][Tt][Tt][Pp][Ss]?://',
  'return-url': '^[A-Za-z][A-Za-z0-9+.-]*:',
  country: '^[A-Z]{2}$',
  currency: '^[A-Z]{3}$',
  locale: '^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$',
  day: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
};

const withPattern = ({ format, ...rest }: Schema): Schema => ({ ...rest, pattern: PATTERNS[String(format)] });

/** Generators make a field with a default a required one, though a request may leave it out. */
function withDefaultInWords({ default: value, description, ...rest }: Schema): Schema {
  const words = typeof description === 'string' ? description : '';
  return { ...rest, description: `${words} Default: \`${JSON.stringify(value)}\`.`.trim() };
}

/** Strict validators refuse a list of types, unless the second is null. */
function withBranches({ type, maxLength, ...rest }: Schema & { type: string[] }): Schema {
  return { ...rest, anyOf: type.map(one => (one === 'string' ? { type: one, maxLength } : { type: one })) };
}

/** Strict validators want to see beside `required` what the field is. */
function withFieldsInBranches(schema: Schema & { oneOf: Schema[] }): Schema {
  const properties = schema.properties as Schema;
  const branch = ({ required }: Schema): Schema => ({
    type: 'object',
    required,
    properties: Object.fromEntries((required as string[]).map(name => [name, properties[name]])),
  });
  return { ...schema, oneOf: schema.oneOf.map(branch) };
}

const isUnion = (type: unknown): type is string[] => Array.isArray(type) && !(type.length === 2 && type[1] === 'null');

/** The same rules in words that every validator and every generator knows. */
export function portable(given: Schema): Schema {
  // A map of properties may have one named `format` or `default`; only a schema has a type that is a word or a list of them.
  if (typeof given.type !== 'string' && !Array.isArray(given.type)) return given;
  let schema = given;
  if (schema.format !== undefined) schema = withPattern(schema);
  if (schema.default !== undefined) schema = withDefaultInWords(schema);
  if (isUnion(schema.type)) schema = withBranches({ ...schema, type: schema.type });
  if (schema.properties && Array.isArray(schema.oneOf))
    schema = withFieldsInBranches({ ...schema, oneOf: schema.oneOf });
  return schema;
}
