import { AppError } from '../kit/app-error.ts';

/** A number that a float cannot keep exactly. It must be refused, never rounded. */
export class InexactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export type JsonValue = string | number | boolean | null | InexactNumber | JsonValue[] | { [key: string]: JsonValue };

export interface ParsedJson {
  value: JsonValue;
  inexact: boolean;
}

export const MAX_DEPTH = 32;
/** Many more than any call has. V8 lists the keys of a large object slowly, and every check of it lists them. */
export const MAX_KEYS = 5_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const PLUS = 0x2b;
const LETTER_E = 0x65;
const FIRST_SURROGATE = 0xd800;
const BYTE_ORDER_MARK = 0xfeff;

const SURE_DIGITS = 15;
const POWERS_OF_TEN = Array.from({ length: SURE_DIGITS + 1 }, (_, power) => 10 ** power);

const LONE_SURROGATE = /\p{Surrogate}/u;
const FOUR_HEX = /^[0-9a-fA-F]{4}$/;
const ESCAPES: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

// An object without inherited properties that V8 still keeps in fast mode, unlike Object.create(null).
class BareObject {
  [key: string]: JsonValue;
}
Reflect.deleteProperty(BareObject.prototype, 'constructor');
Object.setPrototypeOf(BareObject.prototype, null);

// Parsing never waits, so one state for the whole process is enough and keeps the scanner free of allocations.
let text = '';
let at = 0;
let depth = 0;
let inexact = false;

function fail(what: string, position = at): never {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < position; end = text.indexOf('\n', lineStart)) {
    line++;
    lineStart = end + 1;
  }
  const column = position - lineStart + 1;
  throw new AppError('invalid_json', { detail: `${what} at line ${line}, column ${column}.` });
}

function unexpected(): never {
  if (at >= text.length) fail('The JSON ends too early');
  const code = text.charCodeAt(at);
  if (code === BYTE_ORDER_MARK) fail('A byte order mark is not allowed');
  const shown = code > 0x20 && code < 0x7f ? `"${text[at]}"` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  fail(`Unexpected character ${shown}`);
}

function skipSpace(): number {
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
    at++;
  }
}

function readEscape(): string {
  const letter = text[at + 1];
  if (letter !== 'u') {
    const plain = letter === undefined ? undefined : ESCAPES[letter];
    if (plain === undefined) fail('Unknown escape in a string');
    at += 2;
    return plain;
  }
  const digits = text.slice(at + 2, at + 6);
  if (!FOUR_HEX.test(digits)) fail('\\u needs four hexadecimal digits');
  const code = Number.parseInt(digits, 16);
  if (code === 0) fail('A NUL character is not allowed');
  at += 6;
  return String.fromCharCode(code);
}

function readString(): string {
  // Most strings hold nothing special: find the end with everything in registers, and cut once.
  const source = text;
  const start = at + 1;
  let end = start;
  let code = source.charCodeAt(end);
  while (code !== QUOTE && code !== BACKSLASH && code >= 0x20 && code < FIRST_SURROGATE)
    code = source.charCodeAt(++end);
  if (code !== QUOTE) return readSpecialString(end);
  at = end + 1;
  return source.slice(start, end);
}

/** Reads a string with escapes or surrogates; everything before `from` is known to be plain. */
function readSpecialString(from: number): string {
  const opening = at;
  let start = at + 1;
  let joined = '';
  at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) {
      joined += text.slice(start, at);
      joined += readEscape();
      start = at;
    } else if (code >= 0x20) {
      at++;
    } else if (at >= text.length) {
      fail('A string is not closed', opening);
    } else {
      fail(code === 0 ? 'A NUL character is not allowed' : 'Control characters in strings must be escaped');
    }
  }
  const value = joined + text.slice(start, at);
  if (LONE_SURROGATE.test(value)) fail('A string holds half of a surrogate pair', opening);
  at++;
  return value;
}

// The digits of the number being read, as one integer; exact up to fifteen of them.
let digitsValue = 0;

function readDigits(): number {
  const source = text;
  const start = at;
  let end = start;
  let value = digitsValue;
  let code = source.charCodeAt(end);
  while (code >= ZERO && code <= NINE) {
    value = value * 10 + (code - ZERO);
    code = source.charCodeAt(++end);
  }
  digitsValue = value;
  at = end;
  return end - start;
}

const DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

// Not /0+$/: that is quadratic on long runs of zeros that end in another digit.
function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--;
  return digits.slice(0, end);
}

