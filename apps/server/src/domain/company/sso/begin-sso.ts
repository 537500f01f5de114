import * as oidc from 'openid-client';
import { AppError } from '../../../kit/app-error.ts';
import { randomToken, sha256 } from '../../../kit/seal.ts';
import type { Shop } from '../../shop.ts';
import type { Browser } from '../../user/sign-in.ts';
import { requestTries, takeTry } from '../../user/throttle.ts';
import { configurationOf, scopeOf } from './identity-provider.ts';
import { findSso, insertSsoLogin } from './sso.sql.ts';

const STATE_BYTES = 32;
/** How long ago the identity provider may have asked its user, for what wants a fresh proof. */
export const FRESH_SECONDS = 600;
/** The provider asks its user again, and then has to say when it did: without `max_age` many do not (row 272). */
const ASK_USER = { prompt: 'login', max_age: String(FRESH_SECONDS) };

/** Each company has its own, so that what one provider gives a browser is never handed to another (row 200). */
export const ssoRedirectUrl = (publicUrl: string, companyId: string): string =>
  `${publicUrl}/dashboard/sso/${companyId}/callback`;

export const ssoFailed = (detail: string): AppError => new AppError('sso_failed', { detail });

/** The browser is sent there: a page of the web, and over TLS as the issuer itself (row 233). */
function signInPage(configuration: oidc.Configuration, issuer: string, parameters: Record<string, string>): string {
  const none = ssoFailed('The identity provider names no page to sign in.');
  let url: URL;
  try {
    url = oidc.buildAuthorizationUrl(configuration, parameters);
  } catch {
    throw none;
  }
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && issuer.startsWith('http:'));
  if (!isSafe || url.username !== '' || url.password !== '') throw none;
  return url.href;
}

/**
 * Where the browser goes. What it brings back is of use in this browser alone, once, for ten minutes. Who is signed in that way already
 * comes to prove who they are.
 */
export async function beginSso(
  shop: Shop,
  companyId: string,
  { cookie, ip, signedIn }: Pick<Browser, 'ip' | 'signedIn'> & { cookie: string | null },
): Promise<string> {
  await takeTry(shop.db, [requestTries('sso', ip)]);
  const sso = await findSso(shop.db, companyId);
  if (!sso || cookie === null) throw ssoFailed('This company has no single sign-on.');
  const configuration = await configurationOf(shop, sso).catch(() => {
    throw new AppError('unavailable', { detail: 'The identity provider does not answer.' });
  });
  const [state, nonce, codeVerifier] = [randomToken(STATE_BYTES), randomToken(STATE_BYTES), randomToken(STATE_BYTES)];
  const url = signInPage(configuration, sso.issuer, {
    redirect_uri: ssoRedirectUrl(shop.publicUrl, companyId),
    scope: scopeOf(configuration),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(signedIn?.sso?.companyId === companyId && ASK_USER),
  });
  await insertSsoLogin(shop.db, sha256(state), sha256(cookie), { companyId, nonce, codeVerifier });
  return url;
}
