import type { Issue } from '@coinslot/contract';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { FORMATS } from './formats.ts';
import { inexactNumbersOf } from './inexact-numbers.ts';
import { issueOf } from './issue.ts';
import type { JsonValue, ParsedJson } from './strict-json.ts';
import { pruneOf, unknownFieldsOf } from './unknown-fields.ts';

export const MAX_ISSUES = 100;

const options = { strict: true, strictRequired: false, allowUnionTypes: true, formats: FORMATS } as const;

/**
 * Most bodies are valid, so the validator that stops at the first error runs first. Each is compiled when it is first needed: a
 * start that compiles those of every call takes a quarter longer.
 */
const quick = new Ajv2020(options);
const thorough = new Ajv2020({ ...options, allErrors: true, verbose: true });

export interface Verdict {
  /** The body without the fields that the schema does not know: no handler ever sees what the contract does not declare. */
  value: JsonValue;
  issues: Issue[];
  /** JSON Pointers of fields that the schema does not know. */
  warnings: string[];
}

const NO_ISSUES: Issue[] = [];

// Errors inside a branch of `oneOf` and the summary of `propertyNames` say nothing that their neighbors do not say better.
const isEcho = (error: ErrorObject): boolean =>
  error.schemaPath.includes('/oneOf/') || error.keyword === 'propertyNames';

function quickCheck(schema: object): (value: unknown) => boolean {
  let check: ValidateFunction | undefined;
  return value => {
    check ??= quick.compile(schema);
    return check(value);
  };
}

function thoroughCheck(schema: object): (value: unknown) => Issue[] {
  let check: ValidateFunction | undefined;
  return value => {
    check ??= thorough.compile(schema);
    check(value);
    return (check.errors ?? []).filter(error => !isEcho(error)).map(issueOf);
  };
}

/** Returns whether one of the pointers is this one or one of its parents. */
function isInsideOneOf(pointers: ReadonlySet<string>, pointer: string): boolean {
  for (let end = pointer.indexOf('/', 1); end !== -1; end = pointer.indexOf('/', end + 1)) {
    if (pointers.has(pointer.slice(0, end))) return true;
  }
  return pointers.has(pointer) || pointers.has('');
}

/** The schema sees an inexact number as an object. This replaces its misleading errors by the real one. */
function withInexactNumbers(issues: Issue[], inexact: Issue[]): Issue[] {
  const pointers = new Set(inexact.map(({ pointer }) => pointer));
  return [...inexact, ...issues.filter(({ pointer }) => !isInsideOneOf(pointers, pointer))];
}

/** Prepares the check of a request body, which finds errors and ignored fields. */
export function bodyCheck(schema: object): (body: ParsedJson) => Verdict {
  const isValid = quickCheck(schema);
  const findAll = thoroughCheck(schema);
  const unknownFields = unknownFieldsOf(schema);
  const inexactNumbers = inexactNumbersOf(schema, MAX_ISSUES);
  const prune = pruneOf(schema);
  return ({ value, inexact }) => {
    const warnings = unknownFields(value);
    const known = warnings.length > 0 ? prune(value) : value;
    let issues = isValid(known) ? NO_ISSUES : findAll(prune(known));
    if (inexact) issues = withInexactNumbers(issues, inexactNumbers(known));
    return { value: known, issues: issues.length > MAX_ISSUES ? issues.slice(0, MAX_ISSUES) : issues, warnings };
  };
}

interface FieldSchema {
  type?: unknown;
  default?: unknown;
}

const INTEGER = /^-?\d{1,15}$/;
const NUL: Omit<Issue, 'pointer'> = { code: 'nul', message: 'A NUL character is not allowed.' };

export interface TextFields {
  values: Record<string, unknown>;
  issues: Issue[];
}

/**
 * Prepares the check of text fields: query, path parameters, headers. Integers are read from digits only (no `0x10`, no
 * `1e3`), defaults are filled in, names that the schema does not know are left out.
 */
export function textCheck(schema: { properties: object }): (given: Record<string, unknown>) => TextFields {
  const isValid = quickCheck(schema);
  const findAll = thoroughCheck(schema);
  const fields = Object.entries<FieldSchema>({ ...schema.properties });
  return given => {
    const values: Record<string, unknown> = {};
    const issues: Issue[] = [];
    for (const [name, field] of fields) {
      const text = given[name] ?? field.default;
      if (text === undefined) continue;
      values[name] = field.type === 'integer' && typeof text === 'string' && INTEGER.test(text) ? Number(text) : text;
      if (typeof text === 'string' && text.includes('\0')) issues.push({ pointer: `/${name}`, ...NUL });
    }
    if (!isValid(values)) issues.push(...findAll(values));
    return { values, issues };
  };
}