/** Writes equal values as equal texts: the digits without zeros at the ends, and their power of ten. */
function canonical(decimal: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(decimal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = trimZeros(digits);
  return `${significant}e${Number(exponent) + digits.length - significant.length - fraction.length}`;
}

/** A float keeps a decimal text when both have the same value, written out. */
function isExactNumber(source: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (value === 0) return !/^[^eE]*[1-9]/.test(source);
  return canonical(source) === canonical(String(value));
}

function readNumber(): number | InexactNumber {
  const start = at;
  const isNegative = text.charCodeAt(at) === MINUS;
  if (isNegative) at++;
  const first = text.charCodeAt(at);
  digitsValue = 0;
  const whole = readDigits();
  if (whole === 0) unexpected();
  if (first === ZERO && whole > 1) fail('A number may not start with 0', start);
  let decimals = 0;
  if (text.charCodeAt(at) === DOT) {
    at++;
    decimals = readDigits();
    if (decimals === 0) unexpected();
  }
  if ((text.charCodeAt(at) | 0x20) === LETTER_E) {
    at++;
    const sign = text.charCodeAt(at);
    if (sign === MINUS || sign === PLUS) at++;
    if (readDigits() === 0) unexpected();
  } else if (whole + decimals <= SURE_DIGITS) {
    // Both are exact floats, so the quotient is the float nearest to the decimal: what Number() returns, without a string.
    const value = decimals === 0 ? digitsValue : digitsValue / POWERS_OF_TEN[decimals]!;
    return isNegative ? -value : value;
  }
  const source = text.slice(start, at);
  const value = Number(source);
  if (isExactNumber(source, value)) return value;
  inexact = true;
  return new InexactNumber(source);
}

function readArray(): JsonValue[] {
  at++;
  if (skipSpace() === CLOSE_BRACKET) {
    at++;
    return [];
  }
  // Starts with its first entry, because pushing onto an empty array reserves seventeen, and a body can hold many lists of one.
  const values: JsonValue[] = [readValue()];
  for (;;) {
    const code = skipSpace();
    if (code === CLOSE_BRACKET) break;
    if (code !== COMMA) unexpected();
    at++;
    values.push(readValue());
  }
  at++;
  return values;
}

function readKey(object: object): string {
  const position = at;
  if (text.charCodeAt(at) !== QUOTE) unexpected();
  const key = readString();
  if (key === '__proto__') fail('The key "__proto__" is not allowed', position);
  if (Object.hasOwn(object, key))
    fail(`The key ${JSON.stringify(key.slice(0, 100))} is there twice; the second is`, position);
  return key;
}

function readObject(): JsonValue {
  const object = new BareObject();
  at++;
  if (skipSpace() === CLOSE_BRACE) {
    at++;
    return object;
  }
  for (let count = 1; ; count++) {
    if (count > MAX_KEYS) fail(`More than ${MAX_KEYS} keys in one object`);
    const key = readKey(object);
    if (skipSpace() !== COLON) unexpected();
    at++;
    object[key] = readValue();
    const code = skipSpace();
    if (code === CLOSE_BRACE) break;
    if (code !== COMMA) unexpected();
    at++;
    skipSpace();
  }
  at++;
  return object;
}

function readWord<T>(word: string, value: T): T {
  for (let i = 0; i < word.length; i++, at++) if (text.charCodeAt(at) !== word.charCodeAt(i)) unexpected();
  return value;
}

function readValue(): JsonValue {
  const code = skipSpace();
  if (code === QUOTE) return readString();
  if (code === OPEN_BRACE || code === OPEN_BRACKET) {
    if (depth >= MAX_DEPTH) fail(`More than ${MAX_DEPTH} levels of nesting`);
    depth++;
    const value = code === OPEN_BRACE ? readObject() : readArray();
    depth--;
    return value;
  }
  if (code === 0x74) return readWord('true', true);
  if (code === 0x66) return readWord('false', false);
  if (code === 0x6e) return readWord('null', null);
  if (code === MINUS || (code >= ZERO && code <= NINE)) return readNumber();
  return unexpected();
}

/**
 * Reads one JSON value as RFC 8259 says, and refuses what two readers could understand differently: duplicate keys,
 * numbers that would be rounded (they come out as `InexactNumber`), half surrogates, NUL, a byte order mark.
 */
export function parseStrictJson(source: string): ParsedJson {
  text = source;
  at = 0;
  depth = 0;
  inexact = false;
  try {
    const value = readValue();
    skipSpace();
    if (at < text.length) fail('Something follows the JSON value,');
    return { value, inexact };
  } finally {
    text = '';
  }
}
