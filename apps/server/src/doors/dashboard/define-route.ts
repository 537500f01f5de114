import type { Readable } from 'node:stream';
import type { BodyOf, DashboardEndpoint, DashboardLocale, ParamsOf, QueryOf, Role } from '@coinslot/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../../db/db.ts';
import type { Replica } from '../../db/replica/replica.ts';
import type { Person } from '../../domain/audit/audit.ts';
import type { Environment } from '../../domain/game/environment.ts';
import type { CreateOrderCase } from '../../domain/order/create-order.ts';
import type { PurchaseShop } from '../../domain/purchase/engine/purchase.ts';
import type { Shop } from '../../domain/shop.ts';
import { assertConfirmed, assertConfirmedBy } from '../../domain/user/confirm-identity.ts';
import type { SignedIn } from '../../domain/user/session.sql.ts';
import { renewSession } from '../../domain/user/start-session.ts';
import type { ConnectionSlots } from '../../http/limits/connection-slots.ts';
import type { StreamCounts } from '../../http/limits/stream-counts.ts';
import { type AnswerOf, type Handler, mount } from '../../http/mount.ts';
import type { Input } from '../../http/read-input.ts';
import { cookieHeader, wroteCookieHeader } from './session-cookie.ts';

export interface DashboardShop extends PurchaseShop {
  /** The same shop on the pool of the money path. */
  purchasing: PurchaseShop;
  /** For lists, figures and exports; see `listsOf`. */
  replica: Pick<Replica, 'reader' | 'caughtUp'> | null;
  createOrder: CreateOrderCase;
  /** Bounds the streams that wait for changes. */
  connectionSlots: ConnectionSlots;
  streamCounts: StreamCounts;
}

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
type ContextOf<E extends DashboardEndpoint> = Contexts[E['scope']];

export interface DashboardInput<E extends DashboardEndpoint> {
  /** What the endpoint's own schema names; company, game and mode are in the context already. */
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  setHeader(name: string, value: string): void;
  request: FastifyRequest;
}

type Answered<E extends DashboardEndpoint> = E['response'] extends { contentType: string }
  ? Promise<Readable>
  : AnswerOf<E>;

export type DashboardHandler<E extends DashboardEndpoint> = (
  context: ContextOf<E>,
  input: DashboardInput<E>,
) => Answered<E>;

export type DashboardMount = <const E extends DashboardEndpoint>(endpoint: E, handler: DashboardHandler<E>) => void;

/** These hash a password, which takes as long as many plain requests. */
const HASHING: ReadonlySet<string> = new Set([
  'sign_in',
  'register',
  'reset_password',
  'accept_invitation',
  'confirm_identity',
  'change_password',
  'change_email',
]);
const HASH_COST = 25;

const companyIdOf = (context: PublicContext): string | null =>
  'company' in context ? (context as CompanyContext).company.id : null;

type Gate = (endpoint: DashboardEndpoint, request: FastifyRequest) => Promise<PublicContext>;

export const dashboardMount =
  (app: FastifyInstance, gate: Gate, shop: DashboardShop): DashboardMount =>
  (endpoint, handler) => {
    type E = typeof endpoint;
    const { contentType } = endpoint.response;
    const answer = async ({ params, query, body, setHeader, request, context }: Input<E, ContextOf<E>>) => {
      if (shop.replica && endpoint.method !== 'GET') {
        setHeader('set-cookie', wroteCookieHeader(shop.publicUrl.startsWith('https:')));
      }
      if (context.signedIn) await assertConfirmedByBody(shop, endpoint, context.signedIn, body);
      const answered = await handler(context, { params, query, body, setHeader, request });
      await renewAfterProof(shop, context, { endpoint, body, setHeader });
      if (contentType !== undefined) setHeader('content-type', contentType);
      // Some answers hold text that players or receivers wrote.
      setHeader('x-content-type-options', 'nosniff');
      return answered;
    };
    // The gate made the context from this very endpoint's scope.
    const authenticate = (request: FastifyRequest) => gate(endpoint, request) as Promise<ContextOf<E>>;
    mount(app, endpoint, answer as Handler<E, ContextOf<E>>, {
      authenticate,
      isPreparedLate: true,
      budget: { limiters: shop.budgets.limiters, keyOf: companyIdOf },
      cost: HASHING.has(endpoint.name) ? HASH_COST : 1,
    });
  };

/** What users prove themselves with, wherever a signed-in one sends it. */
const PROOFS = ['password', 'current_password', 'code', 'answer'] as const;

/** The call is done, so a token that cannot be renewed is no reason to refuse it. */
async function renewAfterProof(
  shop: Shop,
  { cookie, signedIn }: PublicContext,
  {
    endpoint,
    body,
    setHeader,
  }: { endpoint: DashboardEndpoint; body: object | undefined; setHeader: (name: string, value: string) => void },
): Promise<void> {
  const isProof = endpoint.scope !== 'public' && PROOFS.some(field => Object.hasOwn(body ?? {}, field));
  if (!isProof || !signedIn || cookie === null) return;
  try {
    const token = await renewSession(shop, { sessionId: signedIn.sessionId, token: cookie });
    if (token !== null) setHeader('set-cookie', cookieHeader(token, shop.publicUrl.startsWith('https:')));
  } catch (error) {
    shop.onError(error, 'session');
  }
}

/** Asks for the password or a passkey again where the body decides whether it is needed; the gate has not read it yet. */
async function assertConfirmedByBody(
  shop: Shop,
  { confirms }: DashboardEndpoint,
  signedIn: SignedIn,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (confirms === 'unless_password') {
    const { password, code } = body as { password?: string; code?: string };
    await assertConfirmedBy(shop, signedIn, { password, code });
  } else if (typeof confirms === 'object' && confirms.fields.some(field => body[field] !== undefined)) {
    assertConfirmed(signedIn);
  }
}
