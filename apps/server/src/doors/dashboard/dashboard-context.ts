import type { DashboardEndpoint, DashboardLocale, Role } from '@coinslot/contract';
import type { Db } from '../../db/db.ts';
import type { Replica } from '../../db/replica/replica.ts';
import type { Person } from '../../domain/audit/audit.ts';
import type { Environment } from '../../domain/game/environment.ts';
import type { CreateOrderCase } from '../../domain/order/create-order.ts';
import type { PurchaseShop } from '../../domain/purchase/engine/purchase.ts';
import type { SignedIn } from '../../domain/user/session.sql.ts';
import type { ConnectionSlots } from '../../http/limits/connection-slots.ts';

export interface DashboardShop extends PurchaseShop {
  /** The same shop on the pool of the money path. */
  purchasing: PurchaseShop;
  /** For lists, figures and exports; see `listsOf`. */
  replica: Pick<Replica, 'reader' | 'caughtUp'> | null;
  createOrder: CreateOrderCase;
  /** Bounds the streams that wait for changes. */
  connectionSlots: ConnectionSlots;
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
export const listsOf = ({ db, replica }: Pick<DashboardShop, 'db' | 'replica'>, context: PublicContext): Db =>
  replica && !context.hasJustWritten ? replica.reader : db;

interface Contexts {
  public: PublicContext;
  user: UserContext;
  company: CompanyContext;
  environment: EnvironmentContext;
}

/** What the handler of an endpoint is given: the door has checked all of it against the path. */
export type ContextOf<E extends DashboardEndpoint> = Contexts[E['scope']];
