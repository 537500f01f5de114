import type { Db } from '../../../../db/db.ts';
import { steadyMs } from '../../../../kit/clock.ts';
import { repeat } from '../../../../kit/repeat.ts';
import type { Seal } from '../../../../kit/seal.ts';
import { chargeSecretContext } from '../../merchant-accounts/account-secrets.ts';
import type { Charge, Refusal } from './charge-shape.ts';
import type { Refused } from './charges.ts';
import { ProviderFault } from './fault.ts';
import { ChargeMissing, type ChargeRef, NothingSent, OutcomeUnknown } from './gateway.ts';
import type { Accounts, OpenedAccount } from './provider.ts';
import { type ProviderCharge, updateChargeRefusal, updateChargeSeen } from './provider-charge.sql.ts';

export interface GatewayOptions {
  /** The provider's own connections. It must never be given the shop's transaction. */
  db: Db;
  seal: Seal;
  accounts: Accounts;
  /** For the log: the refusal carries no secret. */
  onRefusal: (ref: ChargeRef, refusal: Refusal) => void;
  /** How often a call is repeated within seconds, of three times at most. */
  repeats?: number | undefined;
}

export interface Wire<Client> {
  readonly title: string;
  connect(account: OpenedAccount): Client | Promise<Client>;
  /** Null: not an error of the provider's. */
  faultOf(error: unknown): ProviderFault | null;
}

/** One account at a provider, asked on behalf of one environment. */
export interface AccountSession<Client> {
  readonly db: Db;
  readonly environmentId: string;
  readonly account: OpenedAccount;
  readonly client: Client;
  /**
   * A call that may change something. A clear no comes back as the fault, and what is not known as that. A refusal that
   * concerns the account is shown to the studio's members.
   */
  call<T>(what: string, work: (client: Client) => Promise<T>): Promise<T>;
  /** A question that changes nothing: whatever goes wrong, it is asked again later. */
  ask<T>(what: string, work: (client: Client) => Promise<T>): Promise<T>;
  /** Keeps what the provider holds in the row, for pages and people. */
  keep(ref: ChargeRef, charge: Charge): Promise<Charge>;
  /** A clear no to a step: kept beside the payment for its members, and written to the log. */
  refuse(ref: ChargeRef, refusal: Refusal): Promise<Refused>;
}

/** A charge that the provider knows by name, and the account that took it. */
export interface LocatedCharge<Client> extends AccountSession<Client> {
  row: ProviderCharge & { intentId: string };
}

/** Seconds, while the player waits. What is not known after them is asked for by a worker. */
const REPEAT_WAITS_MS = [500, 1_200, 2_500];
/** With the time limits of the calls it stays below the time for which a process holds a payment. */
const REPEAT_WITHIN_MS = 6_000;

export async function openAccountSession<Client>(
  { db, seal, accounts, onRefusal, repeats = REPEAT_WAITS_MS.length }: GatewayOptions,
  wire: Wire<Client>,
  environmentId: string,
  account: OpenedAccount,
): Promise<AccountSession<Client>> {
  const { title } = wire;
  const client = await wire.connect(account);
  const untilMs = steadyMs() + REPEAT_WITHIN_MS;
  const call = async <T>(what: string, work: (client: Client) => Promise<T>): Promise<T> => {
    let mayBeDone = false;
    // Every call has a key or is taken once, so that one which was done all the same does nothing more.
    const isPassing = (error: unknown, isRepeated: boolean): boolean => {
      const fault = wire.faultOf(error);
      mayBeDone ||= fault?.mayBeDone ?? true;
      return fault?.isPassing(isRepeated) ?? false;
    };
    try {
      return await repeat(() => work(client), { waitsMs: REPEAT_WAITS_MS.slice(0, repeats), untilMs, isPassing });
    } catch (error) {
      const fault = wire.faultOf(error);
      if (!fault) throw error;
      if (fault.accountProblem) await accounts.report(environmentId, account.accountId, fault.accountProblem);
      mayBeDone ||= fault.mayBeDone;
      if (!fault.isUncertain && !(mayBeDone && fault.isBeforeKey)) throw fault;
      const how = fault.statusCode ?? fault.code;
      const Unknown = mayBeDone ? OutcomeUnknown : NothingSent;
      throw new Unknown(`${title} gave no answer to ${what}: ${how}.`, { cause: fault });
    }
  };
  return {
    db,
    environmentId,
    account,
    client,
    call,
    async ask(what, work) {
      try {
        return await call(what, work);
      } catch (error) {
        if (!(error instanceof ProviderFault)) throw error;
        if (error.isMissing) throw new ChargeMissing(`${title} has no such payment.`, { cause: error });
        const how = [error.statusCode, error.code].join(' ');
        throw new OutcomeUnknown(`${title} answered ${what} with ${how}.`, { cause: error });
      }
    },
    async keep({ environmentId: of, paymentId }, charge) {
      const secret = charge.nextAction?.clientSecret ?? null;
      await updateChargeSeen(
        db,
        { environmentId: of, paymentId },
        charge,
        secret === null ? null : seal.seal(secret, chargeSecretContext(of, paymentId)),
      );
      return charge;
    },
    async refuse(ref, refusal) {
      await updateChargeRefusal(db, ref, refusal);
      onRefusal(ref, refusal);
      return { kind: 'refused', refusal };
    },
  };
}
