/** What a caller of a released version would miss in today's API: within a version of the API there are only additions. */

type Json = { [key: string]: unknown };

interface Operation {
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content?: Record<string, { schema?: Json }> };
  responses?: Record<string, { content?: Record<string, { schema?: Json }> }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Json> };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const DEEPEST = 12;

function resolve(document: OpenApi, schema: Json | undefined): Json {
  const name = typeof schema?.$ref === 'string' ? schema.$ref.replace('#/components/schemas/', '') : undefined;
  return name === undefined ? (schema ?? {}) : (document.components?.schemas?.[name] ?? {});
}

interface Field {
  path: string;
  required: boolean;
}

/** Every field of a schema by its path, those of lists and of alternatives too. */
function fieldsOf(document: OpenApi, given: Json | undefined, path = '', depth = 0): Field[] {
  if (depth > DEEPEST) return [];
  const schema = resolve(document, given);
  const inner = (one: unknown, at: string): Field[] => fieldsOf(document, one as Json, at, depth + 1);
  const required = (schema.required ?? []) as string[];
  const own = Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(([name, one]) => {
    const at = `${path}.${name}`;
    return [{ path: at, required: required.includes(name) }, ...inner(one, at)];
  });
  const listed = schema.items ? inner(schema.items, `${path}[]`) : [];
  const others = ['allOf', 'anyOf', 'oneOf'].flatMap(kind =>
    ((schema[kind] ?? []) as Json[]).flatMap(one => inner(one, path)),
  );
  return [...own, ...listed, ...others];
}

const schemaOf = (content: Record<string, { schema?: Json }> | undefined): Json | undefined =>
  content?.['application/json']?.schema;

function changesOf(name: string, before: Operation, after: Operation, old: OpenApi, now: OpenApi): string[] {
  const changes: string[] = [];
  const known = new Set(before.parameters?.map(one => `${one.in} ${one.name}`));
  for (const { in: place, name: parameter, required } of after.parameters ?? [])
    if (required && !known.has(`${place} ${parameter}`))
      changes.push(`${name} wants the ${place} parameter ${parameter}`);
  const sent = fieldsOf(old, schemaOf(before.requestBody?.content));
  for (const { path, required } of fieldsOf(now, schemaOf(after.requestBody?.content))) {
    const parent = path.slice(0, path.lastIndexOf('.'));
    const wasThere = parent === '' || sent.some(one => one.path === parent.replace(/(?:\[\])+$/, ''));
    if (required && wasThere && !sent.some(one => one.path === path && one.required))
      changes.push(`${name} wants ${path}`);
  }
  for (const [status, { content }] of Object.entries(before.responses ?? {}).filter(([code]) => code.startsWith('2'))) {
    const answered = new Set(fieldsOf(now, schemaOf(after.responses?.[status]?.content)).map(({ path }) => path));
    const gone = fieldsOf(old, schemaOf(content)).filter(({ path }) => !answered.has(path));
    changes.push(...new Set(gone.map(({ path }) => `${name} no longer answers ${path}`)));
  }
  return changes;
}

/** Each thing that breaks a caller, in a sentence. */
export function breakingChanges(old: OpenApi, now: OpenApi): string[] {
  return Object.entries(old.paths).flatMap(([path, operations]) =>
    METHODS.filter(method => operations[method]).flatMap(method => {
      const name = `${method.toUpperCase()} ${path}`;
      const after = now.paths[path]?.[method];
      return after ? changesOf(name, operations[method]!, after, old, now) : [`${name} is gone`];
    }),
  );
}
