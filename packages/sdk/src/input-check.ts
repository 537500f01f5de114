import { CoinslotError, type FieldError } from './coinslot-error.ts';

/** A short form of a value for messages, never the whole value. */
export function show(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? `"${value.slice(0, 40)}…"` : `"${value}"`;
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** Lists the problems of a call, so that they can be reported together. */
export class InputCheck {
  readonly #call: string;
  readonly #errors: FieldError[] = [];

  constructor(call: string) {
    this.#call = call;
  }

  refuse(pointer: string, code: string, message: string): void {
    this.#errors.push({ pointer, code, message });
  }

  object(value: unknown, pointer: string, example: string): value is Record<string, unknown> {
    if (isRecord(value)) return true;
    this.refuse(pointer, 'type', `needs an object such as ${example}; got ${show(value)}`);
    return false;
  }

  text(value: unknown, pointer: string, example: string, maxLength = 255): value is string {
    if (typeof value !== 'string') {
      this.refuse(pointer, 'type', `must be a string such as "${example}"; got ${show(value)}`);
      return false;
    }
    const length = Array.from(value).length;
    if (length === 0) this.refuse(pointer, 'too_short', `must not be empty; an example is "${example}"`);
    if (length > maxLength)
      this.refuse(pointer, 'too_long', `can have at most ${maxLength} characters; this one has ${length}`);
    return length > 0 && length <= maxLength;
  }

  wholeNumber(value: unknown, pointer: string, min: number, max: number): void {
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return;
    this.refuse(pointer, 'type', `must be a whole number from ${min} to ${max}; got ${show(value)}`);
  }

  oneOf(value: unknown, pointer: string, words: readonly string[]): void {
    if (typeof value === 'string' && words.includes(value)) return;
    this.refuse(pointer, 'enum', `must be one of ${words.join(', ')}; got ${show(value)}`);
  }

  webUrl(value: unknown, pointer: string, example: string): void {
    const url = typeof value === 'string' ? parseUrl(value) : undefined;
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return;
    this.refuse(pointer, 'format_web_url', `must be an absolute URL such as ${example}; got ${show(value)}`);
  }

  /** Catches camelCase spellings of known fields. Other unknown fields are left to the service, which may be newer. */
  fieldNames(value: Record<string, unknown>, pointer: string, known: readonly string[]): void {
    for (const name of Object.keys(value)) {
      const meant = snakeCase(name);
      if (!known.includes(name) && known.includes(meant)) {
        this.refuse(`${pointer}/${name}`, 'unknown_field', `is written ${meant}`);
      }
    }
  }

  /** For options of the SDK itself, where any other name is a typing error. */
  known(value: Record<string, unknown>, pointer: string, names: readonly string[]): void {
    for (const name of Object.keys(value)) {
      if (!names.includes(name))
        this.refuse(`${pointer}/${name}`, 'unknown_field', `is unknown; there is ${names.join(', ')}`);
    }
  }

  /** Throws all problems as one error. */
  done(): void {
    if (this.#errors.length === 0) return;
    const lines = this.#errors.map(({ pointer, message }) => `${pointer.slice(1).replaceAll('/', '.')} ${message}`);
    throw new CoinslotError({
      code: 'invalid_argument',
      message: `${this.#call}: ${lines.map(line => line.trim()).join('; ')}. Nothing was sent.`,
      errors: this.#errors,
    });
  }
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

const ID_NAMES: Record<string, string> = {
  ord: 'an order id',
  pay: 'a payment id',
  whk: 'the id of a webhook subscription',
  dlv: 'a delivery id',
};

/** A Coinslot id. A different prefix means the id of another kind of object. */
export function checkId(call: string, field: string, value: unknown, prefix: string): string {
  if (typeof value === 'string' && new RegExp(`^${prefix}_[0-9a-z]+$`).test(value)) return value;
  const check = new InputCheck(call);
  check.refuse(
    `/${field}`,
    'type',
    `must be ${ID_NAMES[prefix] ?? 'an id'}, which starts with ${prefix}_; got ${show(value)}`,
  );
  check.done();
  return '';
}

/**
 * Puts one of the game's own ids into a request. An id can be any text, so it is escaped in the path. `.` and `..`
 * would be resolved even then, so they go into the query.
 */
export function placeExternalId(
  { call, field, name, example }: { call: string; field: string; name: string; example: string },
  value: unknown,
): { segment: string; query?: Record<string, string> } {
  const check = new InputCheck(call);
  const isText = check.text(value, `/${field}`, example);
  check.done();
  const text = isText ? value : '';
  return /^\.\.?$/.test(text) ? { segment: '_', query: { [name]: text } } : { segment: encodeURIComponent(text) };
}
