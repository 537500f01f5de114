import type { OpenForm } from '@coinslot/checkout-page';
import type { Seal } from '../../kit/seal.ts';

type Kept = OpenForm['kept'];

const FIELDS = ['card_expiry', 'postal_code'] as const;
const LONGEST = 300;
const contextOf = (orderId: string): string => `kept fields ${orderId}`;

/**
 * What a browser without script is to fill in again after a decline. It travels in the address that the browser is sent to,
 * sealed for this order, so that nothing is stored and a reload sends no form.
 */
export const sealKept = (seal: Seal, orderId: string, kept: Kept): string =>
  Object.keys(kept).length === 0 ? '' : seal.seal(JSON.stringify(kept), contextOf(orderId)).toString('base64url');

/** An address that was changed, or made for another order, fills in nothing. */
export function openKept(seal: Seal, orderId: string, sealed: unknown): Kept {
  if (typeof sealed !== 'string' || sealed === '' || sealed.length > LONGEST) return {};
  try {
    const read: unknown = JSON.parse(seal.open(Buffer.from(sealed, 'base64url'), contextOf(orderId)));
    const entries = Object.entries(read as Record<string, unknown>);
    return Object.fromEntries(
      entries.filter(([name, text]) => FIELDS.some(one => one === name) && typeof text === 'string'),
    );
  } catch {
    return {};
  }
}
