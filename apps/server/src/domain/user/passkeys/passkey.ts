import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Db } from '../../../db/db.ts';
import { AppError } from '../../../kit/app-error.ts';
import { sha256 } from '../../../kit/seal.ts';
import type { Shop } from '../../shop.ts';
import { type ChallengeKind, deleteChallenge, insertChallenge, type Passkey } from './passkey.sql.ts';

/** What the browser's own code reads and writes; the shapes are the standard's, not ours. */
export type CeremonyOptions = Record<string, unknown>;
export type CeremonyAnswer = Record<string, unknown>;

/** Three hundred files that a start need not wait for, and a command never needs. */
const ceremonies = () => import('@simplewebauthn/server');

const LIVES_SECONDS = 300;
const NAME = 'Coinslot';

const hostOf = (publicUrl: string): string => new URL(publicUrl).hostname;

/** What is signed is asked for here, once, and for this purpose and user only. */
const expectedChallenge =
  (db: Db, kind: ChallengeKind, userId: string | null) =>
  (challenge: string): Promise<boolean> =>
    deleteChallenge(db, { challengeHash: sha256(challenge), kind, userId });

const remember = (db: Db, kind: ChallengeKind, userId: string | null, challenge: string): Promise<void> =>
  insertChallenge(db, { challengeHash: sha256(challenge), kind, userId, livesSeconds: LIVES_SECONDS });

export async function registrationOptions(
  { db, publicUrl }: Shop,
  user: { id: string; email: string; name: string },
  existing: readonly Passkey[],
): Promise<CeremonyOptions> {
  const { generateRegistrationOptions } = await ceremonies();
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID: hostOf(publicUrl),
    userName: user.email,
    userDisplayName: user.name || user.email,
    userID: new TextEncoder().encode(user.id),
    attestationType: 'none',
    excludeCredentials: existing.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await remember(db, 'add', user.id, options.challenge);
  return { ...options };
}

/** Without a user any passkey of this site will do: the answer says whose it is. */
export async function authenticationOptions(
  { db, publicUrl }: Shop,
  kind: 'sign_in' | 'confirm',
  userId: string | null,
  allowed: readonly Passkey[] = [],
): Promise<CeremonyOptions> {
  const { generateAuthenticationOptions } = await ceremonies();
  const options = await generateAuthenticationOptions({
    rpID: hostOf(publicUrl),
    userVerification: 'required',
    allowCredentials: allowed.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
  await remember(db, kind, userId, options.challenge);
  return { ...options };
}

const invalid = (cause?: unknown): AppError => new AppError('passkey_invalid', { cause });

const decoded = (part: unknown): string => Buffer.from(typeof part === 'string' ? part : '', 'base64url').toString();

/** What the library does not ask: whether a frame of another site asked the user, and whether the passkey names another one. */
export function assertOwnCeremony({ response }: CeremonyAnswer, userId: string): void {
  const { clientDataJSON, userHandle } = (response ?? {}) as { clientDataJSON?: unknown; userHandle?: unknown };
  if (userHandle != null && decoded(userHandle) !== userId) throw invalid();
  try {
    const { crossOrigin = false } = JSON.parse(decoded(clientDataJSON)) as { crossOrigin?: unknown };
    if (crossOrigin === false) return;
  } catch (error) {
    throw invalid(error);
  }
  throw invalid();
}

export async function verifyNewPasskey(
  { db, publicUrl }: Shop,
  userId: string,
  answer: CeremonyAnswer,
): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>> {
  const { verifyRegistrationResponse } = await ceremonies();
  assertOwnCeremony(answer, userId);
  const result = await verifyRegistrationResponse({
    // The library checks the shape of every part that it reads.
    response: answer as unknown as RegistrationResponseJSON,
    expectedChallenge: expectedChallenge(db, 'add', userId),
    expectedOrigin: publicUrl,
    expectedRPID: hostOf(publicUrl),
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw invalid(error);
  });
  if (!result.verified) throw invalid();
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential;
  return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports: [...transports] };
}

export async function verifyPasskey(
  { db, publicUrl }: Shop,
  { kind, userId }: { kind: 'sign_in' | 'confirm'; userId: string | null },
  passkey: Passkey,
  answer: CeremonyAnswer,
): Promise<number> {
  const { verifyAuthenticationResponse } = await ceremonies();
  assertOwnCeremony(answer, passkey.userId);
  const result = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON,
    expectedChallenge: expectedChallenge(db, kind, userId),
    expectedOrigin: publicUrl,
    expectedRPID: hostOf(publicUrl),
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
      transports: passkey.transports,
    },
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw invalid(error);
  });
  if (!result.verified) throw invalid();
  return result.authenticationInfo.newCounter;
}
