import { describe, expect, it } from 'vitest';
import { idBytes, idFromBytes, isId, newId } from './ids.ts';

describe('ids', () => {
  it('sort by the time they were made', () => {
    const ids = [newId('ord', 1_000), newId('ord', 2_000), newId('ord', 1_800_000_000_000)];
    expect(ids.toSorted()).toEqual(ids);
  });

  it('do not repeat', () => {
    const made = new Set(Array.from({ length: 20_000 }, () => newId('pay', 5)));
    expect(made.size).toBe(20_000);
  });

  it('go through 16 bytes and back', () => {
    for (let i = 0; i < 500; i++) {
      const id = newId('ord');
      expect(idFromBytes('ord', idBytes(id))).toBe(id);
      expect(idBytes(id)).toHaveLength(16);
    }
  });

  it('are recognized by prefix and alphabet', () => {
    expect(isId(newId('game'), 'game')).toBe(true);
    expect(isId(newId('ord'), 'pay')).toBe(false);
    expect(isId('ord_', 'ord')).toBe(false);
    expect(isId(`ord_${'u'.repeat(26)}`, 'ord')).toBe(false);
  });
});
