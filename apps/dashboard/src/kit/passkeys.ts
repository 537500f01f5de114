import type { SessionState } from '@coinslot/contract';
import { type AnswerOf, call } from './api.ts';
import { Problem } from './problems.ts';

/** Loaded when it is needed: most visits never touch a passkey. */
const library = () => import('@simplewebauthn/browser');

type Library = Awaited<ReturnType<typeof library>>;
type Making = Parameters<Library['startRegistration']>[0]['optionsJSON'];
type Asking = Parameters<Library['startAuthentication']>[0]['optionsJSON'];

export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window;

/** The device, the browser or the member said no: for the page it is all the same. */
async function orProblem(ceremony: Promise<object>): Promise<Record<string, unknown>> {
  const answer = await ceremony.catch((error: unknown) => {
    throw new Problem({ status: 0, code: 'passkey_invalid', message: error instanceof Error ? error.message : '' });
  });
  return { ...answer };
}

async function prove(options: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { startAuthentication } = await library();
  return orProblem(startAuthentication({ optionsJSON: options as unknown as Asking }));
}

export async function signInByPasskey(): Promise<SessionState> {
  const { options } = await call('POST /dashboard/api/sign_in/passkey/begin');
  return call('POST /dashboard/api/sign_in/passkey', { body: { answer: await prove(options) } });
}

/** Good for one request that carries it. */
export async function answerByPasskey(): Promise<Record<string, unknown>> {
  const { options } = await call('POST /dashboard/api/me/confirm/begin');
  return prove(options);
}

/** Good for ten minutes of this session. */
export async function confirmByPasskey(): Promise<void> {
  await call('POST /dashboard/api/me/confirm', { body: { answer: await answerByPasskey() } });
}

export async function makePasskey(name: string): Promise<AnswerOf<'POST /dashboard/api/me/passkeys'>> {
  const { options } = await call('POST /dashboard/api/me/passkeys/begin');
  const { startRegistration } = await library();
  const answer = await orProblem(startRegistration({ optionsJSON: options as unknown as Making }));
  return call('POST /dashboard/api/me/passkeys', { body: { name, answer } });
}
