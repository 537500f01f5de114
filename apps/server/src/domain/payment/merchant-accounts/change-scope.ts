import { AppError } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import { lockCompany } from '../../company/member.sql.ts';
import { listCompanyGames } from '../../game/game.sql.ts';
import type { Shop } from '../../shop.ts';
import { nameIssue } from '../../user/field-issues.ts';
import { findConnected, type WhichAccount } from './find-connected.ts';
import { type AccountScope, updateAccountScope } from './provider-account.sql.ts';

const auditFacts = ({ label, games, currencies }: AccountScope) => ({
  label,
  games: games?.join(', ') ?? null,
  currencies: currencies?.join(', ') ?? null,
});

/** An empty list would take nothing, which is what disconnecting is for. */
const listed = (list: string[] | null | undefined, before: string[] | null): string[] | null =>
  list === undefined ? before : list && list.length > 0 ? [...new Set(list)] : null;

/** What an account is called and which new payments it takes. Pages know within seconds; begun payments stay with it. */
export async function changeScope(
  { db }: Pick<Shop, 'db'>,
  actor: Actor,
  which: WhichAccount,
  change: { [Key in keyof AccountScope]?: AccountScope[Key] | undefined },
): Promise<void> {
  const { companyId } = which;
  const issue = typeof change.label === 'string' ? nameIssue(change.label, '/label') : null;
  if (issue) throw new AppError('validation_failed', { issues: [issue] });
  await db.transaction(async tx => {
    await lockCompany(tx, companyId);
    const before = await findConnected(tx, which);
    if (!before) throw new AppError('provider_not_connected');
    const known = new Set((await listCompanyGames(tx, companyId)).map(({ id }) => id));
    if (change.games?.some(id => !known.has(id))) throw new AppError('not_found');
    const after: AccountScope = {
      label: change.label === undefined ? before.label : change.label,
      games: listed(change.games, before.games),
      currencies: listed(change.currencies, before.currencies),
    };
    const facts = { before: auditFacts(before), after: auditFacts(after) };
    if (JSON.stringify(facts.before) === JSON.stringify(facts.after)) return;
    await updateAccountScope(tx, companyId, before.accountId, after);
    writeAudit(tx, actor, { companyId, kind: 'provider.scope_changed', objectId: before.accountId, ...facts });
  });
}
