import { describe, expect, it, test } from 'vitest';
import { createOnce, createSlots } from './collections.ts';

test('a name is first once, until it is forgotten', () => {
  const once = createOnce(10);
  expect([once.isFirst('a'), once.isFirst('a'), once.isFirst('b')]).toEqual([true, false, true]);
  once.forget('a');
  expect([once.isFirst('a'), once.isFirst('b')]).toEqual([true, false]);
});

test('the oldest name makes room', () => {
  const once = createOnce(2);
  for (const name of ['a', 'b', 'c']) once.isFirst(name);
  expect([once.isFirst('c'), once.isFirst('b'), once.isFirst('a')]).toEqual([false, false, true]);
});

describe('slots', () => {
  it('hold what was put and not cleared, and are used again', () => {
    const slots = createSlots<string>();
    const [a, b, c] = ['a', 'b', 'c'].map(slots.put) as [number, number, number];
    expect([...slots]).toEqual(['a', 'b', 'c']);
    slots.clear(b);
    expect([...slots]).toEqual(['a', 'c']);
    expect(slots.size).toBe(2);
    expect(slots.put('d')).toBe(b);
    expect([a, c].map(slot => [slots.clear(slot), slots.size][1])).toEqual([2, 1]);
    expect([...slots]).toEqual(['d']);
  });

  it('that are cleared already, or were never taken, stay as they are', () => {
    const slots = createSlots<string>();
    const slot = slots.put('a');
    slots.clear(slot);
    slots.clear(slot);
    slots.clear(-1);
    expect(slots.size).toBe(0);
    expect([slots.put('b'), slots.put('c')]).toEqual([slot, slot + 1]);
  });
});
