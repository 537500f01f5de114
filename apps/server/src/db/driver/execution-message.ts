import { SentRows } from './sent-rows.ts';
import { asText } from './text-values.ts';

const BIND = 'B'.charCodeAt(0);
const LENGTH_BYTES = 4;
const COUNT_BYTES = 2;
/** All answers as text. */
const ANSWER_FORMATS = Buffer.from([0, 1, 0, 0]);
/** Execute of the unnamed portal with all its rows, then Sync. */
const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4]);
const END = Buffer.concat([ANSWER_FORMATS, EXECUTE_AND_SYNC]);

/** Portal without a name, statement by its name. */
const heads = new Map<string, Buffer>();

function headOf(name: string): Buffer {
  const known = heads.get(name) ?? Buffer.from(`\0${name}\0`);
  heads.set(name, known);
  return known;
}

/** Text, or bytes in PostgreSQL's binary form. */
type SentValue = string | Buffer | SentRows | null;

const isBinary = (value: SentValue): value is Buffer | SentRows => value !== null && typeof value === 'object';

function lengthOf(value: SentValue): number {
  if (value instanceof SentRows) return value.bytes.length;
  return isBinary(value) ? value.length : Buffer.byteLength(value ?? '');
}

/** Answers how many bytes it wrote. */
function write(message: Buffer, value: Exclude<SentValue, null>, at: number): number {
  if (value instanceof SentRows) return message.write(value.bytes, at, 'latin1');
  return isBinary(value) ? value.copy(message, at) : message.write(value, at, 'utf8');
}

/**
 * All that runs a statement which the connection has prepared, in one piece. The driver makes four of it, each a write and a buffer of its
 * own. Null: a value is of a kind that only the driver writes.
 */
export function executionMessage(name: string, values: readonly unknown[]): Buffer | null {
  const head = headOf(name);
  const sent: SentValue[] = [];
  const lengths: number[] = [];
  let size = 0;
  let hasBinary = false;
  for (const value of values) {
    const text = Buffer.isBuffer(value) || value instanceof SentRows ? value : asText(value);
    if (text === undefined) return null;
    hasBinary ||= isBinary(text);
    const length = lengthOf(text);
    sent.push(text);
    lengths.push(length);
    size += LENGTH_BYTES + length;
  }
  // Without a list of formats all values are text.
  const formats = hasBinary ? sent.length : 0;
  size += 1 + LENGTH_BYTES + head.length + COUNT_BYTES * (2 + formats);
  const message = Buffer.allocUnsafe(size + END.length);
  message[0] = BIND;
  message.writeInt32BE(size + ANSWER_FORMATS.length - 1, 1);
  head.copy(message, 1 + LENGTH_BYTES);
  let at = 1 + LENGTH_BYTES + head.length;
  at = message.writeInt16BE(formats, at);
  for (let i = 0; i < formats; i++) at = message.writeInt16BE(isBinary(sent[i]!) ? 1 : 0, at);
  at = message.writeInt16BE(sent.length, at);
  for (let i = 0; i < sent.length; i++) {
    const value = sent[i]!;
    at = message.writeInt32BE(value === null ? -1 : lengths[i]!, at);
    if (value !== null) at += write(message, value, at);
  }
  END.copy(message, at);
  return message;
}
