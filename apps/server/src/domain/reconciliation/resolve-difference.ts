import type { Difference } from '@coinslot/contract';
import { differences } from '@coinslot/texts/differences';
import { foundOr } from '../../kit/app-error.ts';
import { onWire } from '../../kit/on-wire.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { type DifferenceRow, findDifference, updateDifferenceResolved } from './difference.sql.ts';

const say = differences.in('en');

export const differenceView = (row: DifferenceRow): Difference => ({
  ...onWire(row, 'id, day, kind, state, ours, theirs, provider_id, payment_id, order_id, game_id, note, resolved_by'),
  ...onWire(row, 'resolved_at, created_at'),
  summary: say(row.kind),
  what_to_do: say(row.state === 'corrected' ? 'corrected' : `${row.kind}.fix`),
});

/** A member has dealt with it. Resolving it again changes nothing. */
export async function resolveDifference(
  { db }: Shop,
  actor: Actor,
  { companyId, id, note }: { companyId: string; id: string; note: string },
): Promise<DifferenceRow> {
  return db.transaction(async tx => {
    const before = await foundOr('difference_not_found', findDifference(tx, companyId, id));
    if (await updateDifferenceResolved(tx, companyId, id, { note, by: actor.email })) {
      writeAudit(tx, actor, {
        companyId,
        environmentId: before.environmentId,
        kind: 'difference.resolved',
        objectId: id,
        before: { state: before.state },
        after: { state: 'resolved', note },
      });
    }
    return (await findDifference(tx, companyId, id))!;
  });
}
