import * as oidc from 'openid-client';
import { emailKey } from '../../../kit/email.ts';
import type { Shop } from '../../shop.ts';
import type { SsoRole } from '../../user/session.sql.ts';
import { type GroupRole, type Sso, ssoSecretContext } from './sso.sql.ts';

/** What an identity provider says about a user. */
export interface Claims {
  subject: string;
  email: string | null;
  /** Null where the provider does not say. */
  isEmailVerified: boolean | null;
  name: string;
  groups: string[];
  /** When the user last proved to it who they are, in seconds; null where it does not say. */
  authenticatedAt: number | null;
}

export interface SsoTokens {
  access: string;
  refresh: string | null;
}

export interface SsoAnswer {
  claims: Claims;
  tokens: SsoTokens;
}

const SCOPES = ['openid', 'email', 'profile', 'groups', 'offline_access'];
const RANKS: readonly SsoRole[] = ['viewer', 'support', 'developer'];

/** An issuer is an address that a member chose: it is called with the same checks as a webhook, and no redirect is followed. */
const fetchBy =
  ({ callOutside }: Pick<Shop, 'callOutside'>): oidc.CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await callOutside({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      // The library sends forms and nothing else.
      body: body instanceof URLSearchParams ? body.toString() : '',
    });
    if (answer.status === null) throw new Error(answer.error ?? 'no answer');
    const hasBody = ![204, 304].includes(answer.status);
    return new Response(hasBody ? answer.body : null, { status: answer.status, headers: { ...answer.headers } });
  };

/** Throws where there is no such issuer. */
export function discover(
  shop: Pick<Shop, 'callOutside'>,
  { issuer, clientId, clientSecret }: { issuer: string; clientId: string; clientSecret: string },
): Promise<oidc.Configuration> {
  return oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    [oidc.customFetch]: fetchBy(shop),
    // Which addresses may be called without TLS is decided by the checks of the call itself: in production none.
    execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks],
  });
}

export const configurationOf = (
  shop: Pick<Shop, 'callOutside' | 'seal'>,
  { companyId, issuer, clientId, clientSecretSealed }: Sso,
): Promise<oidc.Configuration> => {
  const clientSecret = shop.seal.open(clientSecretSealed, ssoSecretContext(companyId));
  return discover(shop, { issuer, clientId, clientSecret });
};

export function scopeOf(configuration: oidc.Configuration): string {
  const supported = configuration.serverMetadata().scopes_supported;
  return SCOPES.filter(scope => !supported || supported.includes(scope)).join(' ');
}

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter(one => typeof one === 'string');

function claimsOf(said: Record<string, unknown>, groupClaim: string): Claims {
  return {
    subject: String(said.sub),
    email: typeof said.email === 'string' ? said.email : null,
    isEmailVerified: typeof said.email_verified === 'boolean' ? said.email_verified : null,
    name: typeof said.name === 'string' ? said.name : '',
    groups: textsOf(said[groupClaim]),
    authenticatedAt: typeof said.auth_time === 'number' ? said.auth_time : null,
  };
}

type Tokens = Awaited<ReturnType<typeof oidc.refreshTokenGrant>>;

/** The groups may stand in the token or in the answer about the user; what was said last counts. */
async function answerOf(
  configuration: oidc.Configuration,
  tokens: Tokens,
  { groupClaim, subject, refresh }: { groupClaim: string; subject: string; refresh: string | null },
): Promise<SsoAnswer> {
  const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const said = hasUserInfo ? await oidc.fetchUserInfo(configuration, tokens.access_token, subject) : {};
  return {
    claims: claimsOf({ ...tokens.claims(), ...said }, groupClaim),
    tokens: { access: tokens.access_token, refresh: tokens.refresh_token ?? refresh },
  };
}

/** What the browser brought back, for a token whose signature, issuer, audience, nonce and age are checked. */
export async function redeem(
  configuration: oidc.Configuration,
  url: URL,
  groupClaim: string,
  checks: { expectedNonce: string; expectedState: string; pkceCodeVerifier: string },
): Promise<SsoAnswer> {
  const tokens = await oidc.authorizationCodeGrant(configuration, url, { ...checks, idTokenExpected: true });
  const subject = tokens.claims()!.sub;
  return answerOf(configuration, tokens, { groupClaim, subject, refresh: null });
}

/** Asks once more about a user who signed in before. */
export async function askAgain(
  configuration: oidc.Configuration,
  { access, refresh }: SsoTokens,
  { groupClaim, subject }: { groupClaim: string; subject: string },
): Promise<SsoAnswer> {
  if (refresh !== null) {
    const tokens = await oidc.refreshTokenGrant(configuration, refresh);
    return answerOf(configuration, tokens, { groupClaim, subject, refresh });
  }
  const said = await oidc.fetchUserInfo(configuration, access, subject);
  return { claims: claimsOf(said, groupClaim), tokens: { access, refresh } };
}

/** The identity provider itself refused, and was not merely out of reach. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof oidc.ResponseBodyError ||
  error instanceof oidc.AuthorizationResponseError ||
  error instanceof oidc.WWWAuthenticateChallengeError;

/** The highest role that one of the groups has; null: none has any. */
export function roleOfGroups(roles: readonly GroupRole[], groups: readonly string[]): SsoRole | null {
  const given = roles.filter(({ group }) => groups.includes(group)).map(({ role }) => role);
  return RANKS.findLast(role => given.includes(role)) ?? null;
}

export const isAllowedEmail = (email: string, domains: readonly string[]): boolean =>
  domains.includes(emailKey(email).split('@').at(-1)!);
