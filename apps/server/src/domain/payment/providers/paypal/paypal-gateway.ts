import {
  type Charge,
  type ChargeRef,
  type ForgetMethod,
  type Gateway,
  OutcomeUnknown,
  type SavedMethod,
  type StepAnswer,
} from '../base/gateway.ts';
import {
  findCustomer,
  findProviderCharge,
  insertCustomer,
  insertNeverCharge,
  updateChargeNever,
} from '../base/provider-charge.sql.ts';
import { updateChargeEnded } from '../base/provider-steps.sql.ts';
import { answerDispute } from './answer-dispute.ts';
import { authorizePayment } from './authorize-payment.ts';
import { capturePayment } from './capture-payment.ts';
import { voidedCharge } from './charge-of-payment.ts';
import {
  accountOf,
  callPaypal,
  type Found,
  factsOf,
  isMissing,
  keepSeen,
  move,
  type PaypalDeps,
  refuse,
} from './paypal-context.ts';
import { stepRefusalOf } from './paypal-problem.ts';
import { getOrder, readPayment } from './read-payment.ts';
import { refundPayment } from './refund-payment.ts';
import { PAYPAL, PaypalFault } from './wire/paypal-client.ts';

/** Longer than the call that makes an order may take. */
const MAKING_SECONDS = 30;

/** The row of a payment and who took it; null when PayPal has nothing of it and never will. */
async function find(deps: PaypalDeps, ref: ChargeRef): Promise<Found | null> {
  const row = await findProviderCharge(deps.db, ref);
  if (!row) {
    // Never asked from here. A process that stalled before asking finds this row and gives up.
    if (await insertNeverCharge(deps.db, PAYPAL, ref)) return null;
    return find(deps, ref);
  }
  if (row.status === 'never') return null;
  if (row.intentId === null) {
    if (row.ageSeconds < MAKING_SECONDS) throw new OutcomeUnknown('The order is being made at PayPal.');
    // An order whose name we never heard holds no money: only our own next call could reserve it, and that is off now.
    await updateChargeNever(deps.db, ref);
    return find(deps, ref);
  }
  return { row: { ...row, intentId: row.intentId }, account: await accountOf(deps, row) };
}

const missing = ({ paymentId }: ChargeRef): StepAnswer & { kind: 'refused' } => ({
  kind: 'refused',
  refusal: {
    whose: 'shop',
    code: 'charge_missing',
    reason: `PayPal has no payment ${paymentId}.`,
    param: null,
    requestId: null,
    isFinal: true,
  },
});

async function lookUp(deps: PaypalDeps, ref: ChargeRef): Promise<Charge | null> {
  const found = await find(deps, ref);
  return found && readPayment(deps, found);
}

const STANDS_ELSEWHERE: readonly string[] = ['PREVIOUSLY_VOIDED', 'PREVIOUSLY_CAPTURED', 'CANNOT_BE_VOIDED'];

async function voidPayment(deps: PaypalDeps, found: Found): Promise<StepAnswer> {
  const { row } = found;
  const standing = async (): Promise<StepAnswer> => {
    const charge = await readPayment(deps, found);
    return charge ? { kind: 'charge', charge } : missing(row);
  };
  if (row.captureId !== null || row.ended !== null) return standing();
  if (row.holdId === null) {
    // PayPal has no call that ends an order: it ends here, and a reservation that comes all the same is released.
    await updateChargeEnded(deps.db, row, 'voided');
    row.ended = 'voided';
    return standing();
  }
  try {
    await move(deps, found, 'void', { path: `/v2/payments/authorizations/${row.holdId}/void` });
    return { kind: 'charge', charge: await keepSeen(deps, found, voidedCharge(factsOf(found))) };
  } catch (error) {
    if (!(error instanceof PaypalFault)) throw error;
    return STANDS_ELSEWHERE.includes(error.issue) ? standing() : refuse(deps, row, stepRefusalOf(error));
  }
}

async function saveMethod(
  deps: PaypalDeps,
  { playerId, ...ref }: ChargeRef & { playerId: string },
): Promise<SavedMethod> {
  const found = await find(deps, ref);
  if (!found) throw new Error(`PayPal has no payment ${ref.paymentId}.`);
  const order = await getOrder(deps, found);
  const vault = order.payment_source?.paypal?.attributes?.vault;
  if (!vault?.id || vault.status !== 'VAULTED')
    throw new Error(`The payment ${ref.paymentId} has no method that was kept.`);
  const { accountId } = found.account;
  if (vault.customer?.id) {
    await insertCustomer(deps.db, { environmentId: ref.environmentId, playerId, accountId }, vault.customer.id);
  }
  return { token: vault.id, accountId, brand: 'paypal', last4: '', expiryMonth: 0, expiryYear: 0 };
}

/** Only the player's own: a token from anywhere else is left alone. */
async function forgetMethod(
  deps: PaypalDeps,
  { environmentId, playerId, token, accountId }: ForgetMethod,
): Promise<void> {
  const account = await (accountId
    ? deps.accounts.byId(environmentId, accountId)
    : deps.accounts.current(environmentId));
  if (!account) return;
  const path = `/v3/vault/payment-tokens/${encodeURIComponent(token)}`;
  const where = { environmentId, account };
  try {
    const kept = await callPaypal<{ customer?: { id?: string } }>(deps, where, 'a saved method', {
      method: 'GET',
      path,
    });
    const owner = await findCustomer(deps.db, { environmentId, playerId, accountId: account.accountId });
    if (!owner?.customerId || kept.customer?.id !== owner.customerId) return;
    await callPaypal(deps, where, 'a saved method', { method: 'DELETE', path });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** PayPal behind the port. Which account, the environment's company decides; card data never comes by here. */
export function createPaypalGateway(deps: PaypalDeps): Gateway {
  return {
    name: PAYPAL,
    authorize: request => authorizePayment(deps, request, ref => lookUp(deps, ref)),
    async capture(request) {
      const found = await find(deps, request);
      return found ? capturePayment(deps, found, request) : missing(request);
    },
    async void(ref) {
      const found = await find(deps, ref);
      return found ? voidPayment(deps, found) : missing(ref);
    },
    async refund(ref) {
      const found = await find(deps, ref);
      return found ? refundPayment(deps, found) : missing(ref);
    },
    lookUp: ref => lookUp(deps, ref),
    saveMethod: ref => saveMethod(deps, ref),
    forgetMethod: request => forgetMethod(deps, request),
    dispute: async ref => (await lookUp(deps, ref))?.dispute ?? null,
    async answerDispute({ evidence, ...ref }) {
      const found = await find(deps, ref);
      return found ? answerDispute(deps, found, evidence) : missing(ref);
    },
  };
}
