import { describe, expect, it } from 'vitest';
import { createSeal, sameBytes } from './seal.ts';

const seal = createSeal(Buffer.alloc(32, 7));

describe('sealed secrets (row 74)', () => {
  it('open with the same key and context', () => {
    expect(seal.open(seal.seal('sk_sandbox_ключ', 'key_1'), 'key_1')).toBe('sk_sandbox_ключ');
  });

  it('differ at each sealing, so equal secrets cannot be seen', () => {
    expect(sameBytes(seal.seal('a', 'x'), seal.seal('a', 'x'))).toBe(false);
  });

  it('do not open in another row, with another key, or when altered', () => {
    const sealed = seal.seal('secret', 'row_1');
    expect(() => seal.open(sealed, 'row_2')).toThrow();
    expect(() => createSeal(Buffer.alloc(32, 8)).open(sealed, 'row_1')).toThrow();
    sealed[sealed.length - 1]! ^= 1;
    expect(() => seal.open(sealed, 'row_1')).toThrow();
  });

  it('give another mac for another purpose', () => {
    expect(sameBytes(seal.mac(Buffer.from('a'), 'checkout'), seal.mac(Buffer.from('a'), 'session'))).toBe(false);
  });
});
