import type { Charge } from './charge-shape.ts';
import { CHARGE_MISSING, type Decline, declinedCharge, type Refused, shopDecline } from './charges.ts';
import type { ChargeDriver, GatewayDriver } from './driver.ts';
import { type DisputeDriver, submitAcceptance, submitEvidence } from './evidence.ts';
import { busyDecline, clearNo, ProviderFault } from './fault.ts';
import {
  type AuthorizeRequest,
  type ChargeRef,
  type Gateway,
  NothingSent,
  OutcomeUnknown,
  type StepAnswer,
} from './gateway.ts';
import { methodKeeper } from './keep-methods.ts';
import type { ShopProblem } from './problems.ts';
import type { OpenedAccount } from './provider.ts';
import {
  findProviderCharge,
  insertNeverCharge,
  insertProviderCharge,
  type ProviderCharge,
  updateChargeNever,
  upsertRefusedCharge,
} from './provider-charge.sql.ts';
import { refunder } from './refund.ts';
import { type AccountSession, type GatewayOptions, type LocatedCharge, openAccountSession } from './session.ts';

/** Finds a payment's charge at the provider; null when the provider has nothing of it and never will. */
function locator<Client>(options: GatewayOptions, driver: ChargeDriver<Client>) {
  const open = async ({ environmentId, accountId }: ProviderCharge): Promise<AccountSession<Client>> => {
    // The account that took the payment, even if another one takes new payments by now.
    const account = await options.accounts.byId(environmentId, accountId);
    if (account) return openAccountSession(options, driver, environmentId, account);
    throw new OutcomeUnknown(`The account ${accountId} that took this payment is not connected any more.`);
  };
  return async function locate(ref: ChargeRef): Promise<LocatedCharge<Client> | null> {
    const row = await findProviderCharge(options.db, ref);
    if (!row) {
      // Never asked from here. A process that stalled before asking finds this row and gives up.
      return (await insertNeverCharge(options.db, driver.name, ref)) ? null : locate(ref);
    }
    if (row.status === 'never') return null;
    const intentId = row.intentId ?? (await driver.findLost(row, () => open(row)));
    if (intentId !== null) return { ...(await open(row)), row: { ...row, intentId } };
    // Does nothing where the provider's name has come meanwhile: the charge is located by that.
    await updateChargeNever(options.db, ref);
    return locate(ref);
  };
}

function authorizer<Client, Prepared extends { customerId: string | null }>(
  options: GatewayOptions,
  driver: GatewayDriver<Client, Prepared>,
  lookUp: (ref: ChargeRef) => Promise<Charge | null>,
) {
  /** Kept beside the payment, so that a member reads the provider's code, parameter and request id there. */
  const refuse = async (request: AuthorizeRequest, { accountId }: OpenedAccount, decline: Decline): Promise<Charge> => {
    const row = { ...request, provider: driver.name, accountId, customerId: null };
    await upsertRefusedCharge(options.db, row, decline.refusal);
    options.onRefusal(request, decline.refusal);
    return declinedCharge({ amountMinor: request.amountMinor, currency: request.currency }, decline);
  };
  return async function authorize(request: AuthorizeRequest): Promise<Charge> {
    const { environmentId, amountMinor, currency } = request;
    const no = (code: ShopProblem): Charge => declinedCharge({ amountMinor, currency }, shopDecline(code));
    const account = await options.accounts.current(environmentId, request);
    if (!account) return no('provider_not_connected');
    const session = await openAccountSession(options, driver, environmentId, account);
    // Nothing of this payment is at the provider yet, so a clear no is the end of it, and so is no answer.
    const prepared = await driver.prepare(session, request).catch((error: unknown) => {
      const declined = error instanceof ProviderFault ? error.decline : busyDecline(error);
      if (declined) return { declined };
      throw error;
    });
    if (typeof prepared === 'string') return no(prepared);
    if ('declined' in prepared) return refuse(request, account, prepared.declined);
    const { accountId } = account;
    const row = { ...request, provider: driver.name, accountId, customerId: prepared.customerId };
    if (!(await insertProviderCharge(options.db, row))) {
      const there = await findProviderCharge(options.db, request);
      if (there?.status === 'never') return no('given_up');
      if (there?.status === 'known') return (await lookUp(request)) ?? no('given_up');
    }
    const made = await driver.create(session, request, prepared).catch((error: unknown) => {
      const declined =
        error instanceof ProviderFault ? error.decline : error instanceof NothingSent ? busyDecline(error) : null;
      if (declined) return { declined };
      throw error;
    });
    if (!('declined' in made)) return made;
    // The provider refused before anything began: there is no charge, and this attempt is over.
    await updateChargeNever(options.db, request);
    return refuse(request, account, made.declined);
  };
}

