import type { ChargeDriver, SavedMethodDriver } from './driver.ts';
import {
  ChargeMissing,
  type ChargeRef,
  type ForgetMethod,
  type ForgetPlayer,
  type Gateway,
  NothingKept,
  OutcomeUnknown,
  type SavedMethod,
} from './gateway.ts';
import { findCustomer, insertCustomer } from './provider-customer.sql.ts';
import { type GatewayOptions, type LocatedCharge, openAccountSession } from './session.ts';

/** A method that the provider no longer has need not be removed. */
const unlessMissing = (error: unknown): void => {
  if (!(error instanceof ChargeMissing)) throw error;
};

/** For a provider that keeps none. */
const noMethods = (title: string): SavedMethodDriver<unknown> => ({
  find: async () => {
    throw new NothingKept(`${title} keeps no methods.`);
  },
  ownerOf: async () => null,
  remove: async () => {},
});

/** What a provider keeps for a player's next order, and how it is removed there. */
export function methodKeeper<Client>(
  options: GatewayOptions,
  driver: ChargeDriver<Client>,
  locate: (ref: ChargeRef) => Promise<LocatedCharge<Client> | null>,
): Pick<Gateway, 'saveMethod' | 'forgetMethod' | 'forgetPlayer'> {
  const { title } = driver;
  const savedMethods = driver.savedMethods ?? noMethods(title);
  const { removeCustomer } = savedMethods;

  async function saveMethod({ playerId, ...ref }: ChargeRef & { playerId: string }): Promise<SavedMethod> {
    const charge = await locate(ref);
    if (!charge) throw new OutcomeUnknown(`${title} has no payment ${ref.paymentId}.`);
    const { customerId, ...saved } = await savedMethods.find(charge);
    const { environmentId, accountId } = charge.row;
    if (customerId) await insertCustomer(options.db, { environmentId, playerId, accountId }, customerId);
    return { ...saved, accountId };
  }

  async function forgetMethod({ environmentId, playerId, token, accountId: holder }: ForgetMethod): Promise<void> {
    const account = await (holder
      ? options.accounts.byId(environmentId, holder)
      : options.accounts.current(environmentId));
    if (!account) return;
    const session = await openAccountSession(options, driver, environmentId, account);
    await session
      .ask('a saved method', async client => {
        const owner = await findCustomer(options.db, { environmentId, playerId, accountId: account.accountId });
        // Only the player's own: a token from anywhere else is left alone.
        if (!owner?.customerId || (await savedMethods.ownerOf(client, token)) !== owner.customerId) return;
        await savedMethods.remove(client, token);
      })
      .catch(unlessMissing);
  }

  async function forgetPlayer({ environmentId, accountId, customerId }: ForgetPlayer): Promise<boolean> {
    const account = await options.accounts.byId(environmentId, accountId);
    if (!account || !removeCustomer) return false;
    const session = await openAccountSession(options, driver, environmentId, account);
    await session.ask('a customer', client => removeCustomer(client, customerId)).catch(unlessMissing);
    return true;
  }

  return { saveMethod, forgetMethod, ...(removeCustomer && { forgetPlayer }) };
}
