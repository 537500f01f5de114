import { idBytes, idFromBytes } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';

const ID_BYTES = 16;
const MAC_BYTES = 16;
const TOKEN = /^[\w-]{64}$/;

/**
 * Names an order to the player's browser and proves, without a look at the database, that we made it: environment, order
 * and a 128-bit MAC under the master key. A guess is refused for the price of one HMAC.
 */
export function checkoutToken(seal: Seal, environmentId: string, orderId: string): string {
  const named = Buffer.concat([idBytes(environmentId), idBytes(orderId)]);
  return Buffer.concat([named, seal.mac(named, 'checkout').subarray(0, MAC_BYTES)]).toString('base64url');
}

export type CheckoutUrlOf = (environmentId: string, orderId: string) => string;

export const checkoutUrls =
  (seal: Seal, publicUrl: string): CheckoutUrlOf =>
  (environmentId, orderId) =>
    `${publicUrl}/c/${checkoutToken(seal, environmentId, orderId)}`;

export function readCheckoutToken(seal: Seal, token: string): { environmentId: string; orderId: string } | null {
  if (!TOKEN.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const named = bytes.subarray(0, 2 * ID_BYTES);
  if (!seal.isMac(named, 'checkout', bytes.subarray(2 * ID_BYTES))) return null;
  return {
    environmentId: idFromBytes('env', named.subarray(0, ID_BYTES)),
    orderId: idFromBytes('ord', named.subarray(ID_BYTES)),
  };
}
