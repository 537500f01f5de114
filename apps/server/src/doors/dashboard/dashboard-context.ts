import type { DashboardEndpoint, DashboardLocale, Role } from '@coinslot/contract';
import type { Db } from '../../db/db.ts';
import type { DbClock } from '../../db/db-clock.ts';
import type { Replica } from '../../db/replica/replica.ts';
import type { Signals } from '../../db/signals.ts';
import type { Person } from '../../domain/audit/audit.ts';
import type { Environment } from '../../domain/game/environment.ts';
import type { RegistrationRule } from '../../domain/game/register-visitor.ts';
import type { CheckoutUrlOf } from '../../domain/order/checkout-token.ts';
import type { CreateOrderCase } from '../../domain/order/create-order.ts';
import type { FindLiveRouting } from '../../domain/payment/live-provider.ts';
import type { MerchantAccounts } from '../../domain/payment/merchant-accounts/merchant-accounts.ts';
import type { Simulator } from '../../domain/payment/providers/simulator/simulator.ts';
import type { PurchaseDeps } from '../../domain/purchase/engine/purchase-deps.ts';
import type { SignedIn } from '../../domain/user/session.sql.ts';
import type { TargetPolicy } from '../../domain/webhook/sending/target.ts';
import type { ConnectionSlots } from '../../http/limits/connection-slots.ts';
import type { Seal } from '../../kit/seal.ts';

export interface DashboardDeps {
  db: Db;
  /** For lists, figures and exports; see `listsOf`. */
  replica: Pick<Replica, 'reader' | 'caughtUp'> | null;
  clock: DbClock;
  seal: Seal;
  /** Bounds the streams that wait for changes. */
  connectionSlots: ConnectionSlots;
  signals: Signals;
  purchasing: PurchaseDeps;
  /** The payment provider of sandbox, which can be made older. */
  simulator: Simulator;
  targetPolicy: TargetPolicy;
  createOrder: CreateOrderCase;
  checkoutUrlOf: CheckoutUrlOf;
  /** Where old rows lie as files, from which a player is erased too. */
  archiveDir: string | undefined;
  /** The payment provider of live environments, and what keys are allowed here. */
  provider: {
    merchantAccounts: MerchantAccounts;
    /** As the payment page asks. */
    findLiveRouting: FindLiveRouting;
    allowTestKeys: boolean;
    isSimulated: boolean;
  };
  /** Who may register. */
  registration: RegistrationRule;
  /** Mails leave this installation; without it links are shown to the operator's own company. */
  sendsMail: boolean;
  /** Where the service is reached, without a slash at the end. */
  publicUrl: string;
  onError: (error: unknown) => void;
}

/** What is known of every caller. */
export interface PublicContext {
  ip: string;
  userAgent: string;
  /** The language that the user chose, else the app's. */
  language: DashboardLocale;
  /** What the cookie held, whether or not it is a session. */
  cookie: string | null;
  /** What the browser was given when it last signed in. */
  browserCookie: string | null;
  /** A call of the same browser changed something a moment ago, and must find it in its lists. */
  hasJustWritten: boolean;
  /** Null without a session, and always on calls that need no user and change nothing but the cookie. */
  signedIn: SignedIn | null;
}

export interface UserContext extends PublicContext {
  cookie: string;
  signedIn: SignedIn;
  /** For the audit log, and for mails that follow. */
  actor: Person;
}

export interface CompanyContext extends UserContext {
  company: { id: string; name: string };
  role: Role;
}

export interface EnvironmentContext extends CompanyContext {
  environment: Environment;
}

/** Where lists, figures and exports are read. Never for a decision, nor for what a person decides by: those read `db`. */
export const listsOf = ({ db, replica }: Pick<DashboardDeps, 'db' | 'replica'>, context: PublicContext): Db =>
  replica && !context.hasJustWritten ? replica.reader : db;

interface Contexts {
  public: PublicContext;
  user: UserContext;
  company: CompanyContext;
  environment: EnvironmentContext;
}

/** What the handler of an endpoint is given: the door has checked all of it against the path. */
export type ContextOf<E extends DashboardEndpoint> = Contexts[E['scope']];
