import {
  chargeMissing,
  type Decline,
  declinedCharge,
  disputedRefusal,
  isHeldByBank,
  type Refused,
  shopDecline,
} from './charges.ts';
import { answerDispute, type DisputeDriver } from './evidence.ts';
import { clearNo, faultIn, ProviderFault } from './fault.ts';
import {
  type AuthorizeRequest,
  type Charge,
  ChargeMissing,
  type ChargeRef,
  type ForgetMethod,
  type Gateway,
  OutcomeUnknown,
  type RefundAnswer,
  type Refusal,
  type SavedMethod,
  type StepAnswer,
} from './gateway.ts';
import type { ShopProblem } from './problems.ts';
import type { OpenedAccount } from './provider.ts';
import {
  findCustomer,
  findProviderCharge,
  insertCustomer,
  insertNeverCharge,
  insertProviderCharge,
  type ProviderCharge,
  updateChargeNever,
  updateChargeRefund,
  updateRefundRefused,
  upsertRefusedCharge,
} from './provider-charge.sql.ts';
import { type AccountSession, type GatewayDeps, type LocatedCharge, openSession, type Wire } from './session.ts';

export type CaptureRequest = ChargeRef & { amountMinor: number; currency: string };

/** A refund that was asked for. */
export interface ProviderRefund {
  id: string;
  /** Why the money did not arrive; null: it did, or it is on its way. */
  failure: Refusal | null;
}

export interface RefundDriver<Client> {
  find(charge: LocatedCharge<Client>, refundId: string): Promise<ProviderRefund>;
  /** The whole of what is left, so that the provider itself refuses a second one, whatever its key. */
  create(charge: LocatedCharge<Client>, key: string, held: Charge): Promise<ProviderRefund>;
  /** Codes of a refund that was made before. */
  readonly alreadyDone: readonly string[];
}

export interface SavedMethodDriver<Client> {
  /** What was kept of a charge; `customerId` is for whom, where it was not known before. */
  find(charge: LocatedCharge<Client>): Promise<SavedMethod & { customerId?: string | null }>;
  /** The customer that the provider keeps it for. */
  ownerOf(client: Client, token: string): Promise<string | null>;
  remove(client: Client, token: string): Promise<unknown>;
  /** Absent where a provider keeps nothing but methods. */
  removeCustomer?(client: Client, customerId: string): Promise<unknown>;
}

/**
 * What a provider's folder brings; `createGateway` makes the port of it. A call throws the provider's fault for a clear no
 * and `OutcomeUnknown` for everything else.
 */
export interface GatewayDriver<Client, Prepared extends { customerId: string | null }> extends Wire<Client> {
  readonly name: string;
  /** What pays, before anything of the payment is at the provider; or why it cannot be paid. */
  prepare(session: AccountSession<Client>, request: AuthorizeRequest): Promise<Prepared | ShopProblem>;
  /** Makes the charge under the payment's id. After a fault or a decline nothing of it is at the provider. */
  create(
    session: AccountSession<Client>,
    request: AuthorizeRequest,
    prepared: Prepared,
  ): Promise<Charge | { declined: Decline }>;
  /** The provider's name of a charge whose answer never came; null: there is none and never will be. Charges nothing. */
  findLost(row: ProviderCharge, open: () => Promise<AccountSession<Client>>): Promise<string | null>;
  /** What the provider holds. Null: nothing, and nothing will come. */
  read(charge: LocatedCharge<Client>): Promise<Charge | null>;
  /** Null, here and below: the provider has nothing of it. */
  capture(charge: LocatedCharge<Client>, request: CaptureRequest): Promise<Charge | Refused | null>;
  void(charge: LocatedCharge<Client>): Promise<Charge | Refused | null>;
  /** Codes by which the provider says that the charge stands elsewhere than a step needs. */
  readonly standsElsewhere: readonly string[];
  readonly refunds: RefundDriver<Client>;
  readonly disputes: DisputeDriver<Client>;
  readonly savedMethods: SavedMethodDriver<Client>;
}

