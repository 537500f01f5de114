import { generateSecret, generateURI, verifySync } from 'otplib';

const PERIOD_SECONDS = 30;
const ISSUER = 'Coinslot';

export const newTotpSecret = (): string => generateSecret();

export const totpUri = (secret: string, email: string): string => generateURI({ issuer: ISSUER, label: email, secret });

/** The time step of a right code, or null. One step early or late is right too, as clocks differ; a step works once. */
export function totpStep(secret: string, code: string, lastStep: number, nowSeconds: number): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const epoch = Math.floor(nowSeconds);
  const result = verifySync({ secret, token, epoch, epochTolerance: PERIOD_SECONDS });
  if (!result.valid || !('timeStep' in result)) return null;
  return result.timeStep > lastStep ? result.timeStep : null;
}
