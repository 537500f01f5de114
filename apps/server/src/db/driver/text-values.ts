const LAST_PLAIN_YEAR = 9999;

/** Years of more or fewer digits are written in another way. */
const isPlainDate = (date: Date): boolean => date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= LAST_PLAIN_YEAR;

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** As SQL writes an array; undefined: one of its elements is of a rarer kind. */
function arrayText(elements: readonly unknown[]): string | undefined {
  const texts: string[] = [];
  for (const element of elements) {
    const text = Array.isArray(element) ? undefined : asText(element);
    if (text === undefined) return undefined;
    texts.push(text === null ? 'NULL' : quoted(text));
  }
  return `{${texts.join(',')}}`;
}

/** A value as PostgreSQL reads it from text. Undefined: of a kind that the driver must turn into text. */
export function asText(value: unknown): string | null | undefined {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date && isPlainDate(value)) return value.toISOString();
  return Array.isArray(value) ? arrayText(value) : undefined;
}
