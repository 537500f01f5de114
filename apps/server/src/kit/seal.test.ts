import { describe, expect, it } from 'vitest';
import { createSeal, keyIdOf, macRootOf, sameBytes } from './seal.ts';

const OLD = Buffer.alloc(32, 7);
const NEW = Buffer.alloc(32, 9);
const seal = createSeal(OLD);

describe('sealed secrets (row 74)', () => {
  it('open with the same key and context', () => {
    expect(seal.open(seal.seal('sk_sandbox_ключ', 'key_1'), 'key_1')).toBe('sk_sandbox_ключ');
    expect(seal.open(seal.seal('', 'key_1'), 'key_1')).toBe('');
  });

  it('differ at each sealing, so equal secrets cannot be seen', () => {
    expect(sameBytes(seal.seal('a', 'x'), seal.seal('a', 'x'))).toBe(false);
  });

  it('do not open in another row, with another key, or when any byte is altered', () => {
    const sealed = seal.seal('secret', 'row_1');
    expect(() => seal.open(sealed, 'row_2')).toThrow();
    expect(() => createSeal(Buffer.alloc(32, 8)).open(sealed, 'row_1')).toThrow('not known here');
    for (let at = 0; at < sealed.length; at++) {
      const altered = Buffer.from(sealed);
      altered[at]! ^= 1;
      expect(() => seal.open(altered, 'row_1')).toThrow();
    }
  });

  it('do not open when cut, in the middle of the tag too', () => {
    const sealed = seal.seal('', 'row_1');
    for (let length = 0; length < sealed.length; length++)
      expect(() => seal.open(sealed.subarray(0, length), 'row_1')).toThrow('no sealed secret');
  });

  it('say which form and which key they have', () => {
    const sealed = seal.seal('secret', 'row_1');
    expect(sealed[0]).toBe(2);
    expect(sameBytes(sealed.subarray(1, 5), keyIdOf(OLD))).toBe(true);
  });

  it('give another mac for another purpose', () => {
    expect(sameBytes(seal.mac(Buffer.from('a'), 'checkout'), seal.mac(Buffer.from('a'), 'session'))).toBe(false);
  });
});

describe('while one key follows another', () => {
  const both = createSeal(OLD);
  both.adopt({ current: NEW, others: [OLD], earlierMacRoots: [] });

  it('what either sealed opens, and what is new is under the new one', () => {
    expect(both.open(seal.seal('secret', 'row_1'), 'row_1')).toBe('secret');
    expect(createSeal(NEW).open(both.seal('secret', 'row_1'), 'row_1')).toBe('secret');
  });

  it('a proof of either is good, also after the old key is gone', () => {
    const data = Buffer.from('order');
    const proof = seal.mac(data, 'checkout').subarray(0, 16);
    const after = createSeal(NEW);
    after.adopt({ current: NEW, others: [], earlierMacRoots: [macRootOf(OLD)] });
    for (const known of [both, after]) {
      expect(known.isMac(data, 'checkout', proof)).toBe(true);
      expect(known.isMac(data, 'checkout', known.mac(data, 'checkout'))).toBe(true);
      expect(known.isMac(data, 'csrf', proof)).toBe(false);
      expect(known.isMac(data, 'checkout', proof.subarray(0, 4))).toBe(false);
    }
    expect(createSeal(NEW).isMac(data, 'checkout', proof)).toBe(false);
    expect(() => after.open(seal.seal('secret', 'row_1'), 'row_1')).toThrow('not known here');
  });

  it('a key that is retired seals nothing any more', () => {
    const retired = createSeal(OLD);
    retired.retire();
    expect(() => retired.seal('secret', 'row_1')).toThrow('retired');
  });
});
