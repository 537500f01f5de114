import type { EvidenceFileKind, EvidenceFileType } from '@coinslot/contract';
import { type Queryable, type RowOf, sql, type Tx, table, typed } from '../../../db/statement.ts';
import type { DisputeRef } from './dispute.sql.ts';

const FILES = table('dispute_files', {
  environmentId: 'text',
  paymentId: 'text',
  disputeId: 'text',
  id: 'text',
  kind: typed<EvidenceFileKind>('text'),
  /** Where it came from; the provider is told another. */
  name: 'text',
  type: typed<EvidenceFileType>('text'),
  sizeBytes: 'int',
  content: 'bytea',
  addedBy: 'text',
  addedAt: 'timestamptz',
});

const FACTS = FILES.omit('content');

export type DisputeFile = RowOf<typeof FACTS>;

/** In the order in which they were added; that of their names at the provider. */
export const listDisputeFiles = (db: Queryable, ref: DisputeRef): Promise<DisputeFile[]> =>
  db.query(sql('dispute_file_list')`
    select ${FACTS.columns} from dispute_files
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and dispute_id = ${ref.disputeId}
    order by added_at, id`);

export const listDisputeFileContents = (db: Queryable, ref: DisputeRef): Promise<RowOf<typeof FILES>[]> =>
  db.query(sql('dispute_file_list_contents')`
    select ${FILES.columns} from dispute_files
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and dispute_id = ${ref.disputeId}
    order by added_at, id`);

export function insertDisputeFile(
  tx: Tx,
  ref: DisputeRef,
  file: Pick<DisputeFile, 'id' | 'kind' | 'name' | 'type' | 'addedBy'> & { content: Buffer },
): void {
  tx.write(sql('dispute_file_insert')`
    insert into dispute_files (environment_id, payment_id, dispute_id, id, kind, name, type, size_bytes, content, added_by, added_at)
    values (${ref.environmentId}, ${ref.paymentId}, ${ref.disputeId}, ${file.id}, ${file.kind}, ${file.name}, ${file.type},
            ${file.content.length}, ${file.content}, ${file.addedBy}, app_now())`);
}

export const deleteDisputeFile = (tx: Tx, ref: DisputeRef, id: string): Promise<{ name: string } | null> =>
  tx.queryOne(sql('dispute_file_delete')`
    delete from dispute_files
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and dispute_id = ${ref.disputeId}
      and id = ${id} returning name`);
