import { reasonOf } from '@coinslot/texts/reasons';
import { isObject } from '../base/callbacks.ts';
import type { Charge } from '../base/charge-shape.ts';
import { ownRefusal, refusal } from '../base/charges.ts';
import type { GatewayDriver } from '../base/driver.ts';
import { faultIn } from '../base/fault.ts';
import { OutcomeUnknown } from '../base/gateway.ts';
import { updateChargeEnded, updateChargeGeneration } from '../base/provider-charge.sql.ts';
import type { LocatedCharge } from '../base/session.ts';
import { createPayment, type Prepared, preparePayment } from './authorize-payment.ts';
import { chargeOfPayment, isUndone, refundOf, voidedCharge } from './charge-of-payment.ts';
import { mollieFaultOf } from './mollie-fault.ts';
import { toMollieMoney } from './wire/mollie-amount.ts';
import { type MollieApi, type MollieCall, type MollieClient, TIMEOUTS_MS } from './wire/mollie-client.ts';
import type { MollieCapture, MolliePayment, MollieRefund } from './wire/mollie-objects.ts';

type Driver = GatewayDriver<MollieApi, Prepared>;
type Located = LocatedCharge<MollieApi>;

/** Longer than the call that makes a payment may take. */
const MAKING_SECONDS = 60;

const pathOf = ({ row }: Located, more = ''): string => `/v2/payments/${row.intentId}${more}`;

const getPayment = (found: Located): Promise<MolliePayment> =>
  found.ask('a payment', api =>
    api({ method: 'GET', path: pathOf(found), query: { embed: 'captures,refunds,chargebacks' } }),
  );

/** After an answer that is an error the next call takes another key: Mollie may repeat it under the first. */
async function move<T>(found: Located, what: string, call: Omit<MollieCall, 'key'>): Promise<T> {
  const { row, db } = found;
  const key = `${row.paymentId}-${what}-${row.generation}`;
  try {
    return await found.call(what, api => api<T>({ ...call, key, timeoutMs: TIMEOUTS_MS.charge }));
  } catch (error) {
    if (faultIn(error)?.isStored) await updateChargeGeneration(db, row, row.generation);
    throw error;
  }
}

const release = (found: Located): Promise<null> =>
  move(found, 'release', { method: 'POST', path: pathOf(found, '/release-authorization') });

/** What was given up holds no money: a reservation that came about all the same is released, and an open payment is canceled. */
async function letGo(found: Located, payment: MolliePayment): Promise<Charge> {
  if (payment.status === 'authorized') await release(found);
  if (payment.status === 'open' && payment.isCancelable) {
    await move(found, 'cancel', { method: 'DELETE', path: pathOf(found) });
  }
  return found.keep(found.row, voidedCharge(payment));
}

const LETS_GO: readonly string[] = ['open', 'authorized'];

const chargeNow = async (found: Located, payment: MolliePayment): Promise<Charge> => {
  if (found.row.ended !== null && LETS_GO.includes(payment.status)) return letGo(found, payment);
  return found.keep(found.row, chargeOfPayment(payment, found.row));
};

const readPayment = async (found: Located): Promise<Charge> => chargeNow(found, await getPayment(found));

const voidPayment: Driver['void'] = async found => {
  const payment = await getPayment(found);
  if (!LETS_GO.includes(payment.status)) return found.keep(found.row, chargeOfPayment(payment, found.row));
  // First on record: what the player still does on Mollie's pages is let go of when it is seen.
  await updateChargeEnded(found.db, found.row, 'voided');
  return letGo(found, payment);
};

const capturePayment: Driver['capture'] = async (found, { amountMinor, currency }) => {
  const { row } = found;
  if (amountMinor !== row.amountMinor || currency !== row.currency) {
    return found.refuse(row, ownRefusal('shop', 'amount_differs', { param: 'amount' }));
  }
  const payment = await getPayment(found);
  const held = await chargeNow(found, payment);
  // Keys are kept for an hour: a capture that Mollie is still at is not asked for under one that it may have forgotten.
  const { _embedded: { captures = [] } = {} } = payment;
  const isUnderWay = captures.some(({ status }) => status === 'pending');
  if (held.status !== 'authorized' || isUnderWay) return held;
  const capture = await move<MollieCapture>(found, 'capture', {
    method: 'POST',
    path: pathOf(found, '/captures'),
    body: { amount: toMollieMoney(amountMinor, currency), metadata: { payment_id: row.paymentId } },
  });
  if (capture.status === 'failed') {
    await updateChargeGeneration(found.db, row, row.generation);
    return found.refuse(
      row,
      refusal('bank', 'capture_failed', reasonOf('mollie.step', 'capture_failed')!, { isFinal: false }),
    );
  }
  // While Mollie is at it, the payment stays authorized and is asked about again.
  return readPayment(found);
};

const idIn = (mark: unknown): unknown => (isObject(mark) ? mark.payment_id : null);

const refunds: Driver['refunds'] = {
  alreadyDone: [],
  find: async (found, id) =>
    refundOf(
      await found.ask('a refund', api => api<MollieRefund>({ method: 'GET', path: pathOf(found, `/refunds/${id}`) })),
    ),
  async create(found, held, send) {
    const { _embedded: { refunds: made = [] } = {} } = await getPayment(found);
    // Of a call whose answer was lost, also long after Mollie has forgotten its key.
    const ours = made.find(({ metadata, status }) => idIn(metadata) === found.row.paymentId && !isUndone(status));
    if (ours) return refundOf(ours);
    const body = {
      amount: toMollieMoney(held.amountMinor - (held.refundedMinor ?? 0), held.currency),
      description: `Refund ${found.row.paymentId}`,
      metadata: { payment_id: found.row.paymentId },
    };
    const post = { method: 'POST', path: pathOf(found, '/refunds'), body, timeoutMs: TIMEOUTS_MS.charge } as const;
    return refundOf(await send((api, key) => api<MollieRefund>({ ...post, key })));
  },
};

export const mollieDriver = (client: MollieClient): Driver => ({
  name: 'mollie',
  title: 'Mollie',
  connect: account => call => client.call(account, call),
  faultOf: mollieFaultOf,
  prepare: preparePayment,
  create: createPayment,
  async findLost({ ageSeconds }) {
    if (ageSeconds < MAKING_SECONDS) throw new OutcomeUnknown('The payment is being made at Mollie.');
    // The player was never sent to a payment whose name we never heard, nor has Mollie written to them: none can pay it.
    return null;
  },
  read: readPayment,
  capture: capturePayment,
  void: voidPayment,
  // Mollie's refusals have no codes: what stands is read before each step.
  standsElsewhere: [],
  refunds,
  disputes: {
    list: async found =>
      chargeOfPayment(await getPayment(found), found.row).disputes.map(dispute => ({ dispute, holds: () => false })),
  },
});