/** What not every provider has. */
function disputeParts<Client>(
  driver: DisputeDriver<Client>,
  locate: (ref: ChargeRef) => Promise<LocatedCharge<Client> | null>,
): Pick<Gateway, 'acceptDispute' | 'fileRules' | 'previewEvidence'> {
  const { accept, fileRules, preview } = driver;
  return {
    ...(accept && {
      async acceptDispute({ environmentId, paymentId, disputeId }) {
        const charge = await locate({ environmentId, paymentId });
        return charge ? submitAcceptance(driver, accept, charge, disputeId) : CHARGE_MISSING;
      },
    }),
    ...(fileRules && { fileRules }),
    ...(preview && { previewEvidence: preview }),
  };
}

/** A provider behind the port. Which account, the environment's company decides; card data never comes by here. */
export function createGateway<Client, Prepared extends { customerId: string | null }>(
  options: GatewayOptions,
  driver: GatewayDriver<Client, Prepared>,
): Gateway {
  const { title, disputes } = driver;
  const locate = locator(options, driver);
  const refund = refunder(driver);

  const lookUp = async (ref: ChargeRef): Promise<Charge | null> => {
    const charge = await locate(ref);
    return charge && driver.read(charge);
  };

  /** If the charge is not in the state that the step needs, answers the state it is in. Null: the provider has no such charge. */
  async function step(
    ref: ChargeRef,
    move: (charge: LocatedCharge<Client>) => Promise<Charge | Refused | null>,
  ): Promise<Charge | Refused | null> {
    const charge = await locate(ref);
    if (!charge) return CHARGE_MISSING;
    return move(charge).catch((error: unknown): Promise<Charge | Refused | null> => {
      const fault = clearNo(error);
      if (driver.standsElsewhere.includes(fault.code)) return lookUp(ref);
      return charge.refuse(charge.row, fault.stepRefusal);
    });
  }

  const answerOf = (answer: Charge | Refused): StepAnswer =>
    'kind' in answer ? answer : { kind: 'charge', charge: answer };

  return {
    name: driver.name,
    authorize: authorizer(options, driver, lookUp),
    async capture(request) {
      const answer = await step(request, charge => driver.capture(charge, request));
      // Money that is on record as reserved, and that the provider still reserves or does not name, is asked about again.
      const isOpen = answer === null || ('status' in answer && answer.status === 'authorized');
      if (isOpen) throw new OutcomeUnknown(`${title} has not captured the payment.`);
      return answerOf(answer);
    },
    async canCapture(ref) {
      const row = await findProviderCharge(options.db, ref);
      return row === null || (await options.accounts.byId(ref.environmentId, row.accountId)) !== null;
    },
    void: async ref => answerOf((await step(ref, charge => driver.void(charge))) ?? CHARGE_MISSING),
    async refund(ref) {
      const charge = await locate(ref);
      return charge ? refund(charge) : CHARGE_MISSING;
    },
    lookUp,
    ...methodKeeper(options, driver, locate),
    async answerDispute({ environmentId, paymentId, ...given }) {
      const charge = await locate({ environmentId, paymentId });
      return charge ? submitEvidence(disputes, charge, given) : CHARGE_MISSING;
    },
    ...disputeParts(disputes, locate),
  };
}
