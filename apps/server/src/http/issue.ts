import type { Issue, IssueCode } from '@coinslot/contract';
import type { ErrorObject } from 'ajv';
import { pointerPart } from './unknown-fields.ts';

type Described = [code: IssueCode, message: string];

const WITH_ARTICLE: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

const FORMAT_MESSAGES: Record<string, Described> = {
  email: ['format_email', 'Must be an e-mail address such as player@example.com.'],
  'web-url': ['format_web_url', 'Must be an absolute http or https URL without spaces, credentials or line breaks.'],
  'return-url': [
    'format_return_url',
    'Must be a deep link such as mygame://shop or an https URL; schemes that run script or read files are refused.',
  ],
  country: ['format_country', 'Must be an ISO 3166-1 alpha-2 country code such as GB.'],
  currency: ['format_currency', 'Must be an ISO 4217 currency code in upper case such as USD.'],
  day: ['format_day', 'Must be a day such as 2026-01-31.'],
  locale: ['format_locale', 'Must be a BCP 47 language tag such as en or pt-BR.'],
};

const PATTERN_MESSAGES: Record<string, Described> = {
  '^[^\\r\\n]*$': ['line_break', 'Must be one line: carriage return and line feed are refused.'],
  '^[^\\r]*$': ['carriage_return', 'May have line feeds, but no carriage return.'],
};

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number' && Number.isInteger(value)) return 'an integer';
  return WITH_ARTICLE[typeof value] ?? typeof value;
}

const list = (words: readonly unknown[]): string => words.map(String).join(', ');

function expected(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  return types.map(name => WITH_ARTICLE[String(name)] ?? String(name)).join(' or ');
}

const characters = (count: number): string => (count === 1 ? '1 character' : `${count} characters`);
const entries = (count: number): string => (count === 1 ? '1 entry' : `${count} entries`);

function describeExactlyOne(schema: unknown): string {
  const branches = Array.isArray(schema) ? (schema as { required?: string[] }[]) : [];
  return `Give exactly one of ${branches.flatMap(branch => branch.required ?? []).join(' and ')}.`;
}

function describe({ keyword, params, data, schema }: ErrorObject): Described {
  const limit = Number(params.limit);
  switch (keyword) {
    case 'required':
      return ['required', `The field ${String(params.missingProperty)} is required.`];
    case 'type':
      return ['type', `Must be ${expected(params.type)}, not ${kindOf(data)}.`];
    case 'minLength':
      return ['too_short', `Must have at least ${characters(limit)}.`];
    case 'maxLength':
      return ['too_long', `Must have at most ${characters(limit)}.`];
    case 'minimum':
      return ['too_small', `Must be ${limit} or more.`];
    case 'exclusiveMinimum':
      return ['too_small', `Must be more than ${limit}.`];
    case 'maximum':
      return ['too_big', `Must be ${limit} or less.`];
    case 'minItems':
      return ['too_few', `Must have at least ${entries(limit)}.`];
    case 'maxItems':
    case 'maxProperties':
      return ['too_many', `Must have at most ${entries(limit)}.`];
    case 'enum':
      return ['enum', `Must be one of ${list(params.allowedValues as unknown[])}.`];
    case 'oneOf':
      return ['one_of', describeExactlyOne(schema)];
    case 'format':
      return FORMAT_MESSAGES[String(params.format)] ?? ['pattern', 'Does not have the required form.'];
    case 'pattern':
      return PATTERN_MESSAGES[String(params.pattern)] ?? ['pattern', 'Does not have the required form.'];
    default:
      return ['pattern', 'Does not have the required form.'];
  }
}

export function issueOf(error: ErrorObject): Issue {
  const [code, message] = describe(error);
  if (error.propertyName !== undefined) {
    const pointer = `${error.instancePath}/${pointerPart(error.propertyName)}`;
    return { pointer, code, message: `The key: ${message.charAt(0).toLowerCase()}${message.slice(1)}` };
  }
  const missing = error.keyword === 'required' ? `/${pointerPart(String(error.params.missingProperty))}` : '';
  return { pointer: error.instancePath + missing, code, message };
}
