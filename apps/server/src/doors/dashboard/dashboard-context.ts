import type { DashboardEndpoint, DashboardLocale, Role } from '@coinslot/contract';
import type { Person } from '../../domain/audit/audit.ts';
import type { Environment } from '../../domain/game/environment.ts';
import type { SignedIn } from '../../domain/user/session.sql.ts';

/** What is known of every caller. */
export interface PublicContext {
  ip: string;
  userAgent: string;
  /** What the user has chosen, else what the app spoke. */
  language: DashboardLocale;
  /** What the cookie held, whether or not it is a session. */
  cookie: string | null;
  /** Null for who is not signed in, and always on calls that need no user and change nothing but the cookie. */
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

interface Contexts {
  public: PublicContext;
  user: UserContext;
  company: CompanyContext;
  environment: EnvironmentContext;
}

/** What the handler of an endpoint is given: the door has checked all of it against the path. */
export type ContextOf<E extends DashboardEndpoint> = Contexts[E['scope']];
