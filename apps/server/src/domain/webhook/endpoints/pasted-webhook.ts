export interface PastedWebhook {
  headers: string;
  body: string;
}

/** `name: value` in each line, or a JSON object of them, as frameworks print it. */
export function readHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  try {
    const object: unknown = JSON.parse(text);
    if (typeof object === 'object' && object !== null && !Array.isArray(object)) {
      for (const [name, value] of Object.entries(object)) headers.set(name.toLowerCase(), String(value).trim());
      return headers;
    }
  } catch {
    // Not JSON, so lines.
  }
  for (const line of text.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':', 1);
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return headers;
}

/** The event that a body claims to be, to find what was really sent. */
export function eventIdIn(body: string): string | null {
  return /"event_id"\s*:\s*"(evt_[0-9a-z]{26})"/.exec(body)?.[1] ?? null;
}

export const sameJson = (a: string, b: string): boolean => {
  try {
    return JSON.stringify(sorted(JSON.parse(a))) === JSON.stringify(sorted(JSON.parse(b)));
  } catch {
    return false;
  }
};

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

export const whitespaceVariants = (body: string): string[] => [
  body.trim(),
  `${body}\n`,
  body.replaceAll('\r\n', '\n'),
  body.replaceAll('\r\n', '\n').trim(),
  body.replace(/^\u{feff}/u, ''),
];

/** As a program writes the same JSON; null when it is none. */
export function compact(body: string): string | null {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return null;
  }
}
