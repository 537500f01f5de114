import { disputedRefusal, isHeldByBank } from './charges.ts';
import type { ChargeDriver, ProviderRefund } from './driver.ts';
import { clearNo, faultIn } from './fault.ts';
import { type Charge, OutcomeUnknown, type RefundAnswer } from './gateway.ts';
import { updateChargeRefund, updateRefundRefused } from './provider-charge.sql.ts';
import type { LocatedCharge } from './session.ts';

/** What a refund came to: its money takes days at some banks. */
const refundAnswer = (charge: Charge): RefundAnswer =>
  charge.status === 'refunded' ? { kind: 'charge', charge } : { kind: 'pending', charge };

export function refunder<Client>({ title, read, refunds }: ChargeDriver<Client>) {
  const readNow = async (charge: LocatedCharge<Client>): Promise<Charge> => {
    const held = await read(charge);
    if (held) return held;
    throw new OutcomeUnknown(`${title} has no payment to return.`);
  };
  const judge = async (charge: LocatedCharge<Client>, { id, failure }: ProviderRefund, generation: number) => {
    const { row, db } = charge;
    if (!failure) return refundAnswer(await readNow({ ...charge, row: { ...row, refundId: id } }));
    await updateChargeRefund(db, row, null);
    await updateRefundRefused(db, row, generation);
    return charge.refuse(row, failure);
  };
  return async function refund(charge: LocatedCharge<Client>): Promise<RefundAnswer> {
    const { row, db } = charge;
    if (row.refundId !== null) return judge(charge, await refunds.find(charge, row.refundId), row.refundGeneration);
    const held = await readNow(charge);
    if (held.status !== 'captured') return { kind: 'charge', charge: held };
    if (isHeldByBank(held.dispute)) return charge.refuse(row, disputedRefusal(false).refusal);
    // The bank failed to do the last one, perhaps days later: what is asked for after that is another refund.
    const isAgain = held.refundFailure != null;
    if (isAgain) await updateRefundRefused(db, row, row.refundGeneration);
    const generation = row.refundGeneration + (isAgain ? 1 : 0);
    try {
      const made = await refunds.create(charge, `${row.paymentId}-refund-${generation}`, held);
      await updateChargeRefund(db, row, made.id);
      return await judge(charge, made, generation);
    } catch (error) {
      if (faultIn(error)?.isStored) await updateRefundRefused(db, row, generation);
      const fault = clearNo(error);
      if (refunds.alreadyDone.includes(fault.code)) return refundAnswer(await readNow(charge));
      return charge.refuse(row, fault.stepRefusal);
    }
  };
}
