import type { Fragment, Queryable, Statement } from '../db/statement.ts';

/** Asks all conditions at once. They are the same with every look, so the text is made once. */
export const dueStatement = (name: string, conditions: readonly Fragment[]): Statement => ({
  name,
  text: `select array[${conditions.map(({ sqlText }) => sqlText).join(', ')}] as due`,
  values: [],
});

export const findDue = (db: Queryable, statement: Statement): Promise<boolean[]> => db.queryValue(statement);
