import type { SessionState } from '@coinslot/contract';
import { type AnswerOf, call } from './api.ts';
import { Problem } from './problems.ts';

/** The library is loaded on demand, because most visits never use a passkey. */
const library = () => import('@simplewebauthn/browser');

type Library = Awaited<ReturnType<typeof library>>;
type RegistrationOptions = Parameters<Library['startRegistration']>[0]['optionsJSON'];
type AuthenticationOptions = Parameters<Library['startAuthentication']>[0]['optionsJSON'];

export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window;

/** The browser does not say whether the device or the member refused, so both are one problem. */
async function orProblem(ceremony: Promise<object>): Promise<Record<string, unknown>> {
  const answer = await ceremony.catch((error: unknown) => {
    throw new Problem({ status: 0, code: 'passkey_invalid', message: error instanceof Error ? error.message : '' });
  });
  return { ...answer };
}

async function authenticate(options: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { startAuthentication } = await library();
  return orProblem(startAuthentication({ optionsJSON: options as unknown as AuthenticationOptions }));
}

export async function signInByPasskey(): Promise<SessionState> {
  const { options } = await call('POST /dashboard/api/sign_in/passkey/begin');
  return call('POST /dashboard/api/sign_in/passkey', { body: { answer: await authenticate(options) } });
}

/** Signs a proof for a single request. */
export async function proofByPasskey(): Promise<Record<string, unknown>> {
  const { options } = await call('POST /dashboard/api/me/confirm/begin');
  return authenticate(options);
}

/** Confirms the member for the next ten minutes of this session. */
export async function confirmByPasskey(): Promise<void> {
  await call('POST /dashboard/api/me/confirm', { body: { answer: await proofByPasskey() } });
}

export async function addPasskey(name: string): Promise<AnswerOf<'POST /dashboard/api/me/passkeys'>> {
  const { options } = await call('POST /dashboard/api/me/passkeys/begin');
  const { startRegistration } = await library();
  const answer = await orProblem(startRegistration({ optionsJSON: options as unknown as RegistrationOptions }));
  return call('POST /dashboard/api/me/passkeys', { body: { name, answer } });
}
