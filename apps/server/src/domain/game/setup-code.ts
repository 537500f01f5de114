import { invalidField } from '../../kit/app-error.ts';
import { type Seal, sameBytes } from '../../kit/seal.ts';

/** Without letters and digits that are read for one another. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 12;
const GROUP = /.{4}(?=.)/g;

/**
 * What proves that who makes the first company of a production installation can read what its program prints: the first
 * company takes payments with the operator's own provider account. It follows from the master key, so that every process
 * prints and takes the same one and none is stored.
 */
export function setupCode(seal: Pick<Seal, 'mac'>): string {
  const bytes = seal.mac(Buffer.from('first company'), 'setup code').subarray(0, LENGTH);
  return [...bytes]
    .map(byte => LETTERS[byte % LETTERS.length])
    .join('')
    .replaceAll(GROUP, '$&-');
}

const plain = (code: string): Buffer => Buffer.from(code.toUpperCase().replaceAll('-', '').trim());

export function assertSetupCode(seal: Pick<Seal, 'mac'>, given: string | undefined): void {
  if (sameBytes(plain(given ?? ''), plain(setupCode(seal)))) return;
  throw invalidField(
    '/setup_code',
    'setup_code',
    'The set-up code is not the one that the program printed when it started.',
  );
}
