import type { AttentionMark, AttentionView, DashboardLocale, Role } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { hasRole } from '../../company/manage-members.ts';
import { checkViews } from '../../payment/provider-health/broken-checks.ts';
import { type KeptChecks, listFailingChecks } from '../../payment/provider-health/provider-check.sql.ts';
import { findAttentionCounts, type InboxCounts, MOST_LISTED } from '../../purchase/member-actions/attention.sql.ts';
import { readMarks } from '../../purchase/member-actions/attention-mark.sql.ts';
import {
  type DifferenceRow,
  differenceCause,
  findOpenDifferenceCounts,
  listOpenDifferences,
} from '../../reconciliation/difference.sql.ts';

/** Who looks at the list of which environment. */
export interface InboxReader {
  environment: { id: string; companyId: string; mode: 'live' | 'sandbox' };
  role: Role;
  userId: string;
  language: DashboardLocale;
}

/** From what the door knows of a caller. */
export const inboxReader = ({
  environment,
  role,
  actor,
  language,
}: Omit<InboxReader, 'userId'> & { actor: { userId: string } }): InboxReader => ({
  environment,
  role,
  userId: actor.userId,
  language,
});

export interface MarkedDifference {
  row: DifferenceRow;
  mark: AttentionMark | null;
}

export interface MarkedConnection {
  provider: string;
  accountId: string;
  failingSince: Date;
  checks: ReturnType<typeof checkViews>;
  mark: AttentionMark | null;
}

export type FailingChecks = KeptChecks & { failingSince: Date };

export const connectionCause = ({ failingSince }: Pick<FailingChecks, 'failingSince'>): string =>
  failingSince.toISOString();

/** The company's providers whose daily test fails: they concern each of its games, and only real money. */
export async function listConnections(db: Queryable, reader: InboxReader): Promise<MarkedConnection[]> {
  const { environment, language } = reader;
  if (environment.mode !== 'live') return [];
  const failing = (await listFailingChecks(db, environment.companyId)).filter(
    (checks): checks is FailingChecks => checks.failingSince !== null,
  );
  const markOf = await readMarks(
    db,
    environment.companyId,
    failing.map(({ accountId }) => accountId),
  );
  return failing.map(found => ({
    provider: found.provider,
    accountId: found.accountId,
    failingSince: found.failingSince,
    checks: checkViews(
      found.checks.filter(check => check.broken),
      language,
    ),
    mark: markOf(found.accountId, connectionCause(found)),
  }));
}

/** Those that a view holds. */
export const connectionsIn = (
  connections: readonly MarkedConnection[],
  view: AttentionView,
  userId: string,
): MarkedConnection[] =>
  connections.filter(
    ({ mark }) =>
      (mark?.is_snoozed ?? false) === (view === 'snoozed') && (view !== 'mine' || mark?.assignee?.user_id === userId),
  );

const seesDifferences = ({ environment, role }: InboxReader): boolean =>
  environment.mode === 'live' && hasRole(role, 'support');

const MOST_DIFFERENCES = 100;

export async function listInboxDifferences(
  db: Queryable,
  reader: InboxReader,
  view: AttentionView,
): Promise<MarkedDifference[]> {
  if (!seesDifferences(reader)) return [];
  const { environment, userId } = reader;
  const { companyId } = environment;
  const scope = { companyId, environmentId: environment.id, userId, view };
  const rows = await listOpenDifferences(db, scope, MOST_DIFFERENCES);
  const markOf = await readMarks(
    db,
    companyId,
    rows.map(({ id }) => id),
  );
  return rows.map(row => ({ row, mark: markOf(row.id, differenceCause(row)) }));
}

/** The one count: the entry at the side, the home page and the list itself say this. */
export async function countInbox(
  db: Queryable,
  reader: InboxReader,
  connections?: readonly MarkedConnection[],
): Promise<InboxCounts> {
  const scope = { environmentId: reader.environment.id, companyId: reader.environment.companyId };
  const [payments, differences, known] = await Promise.all([
    findAttentionCounts(db, scope),
    seesDifferences(reader) ? findOpenDifferenceCounts(db, scope, MOST_LISTED) : { open: 0, snoozed: 0 },
    connections ?? listConnections(db, reader),
  ]);
  const snoozed = known.filter(({ mark }) => mark?.is_snoozed).length;
  return {
    open: payments.open + differences.open + known.length - snoozed,
    snoozed: payments.snoozed + differences.snoozed + snoozed,
  };
}
