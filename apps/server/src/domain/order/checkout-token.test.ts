import { describe, expect, it } from 'vitest';
import { newId } from '../../kit/ids.ts';
import { createSeal } from '../../kit/seal.ts';
import { checkoutToken, readCheckoutToken } from './checkout-token.ts';

const seal = createSeal(Buffer.alloc(32, 1));
const environmentId = newId('env');
const orderId = newId('ord');

describe('a checkout token', () => {
  it('names its order, and is the same each time it is made', () => {
    const token = checkoutToken(seal, environmentId, orderId);
    expect(readCheckoutToken(seal, token)).toEqual({ environmentId, orderId });
    expect(checkoutToken(seal, environmentId, orderId)).toBe(token);
  });

  it('is refused when any character is changed', () => {
    const token = checkoutToken(seal, environmentId, orderId);
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === 'A' ? 'B' : 'A';
      expect(readCheckoutToken(seal, token.slice(0, i) + other + token.slice(i + 1))).toBeNull();
    }
  });

  it('is refused under another master key, for another length, and for the order id alone', () => {
    const token = checkoutToken(createSeal(Buffer.alloc(32, 2)), environmentId, orderId);
    expect(readCheckoutToken(seal, token)).toBeNull();
    expect(readCheckoutToken(seal, orderId)).toBeNull();
    expect(readCheckoutToken(seal, `${token}A`)).toBeNull();
    expect(readCheckoutToken(seal, '')).toBeNull();
  });

  it('does not show the order id', () => {
    expect(checkoutToken(seal, environmentId, orderId)).not.toContain(orderId.slice(4, 20));
  });
});
