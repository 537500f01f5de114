import type { Charge, Refusal } from './charge-shape.ts';
import type { Decline, Refused } from './charges.ts';
import type { DisputeDriver } from './evidence.ts';
import type { AuthorizeRequest, ChargeRef, SavedMethod } from './gateway.ts';
import type { ShopProblem } from './problems.ts';
import type { ProviderCharge } from './provider-charge.sql.ts';
import type { AccountSession, LocatedCharge, Wire } from './session.ts';

export type CaptureRequest = ChargeRef & { amountMinor: number; currency: string };

export interface ProviderRefund {
  id: string;
  /** Why the money did not arrive; null: it did, or it is on its way. */
  failure: Refusal | null;
}

/** Makes the one call that moves money, under an idempotency key. */
export type SendKeyed<Client> = <T>(work: (client: Client, key: string) => Promise<T>) => Promise<T>;

export interface RefundDriver<Client> {
  find(charge: LocatedCharge<Client>, refundId: string): Promise<ProviderRefund>;
  /** The whole of what is left, so that the provider itself refuses a second one, whatever its key. */
  create(charge: LocatedCharge<Client>, held: Charge, send: SendKeyed<Client>): Promise<ProviderRefund>;
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

export interface ChargeDriver<Client> extends Wire<Client> {
  readonly name: string;
  /** The provider's name of a charge whose answer never came; null: there is none and never will be. Charges nothing. */
  findLost(row: ProviderCharge, open: () => Promise<AccountSession<Client>>): Promise<string | null>;
  /** What the provider holds. Null, here and below: nothing, and nothing will come. */
  read(charge: LocatedCharge<Client>): Promise<Charge | null>;
  capture(charge: LocatedCharge<Client>, request: CaptureRequest): Promise<Charge | Refused | null>;
  void(charge: LocatedCharge<Client>): Promise<Charge | Refused | null>;
  /** Codes by which the provider says that the charge stands elsewhere than a step needs. */
  readonly standsElsewhere: readonly string[];
  readonly refunds: RefundDriver<Client>;
  readonly disputes: DisputeDriver<Client>;
  /** Absent: the provider keeps no method for a next order. */
  readonly savedMethods?: SavedMethodDriver<Client>;
}

/**
 * What a provider's folder brings; `createGateway` makes the port of it. A call throws the provider's fault for a clear no
 * and `OutcomeUnknown` for everything else.
 */
export interface GatewayDriver<Client, Prepared extends { customerId: string | null }> extends ChargeDriver<Client> {
  /** What pays, before anything of the payment is at the provider; or why it cannot be paid. */
  prepare(session: AccountSession<Client>, request: AuthorizeRequest): Promise<Prepared | ShopProblem>;
  /** Makes the charge under the payment's id. After a fault or a decline nothing of it is at the provider. */
  create(
    session: AccountSession<Client>,
    request: AuthorizeRequest,
    prepared: Prepared,
  ): Promise<Charge | { declined: Decline }>;
}
