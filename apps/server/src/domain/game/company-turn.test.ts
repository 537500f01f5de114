import { afterEach, expect, it, vi } from 'vitest';
import { inCompanyTurn } from './company-turn.ts';

afterEach(() => void vi.restoreAllMocks());

const held = () => {
  let letGo = (): void => {};
  const end = new Promise<void>(resolve => {
    letGo = resolve;
  });
  return { letGo: () => letGo(), first: inCompanyTurn('cmp_1', () => end) };
};

it('beyond fifty of one company a call is refused at once, and other companies go on (row 284)', async () => {
  const { letGo, first } = held();
  const others = Array.from({ length: 49 }, (_, n) => inCompanyTurn('cmp_1', async () => n));
  await expect(inCompanyTurn('cmp_1', async () => 'late')).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await inCompanyTurn('cmp_2', async () => 'other')).toBe('other');
  letGo();
  await first;
  expect(await Promise.all(others)).toHaveLength(49);
  expect(await inCompanyTurn('cmp_1', async () => 'again')).toBe('again');
});

it('a turn that comes too late is refused and does nothing, so that no call waits for all before it (row 284)', async () => {
  const { letGo, first } = held();
  const work = vi.fn(async () => 'done');
  const second = inCompanyTurn('cmp_1', work);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 11_000);
  letGo();
  await first;
  await expect(second).rejects.toMatchObject({ code: 'unavailable' });
  expect(work).not.toHaveBeenCalled();
});
