import type { ChargeRef, Refusal } from '../gateway.ts';
import { updateChargeRefusal } from '../provider-charge.sql.ts';
import type { StripeDeps } from './stripe-context.ts';

/** A clear no to a step: kept beside the payment for its members, and told to the log. */
export async function refuse(
  deps: StripeDeps,
  ref: ChargeRef,
  refusal: Refusal,
): Promise<{ kind: 'refused'; refusal: Refusal }> {
  await updateChargeRefusal(deps.db, ref, refusal);
  deps.onRefusal(ref, refusal);
  return { kind: 'refused', refusal };
}
