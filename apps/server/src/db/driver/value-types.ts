import pg from 'pg';
import type { Parse, ParserOf } from './read-rows.ts';
import { timeReader } from './read-time.ts';

const { INT8, TEXT, TIMESTAMPTZ } = pg.types.builtins;

/** How values are read, on every connection. */
export const types = new pg.TypeOverrides();
// Amounts stay below 2^53 by rule, so a plain number is exact.
types.setTypeParser(INT8, Number);
types.setTypeParser(TIMESTAMPTZ, timeReader(pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => Date));

// The driver's types take what a parser is given for the number of its type.
const parseOf = (dataTypeId: number): Parse => types.getTypeParser(dataTypeId, 'text') as unknown as Parse;
const asText = parseOf(TEXT);

export const parserOf: ParserOf = dataTypeId => {
  const parse = parseOf(dataTypeId);
  return parse === asText ? null : parse;
};
