import { DASHBOARD_LOCALES, type DashboardEndpoint, type DashboardLocale } from '@coinslot/contract';
import type { FastifyRequest } from 'fastify';
import { type CompanyAccess, findCompanyAccess } from '../../domain/company/company.sql.ts';
import { assertRole } from '../../domain/company/manage-members.ts';
import { createSsoRecheck } from '../../domain/company/sso/recheck-sso.ts';
import { roleIn } from '../../domain/company/sso/role-in.ts';
import { findEnvironmentAccess } from '../../domain/game/environment.sql.ts';
import type { Shop } from '../../domain/shop.ts';
import { assertConfirmed } from '../../domain/user/confirm-identity.ts';
import { findSession, type SignedIn, updateSessionSeen } from '../../domain/user/session.sql.ts';
import { isSessionToken } from '../../domain/user/start-session.ts';
import { mailLanguage } from '../../domain/user/user-mail.ts';
import { AppError } from '../../kit/app-error.ts';
import { isId } from '../../kit/ids.ts';
import { sha256 } from '../../kit/seal.ts';
import type { CompanyContext, EnvironmentContext, PublicContext, UserContext } from './define-route.ts';
import {
  assertCsrf,
  CSRF_HEADER,
  csrfSubject,
  hasWroteCookie,
  isSameOrigin,
  readBrowserCookie,
  readCookie,
} from './session-cookie.ts';

const LONGEST_AGENT = 400;

const LONGEST_LANGUAGES = 200;

const isSpoken = (tag: string): tag is DashboardLocale => (DASHBOARD_LOCALES as readonly string[]).includes(tag);

function weightOf(part: string): number {
  const weight = /;\s*q=([\d.]+)/.exec(part)?.[1];
  return weight === undefined ? 1 : Number(weight) || 0;
}

/** The app sends its own language in `Accept-Language`; a bare browser sends its user's list. */
export function spokenLanguage(header: string | undefined): DashboardLocale {
  const wanted = (header ?? '')
    .slice(0, LONGEST_LANGUAGES)
    .split(',')
    .map(part => ({ tag: part.trim().slice(0, 2).toLowerCase(), weight: weightOf(part) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
  return wanted.find(isSpoken) ?? 'en';
}

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

const paramOf = (request: FastifyRequest, name: string): string =>
  (request.params as Record<string, string | undefined>)[name] ?? '';

/**
 * Until members have the second factor that their company or the installation asks for, they can only add it. The company's identity provider
 * asks for its own.
 */
function companyContext(user: UserContext, access: CompanyAccess, isFactorRequired: boolean): CompanyContext | null {
  const { companyId, companyName, isEnded } = access;
  const requiresSecondFactor = isFactorRequired || access.requiresSecondFactor;
  const { totpEnabled, passkeys, sso } = user.signedIn;
  const role = roleIn(user.signedIn, access);
  if (role === null) return null;
  if (isEnded) throw new AppError('confirmation_required');
  if (!sso && requiresSecondFactor && !totpEnabled && passkeys === 0) throw new AppError('second_factor_required');
  return { ...user, company: { id: companyId, name: companyName }, role };
}

/** Finds the caller, checks that the browser meant the request, and checks the role, before the body is read. */
export function createGate(shop: Shop) {
  const { db, seal, publicUrl, onError } = shop;
  const recheckSso = createSsoRecheck(shop);
  const isHttps = publicUrl.startsWith('https:');

  async function sessionOf(cookie: string | null, ip: string): Promise<SignedIn | null> {
    if (cookie === null || !isSessionToken(cookie)) return null;
    const signedIn = await recheckSso(await findSession(db, sha256(cookie)), ip);
    if (signedIn?.isSeenStale) void updateSessionSeen(db, signedIn.sessionId, ip).catch(onError);
    return signedIn;
  }

  async function visitorOf(request: FastifyRequest): Promise<PublicContext> {
    const cookie = readCookie(request.headers.cookie, isHttps);
    const userAgent = (request.headers['user-agent'] ?? '').slice(0, LONGEST_AGENT);
    const browserCookie = readBrowserCookie(request.headers.cookie, isHttps);
    const signedIn = await sessionOf(cookie, request.ip);
    const language = mailLanguage(signedIn?.locale ?? null, spokenLanguage(request.headers['accept-language']));
    const hasJustWritten = hasWroteCookie(request.headers.cookie, isHttps);
    return { ip: request.ip, userAgent, cookie, browserCookie, signedIn, language, hasJustWritten };
  }

  function assertOwnRequest(request: FastifyRequest, { cookie, signedIn }: PublicContext): void {
    const origin = {
      host: request.host,
      origin: headerOf(request, 'origin'),
      fetchSite: headerOf(request, 'sec-fetch-site'),
    };
    if (!isSameOrigin(origin, publicUrl)) throw new AppError('csrf_failed');
    assertCsrf(seal, csrfSubject(cookie, signedIn), headerOf(request, CSRF_HEADER));
  }

  async function companyOf(request: FastifyRequest, user: UserContext): Promise<CompanyContext> {
    const companyId = paramOf(request, 'company_id');
    const access = isId(companyId, 'cmp') ? await findCompanyAccess(db, user.signedIn, companyId) : null;
    const context = access && companyContext(user, access, shop.requireSecondFactor);
    if (!context) throw new AppError('company_not_found');
    return context;
  }

  async function environmentOf(request: FastifyRequest, user: UserContext): Promise<EnvironmentContext> {
    const gameId = paramOf(request, 'game_id');
    const mode = paramOf(request, 'mode');
    const isWellFormed = isId(gameId, 'game') && (mode === 'live' || mode === 'sandbox');
    const access = isWellFormed ? await findEnvironmentAccess(db, user.signedIn, gameId, mode) : null;
    const context = access && companyContext(user, access, shop.requireSecondFactor);
    if (!context) throw new AppError('game_not_found');
    return { ...context, environment: access.environment };
  }

  return async (endpoint: DashboardEndpoint, request: FastifyRequest): Promise<PublicContext> => {
    const visitor = await visitorOf(request);
    const { cookie, signedIn } = visitor;
    if (endpoint.scope !== 'public' && !signedIn) throw new AppError('sign_in_required');
    if (endpoint.method !== 'GET') assertOwnRequest(request, visitor);
    if (endpoint.scope === 'public' || !signedIn || cookie === null) return visitor;
    const { ip, language } = visitor;
    const actor = { userId: signedIn.userId, email: signedIn.email, ip, language };
    const user: UserContext = { ...visitor, cookie, signedIn, actor };
    if (endpoint.scope === 'user') {
      if (signedIn.sso) throw new AppError('sso_session');
      if (endpoint.confirms === 'always') assertConfirmed(signedIn);
      return user;
    }
    const context = endpoint.scope === 'company' ? await companyOf(request, user) : await environmentOf(request, user);
    assertRole(context.role, endpoint.role);
    if (endpoint.confirms === 'always') assertConfirmed(signedIn);
    return context;
  };
}