/** Finds a payment's charge at the provider; null when the provider has nothing of it and never will. */
function locator<Client>(deps: GatewayDeps, driver: GatewayDriver<Client, never>) {
  const open = async ({ environmentId, accountId }: ProviderCharge): Promise<AccountSession<Client>> => {
    // The account that took the payment, even if another one takes new payments by now.
    const account = await deps.accounts.byId(environmentId, accountId);
    if (account) return openSession(deps, driver, environmentId, account);
    throw new OutcomeUnknown(`The account ${accountId} that took this payment is not connected any more.`);
  };
  return async function locate(ref: ChargeRef): Promise<LocatedCharge<Client> | null> {
    const row = await findProviderCharge(deps.db, ref);
    if (!row) {
      // Never asked from here. A process that stalled before asking finds this row and gives up.
      return (await insertNeverCharge(deps.db, driver.name, ref)) ? null : locate(ref);
    }
    if (row.status === 'never') return null;
    const intentId = row.intentId ?? (await driver.findLost(row, () => open(row)));
    if (intentId !== null) return { ...(await open(row)), row: { ...row, intentId } };
    // Does nothing where the provider's name has come meanwhile: the charge is located by that.
    await updateChargeNever(deps.db, ref);
    return locate(ref);
  };
}

/** What a refund came to: its money takes days at some banks. */
const refundAnswer = (charge: Charge): RefundAnswer =>
  charge.status === 'refunded' ? { kind: 'charge', charge } : { kind: 'pending', charge };

