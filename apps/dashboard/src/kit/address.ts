type QueryValue = string | number | boolean | readonly string[] | null | undefined;

export interface PlainRequest {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, QueryValue>>;
  body?: unknown;
  file?: Blob;
}

/** Fills in the `{names}` of a path; empty query values are left out. */
export function addressOf(path: string, { params = {}, query = {} }: PlainRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) pairs.append(name, String(one));
  }
  const text = pairs.toString();
  return text === '' ? filled : `${filled}?${text}`;
}
