const BIND = 'B'.charCodeAt(0);
const LENGTH_BYTES = 4;
const COUNT_BYTES = 2;
/** All answers as text. */
const ANSWER_FORMATS = Buffer.from([0, 1, 0, 0]);
/** Execute of the unnamed portal with all its rows, then Sync. */
const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4]);
const END = Buffer.concat([ANSWER_FORMATS, EXECUTE_AND_SYNC]);

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

/** Undefined: of a kind that the driver must turn into text. */
function asText(value: unknown): string | null | undefined {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date && isPlainDate(value)) return value.toISOString();
  return Array.isArray(value) ? arrayText(value) : undefined;
}

/** Portal without a name, statement by its name. */
const heads = new Map<string, Buffer>();

function headOf(name: string): Buffer {
  const known = heads.get(name) ?? Buffer.from(`\0${name}\0`);
  heads.set(name, known);
  return known;
}

/**
 * All that runs a statement which the connection has prepared, in one piece. The driver makes four of it, each a write and a buffer of its
 * own. Null: a value is of a kind that only the driver writes, such as bytes.
 */
export function executionMessage(name: string, values: readonly unknown[]): Buffer | null {
  const head = headOf(name);
  // No formats are named, so all values are text.
  let size = 1 + LENGTH_BYTES + head.length + COUNT_BYTES + COUNT_BYTES;
  const texts: (string | null)[] = [];
  const lengths: number[] = [];
  for (const value of values) {
    const text = asText(value);
    if (text === undefined) return null;
    const length = text === null ? 0 : Buffer.byteLength(text);
    texts.push(text);
    lengths.push(length);
    size += LENGTH_BYTES + length;
  }
  const message = Buffer.allocUnsafe(size + END.length);
  message[0] = BIND;
  message.writeInt32BE(size + ANSWER_FORMATS.length - 1, 1);
  head.copy(message, 1 + LENGTH_BYTES);
  let at = 1 + LENGTH_BYTES + head.length;
  at = message.writeInt16BE(0, at);
  at = message.writeInt16BE(texts.length, at);
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i]!;
    at = message.writeInt32BE(text === null ? -1 : lengths[i]!, at);
    if (text !== null) at += message.write(text, at, 'utf8');
  }
  END.copy(message, at);
  return message;
}
