export type FormValue = string | FormValue[] | FormFields;
export interface FormFields {
  [name: string]: FormValue;
}

const PATH = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

function put(target: FormFields, path: string[], value: string): void {
  const [name, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  target[name] ??= {};
  const next = target[name] as FormFields;
  const key = rest[0] === '' ? String(Object.keys(next).length) : rest[0]!;
  put(next, [key, ...rest.slice(1)], value);
}

/** `{ 0: a, 1: b }` is a list. */
function tidy(value: FormValue): FormValue {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, tidy(inner)] as const);
  const isList = entries.length > 0 && entries.every(([name], i) => name === String(i));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** Stripe's form encoding: `metadata[order_id]=…&expand[0]=…`. */
export function readForm(text: string): FormFields {
  const fields: FormFields = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const match = PATH.exec(name);
    if (!match) continue;
    const inner = [...match[2]!.matchAll(/\[([^[\]]*)\]/g)].map(([, key]) => key!);
    put(fields, [match[1]!, ...inner], value);
  }
  return tidy(fields) as FormFields;
}

export const textIn = (fields: FormFields, name: string): string | null => {
  const value = fields[name];
  return typeof value === 'string' ? value : null;
};

export const fieldsIn = (fields: FormFields, name: string): FormFields => {
  const value = fields[name];
  return typeof value === 'object' && !Array.isArray(value) ? value : {};
};

export const listIn = (fields: FormFields, name: string): string[] => {
  const value = fields[name];
  return Array.isArray(value) ? value.filter(entry => typeof entry === 'string') : [];
};
