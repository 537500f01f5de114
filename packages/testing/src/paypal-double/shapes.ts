/** What a JSON value must look like: a text by its pattern or one of a list, a number, a list, or an object. */
export type Shape =
  | RegExp
  | readonly string[]
  | 'boolean'
  | 'integer'
  | { readonly list: Shape; readonly min?: number; readonly max?: number }
  | { readonly fields: Readonly<Record<string, Shape>>; readonly needs?: readonly string[] };

export interface Misfit {
  /** A JSON pointer. */
  field: string;
  issue: 'INVALID_PARAMETER_SYNTAX' | 'INVALID_PARAMETER_VALUE' | 'MISSING_REQUIRED_PARAMETER' | 'UNKNOWN_FIELD';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function misfitsInObject(
  { fields, needs = [] }: { fields: Readonly<Record<string, Shape>>; needs?: readonly string[] },
  value: Record<string, unknown>,
  at: string,
): Misfit[] {
  const missing = needs.filter(name => value[name] === undefined);
  return [
    ...missing.map(name => ({ field: `${at}/${name}`, issue: 'MISSING_REQUIRED_PARAMETER' as const })),
    ...Object.entries(value).flatMap(([name, inner]): Misfit[] => {
      const shape = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return shape ? misfitsOf(shape, inner, `${at}/${name}`) : [{ field: `${at}/${name}`, issue: 'UNKNOWN_FIELD' }];
    }),
  ];
}

/** Everything in a value that its shape does not allow. A field that is not named is not allowed. */
export function misfitsOf(shape: Shape, value: unknown, at = ''): Misfit[] {
  const wrong = (isFine: boolean, issue: Misfit['issue'] = 'INVALID_PARAMETER_SYNTAX'): Misfit[] =>
    isFine ? [] : [{ field: at, issue }];
  if (shape === 'boolean') return wrong(typeof value === 'boolean');
  if (shape === 'integer') return wrong(Number.isInteger(value));
  if (shape instanceof RegExp) return wrong(typeof value === 'string' && shape.test(value));
  if ('fields' in shape) return isObject(value) ? misfitsInObject(shape, value, at) : wrong(false);
  if ('list' in shape) {
    if (!Array.isArray(value)) return wrong(false);
    if (value.length < (shape.min ?? 0) || value.length > (shape.max ?? 10_000)) return wrong(false);
    return value.flatMap((inner, i) => misfitsOf(shape.list, inner, `${at}/${i}`));
  }
  return wrong(typeof value === 'string' && shape.includes(value), 'INVALID_PARAMETER_VALUE');
}
