import type { Difference } from '@coinslot/contract';
import { differences } from '@coinslot/texts/differences';
import { onWire } from '../../kit/on-wire.ts';
import type { DifferenceRow } from './difference.sql.ts';

const say = differences.in('en');

export const differenceView = (row: DifferenceRow): Difference => ({
  ...onWire(row, 'id, day, kind, state, ours, theirs, provider_id, payment_id, order_id, game_id, note, resolved_by'),
  ...onWire(row, 'resolved_at, created_at'),
  summary: say(row.kind),
  what_to_do: say(row.state === 'corrected' ? 'corrected' : `${row.kind}.fix`),
});
