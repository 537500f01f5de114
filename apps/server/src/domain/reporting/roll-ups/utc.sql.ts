import { type Fragment, fragment } from '../../../db/statement.ts';

// The hour and the day of UTC by arithmetic alone: a zone that is named is looked up for each row.

export const hourOf = (time: string): Fragment =>
  fragment`date_bin('1 hour', ${{ sqlText: time }}, timestamptz '2000-01-01 00:00:00Z')`;

export const dayOf = (time: string): Fragment => fragment`(${{ sqlText: time }} at time zone interval '0')::date`;
