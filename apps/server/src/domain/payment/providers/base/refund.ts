import type { Charge } from './charge-shape.ts';
import { disputedRefusal, isHeldByBank, isReturnedInTime } from './charges.ts';
import type { ChargeDriver, ProviderRefund, SendKeyed } from './driver.ts';
import { clearNo, faultIn } from './fault.ts';
import { OutcomeUnknown, type RefundAnswer } from './gateway.ts';
import { updateChargeRefund, updateRefundRefused } from './provider-charge.sql.ts';
import type { LocatedCharge } from './session.ts';

/** What a refund came to: its money takes days at some banks. */
const refundAnswer = (charge: Charge): RefundAnswer =>
  charge.status === 'refunded' ? { kind: 'charge', charge } : { kind: 'pending', charge };

/**
 * Only a part was returned: our refund was that part, or was for the rest of one that has failed since. Something is left to
 * return.
 */
const isOfPart = ({ status, amountMinor, refundedMinor = 0, askAgainInSeconds }: Charge): boolean =>
  status === 'captured' && askAgainInSeconds === null && refundedMinor > 0 && refundedMinor < amountMinor;

export function refunder<Client>({ title, read, refunds }: ChargeDriver<Client>) {
  const readNow = async (charge: LocatedCharge<Client>): Promise<Charge> => {
    const held = await read(charge);
    if (held) return held;
    throw new OutcomeUnknown(`${title} has no payment to return.`);
  };
  const judge = async (charge: LocatedCharge<Client>, { id, failure }: ProviderRefund): Promise<RefundAnswer> => {
    const { row, db } = charge;
    if (!failure) return refundAnswer(await readNow({ ...charge, row: { ...row, refundId: id } }));
    await updateChargeRefund(db, row, null);
    await updateRefundRefused(db, row, row.refundGeneration);
    return charge.refuse(row, failure);
  };
  return async function refund(charge: LocatedCharge<Client>): Promise<RefundAnswer> {
    const { row, db, call } = charge;
    if (row.refundId !== null) {
      const answer = await judge(charge, await refunds.find(charge, row.refundId));
      if (answer.kind !== 'pending' || !isOfPart(answer.charge)) return answer;
      await updateChargeRefund(db, row, null);
      await updateRefundRefused(db, row, row.refundGeneration);
      return refund({ ...charge, row: { ...row, refundId: null, refundGeneration: row.refundGeneration + 1 } });
    }
    const held = await readNow(charge);
    if (held.status !== 'captured' || isReturnedInTime(held)) return { kind: 'charge', charge: held };
    if (isHeldByBank(held)) return charge.refuse(row, disputedRefusal(false).refusal);
    // What is asked for after a refund that its bank failed to do is another one, and the same however often it is asked for.
    const failed = held.refundFailure?.refundId;
    const key = `${row.paymentId}-refund-${row.refundGeneration}${failed === undefined ? '' : `-${failed}`}`;
    const send: SendKeyed<Client> = work =>
      call('a refund', client => work(client, key)).catch(async (error: unknown) => {
        if (faultIn(error)?.isStored) await updateRefundRefused(db, row, row.refundGeneration);
        throw error;
      });
    try {
      const made = await refunds.create(charge, held, send);
      await updateChargeRefund(db, row, made.id);
      return await judge(charge, made);
    } catch (error) {
      const fault = clearNo(error);
      if (refunds.alreadyDone.includes(fault.code)) return refundAnswer(await readNow(charge));
      return charge.refuse(row, fault.stepRefusal);
    }
  };
}
