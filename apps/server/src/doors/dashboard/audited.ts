import type { Db, Tx } from '../../db/db.ts';
import { type AuditNote, writeAudit } from '../../domain/audit/audit.ts';
import type { EnvironmentContext } from './dashboard-context.ts';

type Note = Omit<AuditNote, 'companyId' | 'environmentId'>;

/** Writes what a member did in an environment. */
export const writeEnvironmentAudit = (tx: Tx, { actor, company, environment }: EnvironmentContext, note: Note): void =>
  writeAudit(tx, actor, { companyId: company.id, environmentId: environment.id, ...note });

/**
 * A database whose first transaction also writes the audit entry: what a use case changes and who had it changed are
 * durable together. `noteOf` may answer null when nothing was changed.
 */
export function audited(db: Db, context: EnvironmentContext, noteOf: (result: unknown) => Note | null): Db {
  let isWritten = false;
  const withNote =
    (run: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>) =>
    async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      if (isWritten) return run(work);
      const result = await run(async tx => {
        const made = await work(tx);
        const note = noteOf(made);
        if (note) writeEnvironmentAudit(tx, context, note);
        return made;
      });
      isWritten = true;
      return result;
    };
  return {
    ...db,
    transaction: withNote(work => db.transaction(work)),
    shared: (key, work) => withNote(inner => db.shared(key, inner))(work),
  };
}
