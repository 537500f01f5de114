import { newId } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';

const COUNT = 10;
const CHARS = 10;

/** Letters and digits that nobody takes for one another. The end of an id is random; 50 bits are enough for what works once. */
function newCode(): string {
  const random = newId('ses').slice(-CHARS);
  return `${random.slice(0, CHARS / 2)}-${random.slice(CHARS / 2)}`;
}

export const newRecoveryCodes = (): string[] => Array.from({ length: COUNT }, newCode);

/** Keyed: so short a text could be found again from a plain hash. */
export const recoveryCodeHash = (seal: Seal, userId: string, code: string): Buffer =>
  seal.mac(Buffer.from(`${userId} ${code.toLowerCase().replaceAll(/[^0-9a-z]/g, '')}`), 'recovery code');