function refunder<Client>({ title, read, refunds }: GatewayDriver<Client, never>) {
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

function authorizer<Client, Prepared extends { customerId: string | null }>(
  deps: GatewayDeps,
  driver: GatewayDriver<Client, Prepared>,
  lookUp: (ref: ChargeRef) => Promise<Charge | null>,
) {
  /** Kept beside the payment, so that a member reads the provider's code, parameter and request id there. */
  const refuse = async (request: AuthorizeRequest, { accountId }: OpenedAccount, decline: Decline): Promise<Charge> => {
    const row = { ...request, provider: driver.name, accountId, customerId: null };
    await upsertRefusedCharge(deps.db, row, decline.refusal);
    deps.onRefusal(request, decline.refusal);
    return declinedCharge({ amountMinor: request.amountMinor, currency: request.currency }, decline);
  };
  return async function authorize(request: AuthorizeRequest): Promise<Charge> {
    const { environmentId, amountMinor, currency } = request;
    const no = (code: ShopProblem): Charge => declinedCharge({ amountMinor, currency }, shopDecline(code));
    const account = await deps.accounts.current(environmentId);
    if (!account) return no('provider_not_connected');
    const session = await openSession(deps, driver, environmentId, account);
    const prepared = await driver.prepare(session, request).catch((error: unknown) => {
      if (error instanceof ProviderFault) return error;
      throw error;
    });
    // Nothing of this payment is at the provider yet, so a clear no is the end of it.
    if (prepared instanceof ProviderFault) return refuse(request, account, prepared.decline);
    if (typeof prepared === 'string') return no(prepared);
    const { accountId } = account;
    const row = { ...request, provider: driver.name, accountId, customerId: prepared.customerId };
    if (!(await insertProviderCharge(deps.db, row))) {
      const there = await findProviderCharge(deps.db, request);
      if (there?.status === 'never') return no('given_up');
      if (there?.status === 'known') return (await lookUp(request)) ?? no('given_up');
    }
    const made = await driver.create(session, request, prepared).catch((error: unknown) => {
      if (error instanceof ProviderFault) return { declined: error.decline };
      throw error;
    });
    if (!('declined' in made)) return made;
    // The provider refused before anything began: there is no charge, and this attempt is over.
    await updateChargeNever(deps.db, request);
    return refuse(request, account, made.declined);
  };
}

/** A provider behind the port. Which account, the environment's company decides; card data never comes by here. */
export function createGateway<Client, Prepared extends { customerId: string | null }>(
  deps: GatewayDeps,
  driver: GatewayDriver<Client, Prepared>,
): Gateway {
  const { title, savedMethods, disputes } = driver;
  const locate = locator(deps, driver as GatewayDriver<Client, never>);
  const refund = refunder(driver as GatewayDriver<Client, never>);

  const lookUp = async (ref: ChargeRef): Promise<Charge | null> => {
    const charge = await locate(ref);
    return charge && driver.read(charge);
  };

  /** A step on a charge that stands elsewhere answers where it stands. */
  async function step(
    ref: ChargeRef,
    move: (charge: LocatedCharge<Client>) => Promise<Charge | Refused | null>,
  ): Promise<StepAnswer> {
    const charge = await locate(ref);
    if (!charge) return chargeMissing(title, ref);
    const answer = await move(charge).catch((error: unknown): Promise<Charge | Refused | null> => {
      const fault = clearNo(error);
      if (driver.standsElsewhere.includes(fault.code)) return lookUp(ref);
      return charge.refuse(charge.row, fault.stepRefusal);
    });
    if (!answer) return chargeMissing(title, ref);
    return 'kind' in answer ? answer : { kind: 'charge', charge: answer };
  }

  async function saveMethod({ playerId, ...ref }: ChargeRef & { playerId: string }): Promise<SavedMethod> {
    const charge = await locate(ref);
    if (!charge) throw new OutcomeUnknown(`${title} has no payment ${ref.paymentId}.`);
    const { customerId, ...saved } = await savedMethods.find(charge);
    const { environmentId, accountId } = charge.row;
    if (customerId) await insertCustomer(deps.db, { environmentId, playerId, accountId }, customerId);
    return { ...saved, accountId };
  }

  async function forgetMethod({ environmentId, playerId, token, accountId: holder }: ForgetMethod): Promise<void> {
    const account = await (holder ? deps.accounts.byId(environmentId, holder) : deps.accounts.current(environmentId));
    if (!account) return;
    const session = await openSession(deps, driver, environmentId, account);
    await session
      .ask('a saved method', async client => {
        const owner = await findCustomer(deps.db, { environmentId, playerId, accountId: account.accountId });
        // Only the player's own: a token from anywhere else is left alone.
        if (!owner?.customerId || (await savedMethods.ownerOf(client, token)) !== owner.customerId) return;
        await savedMethods.remove(client, token);
      })
      .catch(unlessMissing);
  }

  return {
    name: driver.name,
    authorize: authorizer(deps, driver, lookUp),
    capture: request => step(request, charge => driver.capture(charge, request)),
    void: ref => step(ref, charge => driver.void(charge)),
    async refund(ref) {
      const charge = await locate(ref);
      return charge ? refund(charge) : chargeMissing(title, ref);
    },
    lookUp,
    saveMethod,
    forgetMethod,
    ...(savedMethods.removeCustomer && {
      async forgetPlayer({ environmentId, accountId, customerId }) {
        const account = await deps.accounts.byId(environmentId, accountId);
        if (!account) return false;
        const session = await openSession(deps, driver, environmentId, account);
        await session
          .ask('a customer', client => savedMethods.removeCustomer!(client, customerId))
          .catch(unlessMissing);
        return true;
      },
    }),
    dispute: async ref => (await lookUp(ref))?.dispute ?? null,
    async answerDispute({ evidence, environmentId, paymentId }) {
      const charge = await locate({ environmentId, paymentId });
      return charge ? answerDispute(disputes, charge, evidence) : chargeMissing(title, { environmentId, paymentId });
    },
  };
}

/** What is gone at the provider already need not be removed. */
const unlessMissing = (error: unknown): void => {
  if (!(error instanceof ChargeMissing)) throw error;
};
