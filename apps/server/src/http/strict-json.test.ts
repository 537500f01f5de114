import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../kit/app-error.ts';
import { InexactNumber, type JsonValue, MAX_DEPTH, MAX_KEYS, parseStrictJson } from './strict-json.ts';

const read = (text: string): JsonValue => parseStrictJson(text).value;

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

function refusal(text: string): string {
  try {
    parseStrictJson(text);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_json') return error.detail ?? '';
    throw error;
  }
  return 'accepted';
}

describe('what JSON allows is read like JSON.parse reads it', () => {
  it('for any value', () => {
    const numbers = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    const { value } = fc.letrec(tie => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, false),
        numbers,
        fc.string({ unit: 'binary' }).map(text => text.replaceAll('\0', '')),
        fc.array(tie('value')),
        fc.dictionary(
          fc.string({ unit: 'grapheme' }).filter(key => key !== '__proto__'),
          tie('value'),
        ),
      ),
    }));
    const indent = fc.constantFrom(undefined, 1, '\t', '\r\n ');
    fc.assert(
      fc.property(value, indent, (any, space) => {
        const text = JSON.stringify(any, null, space);
        expect(JSON.stringify(read(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('and text that JSON.parse refuses is refused', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '-',
      '.',
      'e',
      '0',
      'true',
      'nul',
      ' ',
      '\\',
      '\\u00e9',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), parts => {
        const text = parts.join('');
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(refusal(text)).not.toBe('accepted');
          return;
        }
        const mine = refusal(text);
        if (mine === 'accepted') expect(JSON.stringify(read(text))).toBe(JSON.stringify(expected));
        else expect(mine).toMatch(/twice|__proto__/);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    '"\\u0061\\n\\/\\"\\\\\\b\\f\\r\\t"',
    '"\\uD83D\\uDE00"',
    '"😀\u2028\u2029\u007f"',
    '[[],{},[{}],"",0,-0,0.0,1e3,1E+3,1e-3]',
    '{"":1," ":2,"a.b":3}',
    ' \t\r\n1 \n',
    '"\\uDBFF\\uDFFE"',
  ])('%s', text => {
    expect(read(text)).toEqual(JSON.parse(text));
  });
});

describe('what could be understood in two ways is refused (row 58)', () => {
  it.each([
    ['', 'ends too early'],
    ['   ', 'ends too early'],
    ['\uFEFF{}', 'byte order mark'],
    ['{}\uFEFF', 'follows'],
    ['{}x', 'follows'],
    ['{} {}', 'follows'],
    ['[1,]', '"]"'],
    ['[,1]', '","'],
    ['[1 2]', '"2"'],
    ['[1', 'ends too early'],
    ['[', 'ends too early'],
    [']', '"]"'],
    ['{"a":1,}', '"}"'],
    ['{"a" 1}', '"1"'],
    ['{"a":}', '"}"'],
    ['{a:1}', '"a"'],
    ["{'a':1}", '"\'"'],
    ['{"a":1', 'ends too early'],
    ['{"a"', 'ends too early'],
    ['{1:1}', '"1"'],
    ['{"a":1,"a":2}', 'twice'],
    ['{"a":1,"\\u0061":2}', 'twice'],
    ['[{"x":{"price_decimal":1,"price_decimal":1}}]', 'twice'],
    ['{"__proto__":{}}', '__proto__'],
    ['{"\\u005f_proto__":1}', '__proto__'],
    ['{"a":{"__proto__":null}}', '__proto__'],
    ['"\\u0000"', 'NUL'],
    ['"\0"', 'NUL'],
    ['{"\\u0000":1}', 'NUL'],
    ['\0', 'U+0000'],
    ['"\\uD800"', 'surrogate'],
    ['"\\uDC00"', 'surrogate'],
    ['"\\uDC00\\uD800"', 'surrogate'],
    ['"\\uD83D😀"', 'surrogate'],
    ['"\uD83D"', 'surrogate'],
    ['{"\\uD800":1}', 'surrogate'],
    ['"\\uD83D\\u0041"', 'surrogate'],
    ['"\n"', 'escaped'],
    ['"\t"', 'escaped'],
    ['"\u001f"', 'escaped'],
    ['"a', 'not closed'],
    ['"\\', 'escape'],
    ['"\\"', 'not closed'],
    ['"\\x41"', 'escape'],
    ['"\\u12"', 'hexadecimal'],
    ['"\\u 123"', 'hexadecimal'],
    ['"\\u{41}"', 'hexadecimal'],
    ['"\\U0041"', 'escape'],
    ["'a'", '"\'"'],
    ['01', 'start with 0'],
    ['-01', 'start with 0'],
    ['-', 'ends too early'],
    ['+1', '"+"'],
    ['.5', '"."'],
    ['1.', 'ends too early'],
    ['1.e1', '"e"'],
    ['1e', 'ends too early'],
    ['1e+', 'ends too early'],
    ['0x10', 'follows'],
    ['1_000', 'follows'],
    ['１', 'U+FF11'],
    ['NaN', '"N"'],
    ['Infinity', '"I"'],
    ['-Infinity', '"I"'],
    ['nul', 'ends too early'],
    ['nulL', '"L"'],
    ['True', '"T"'],
    ['undefined', '"u"'],
    ['/* c */ 1', '"/"'],
    ['[1]//', 'follows'],
    ['\u00a01', 'U+00A0'],
    ['\u000b1', 'U+000B'],
    ['\u20281', 'U+2028'],
  ])('%j', (text, reason) => {
    expect(refusal(text)).toContain(reason);
  });

  it('nesting stops at the limit', () => {
    expect(refusal(nested(MAX_DEPTH))).toBe('accepted');
    expect(refusal(nested(MAX_DEPTH + 1))).toContain('nesting');
    expect(refusal('{"a":'.repeat(100_000))).toContain('nesting');
    expect(refusal(`[${nested(MAX_DEPTH - 1)},${nested(MAX_DEPTH - 1)}]`)).toBe('accepted');
  });

  it('the place is named', () => {
    expect(refusal('{\n  "a": 1,\n  "a": 2\n}')).toBe('The key "a" is there twice; the second is at line 3, column 3.');
  });
});

describe('keys of Object.prototype (row 59)', () => {
  it('are plain data', () => {
    const value = read('{"constructor":{"prototype":{"polluted":1}},"toString":2,"hasOwnProperty":3}') as Record<
      string,
      JsonValue
    >;
    expect(Object.keys(value)).toEqual(['constructor', 'toString', 'hasOwnProperty']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('are absent when they were not sent', () => {
    const value = read('{}') as object;
    expect(['constructor', 'toString', '__proto__'].filter(key => key in value)).toEqual([]);
  });
});

describe('numbers', () => {
  it.each([
    '0',
    '-0',
    '1',
    '19.99',
    '19.990',
    '1e2',
    '1E+2',
    '0.1',
    '0.30000000000000004',
    '1e308',
    '5e-324',
    '9007199254740992',
    '0e999',
    '123456789012345680000',
    '1.7976931348623157e308',
    '0.000001',
    '100000000000000000000000',
    `1${'0'.repeat(300)}`,
  ])('%s is kept', text => {
    expect(parseStrictJson(text)).toEqual({ value: Number(text), inexact: false });
  });

  it.each([
    '19.990000000000000001',
    '1e400',
    '-1e400',
    '9007199254740993',
    '1e-400',
    '0.1000000000000000055511151231257827',
    '1.00000000000000000000001',
    '12345678901234567890',
    `0.${'0'.repeat(400)}1`,
    `1${'0'.repeat(400)}`,
    `1e-${'9'.repeat(50_000)}`,
  ])('%s would be rounded, so it is handed on as text', text => {
    const parsed = parseStrictJson(`[${text}]`);
    expect(parsed.inexact).toBe(true);
    expect(parsed.value).toEqual([new InexactNumber(text)]);
  });

  it('a float written by JavaScript is always exact', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
        expect(parseStrictJson(String(value)).value).toBe(Object.is(value, -0) ? 0 : value);
      }),
    );
  });

  it('fifteen digits with a point anywhere are exact', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), fc.nat(15), (digits, decimals) => {
        const padded = String(digits).padStart(decimals + 1, '0');
        const source = decimals === 0 ? padded : `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
        expect(parseStrictJson(source).inexact).toBe(false);
      }),
    );
  });
});

describe('hostile size (row 56)', () => {
  it.each([
    ['many keys', `{${Array.from({ length: 30_000 }, (_, i) => `"${i}":1`).join(',')}}`],
    ['long number', '1'.repeat(200_000)],
    ['zeros before the end', `0.${'0'.repeat(200_000)}1`],
    ['long string', `"${'\\u00e9'.repeat(40_000)}"`],
    ['wide array', `[${'1,'.repeat(120_000)}1]`],
    ['spaces', ' '.repeat(250_000)],
  ])('%s costs no more than its length', (_, text) => {
    expect(() => refusal(text)).not.toThrow();
  });

  it('keys of one object are limited, far beyond what any call knows', () => {
    const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}x":1`).join(',')}}`;
    expect(Object.keys(parseStrictJson(keys(MAX_KEYS)).value as object)).toHaveLength(MAX_KEYS);
    expect(() => parseStrictJson(keys(MAX_KEYS + 1))).toThrow('More than 5000 keys in one object');
  });
});
