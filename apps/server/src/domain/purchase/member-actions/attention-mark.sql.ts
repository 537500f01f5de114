import type { AttentionMark } from '@coinslot/contract';
import { type Queryable, type RowOf, sql, type Tx, table } from '../../../db/statement.ts';
import { unixOrNull } from '../../../kit/clock.ts';

const MARKS = table('attention_marks', {
  companyId: 'text',
  subjectId: 'text',
  cause: 'text',
  assigneeId: 'text?',
  snoozedUntil: 'timestamptz?',
  note: 'text?',
  snoozedBy: 'text?',
});

export type Mark = RowOf<typeof MARKS>;

/** Null: no mark holds for this cause. */
export const lockMark = (tx: Tx, { companyId, subjectId, cause }: Pick<Mark, 'companyId' | 'subjectId' | 'cause'>) =>
  tx.queryOne<Mark>(sql('attention_mark_lock')`
    select ${MARKS.columns} from attention_marks
    where company_id = ${companyId} and subject_id = ${subjectId} and cause = ${cause} for update`);

export const upsertMark = (tx: Tx, mark: Mark): Promise<void> =>
  tx.execute(sql('attention_mark_upsert')`
    insert into attention_marks (${MARKS.names}, updated_at) values (${MARKS.values(mark)}, app_now())
    on conflict (company_id, subject_id) do update set cause = excluded.cause, assignee_id = excluded.assignee_id,
      snoozed_until = excluded.snoozed_until, note = excluded.note, snoozed_by = excluded.snoozed_by,
      updated_at = excluded.updated_at`);

interface NamedMark extends Mark {
  assigneeName: string | null;
  assigneeEmail: string | null;
  isSnoozed: boolean;
}

const markView = (mark: NamedMark): AttentionMark => ({
  assignee:
    mark.assigneeEmail === null
      ? null
      : { user_id: mark.assigneeId!, name: mark.assigneeName!, email: mark.assigneeEmail },
  is_snoozed: mark.isSnoozed,
  snoozed_until: unixOrNull(mark.snoozedUntil),
  note: mark.note,
  snoozed_by: mark.snoozedBy,
});

/** By subject and cause. A member who has left the company is on nothing. */
export async function readMarks(
  db: Queryable,
  companyId: string,
  subjectIds: readonly string[],
): Promise<(subjectId: string, cause: string) => AttentionMark | null> {
  if (subjectIds.length === 0) return () => null;
  const rows = await db.query<NamedMark>(sql('attention_mark_list')`
    select ${MARKS.of('m')}, u.name as "assigneeName", u.email as "assigneeEmail",
           coalesce(m.snoozed_until > app_now(), false) as "isSnoozed"
    from attention_marks m
    left join members b on b.company_id = m.company_id and b.user_id = m.assignee_id
    left join users u on u.id = b.user_id
    where m.company_id = ${companyId} and m.subject_id = any(${[...subjectIds]}::text[])`);
  const bySubject = new Map(rows.map(row => [row.subjectId, row]));
  return (subjectId, cause) => {
    const found = bySubject.get(subjectId);
    return found?.cause === cause ? markView(found) : null;
  };
}
