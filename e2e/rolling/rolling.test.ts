import { expect, test } from 'vitest';
import { hasAddress } from './fleet.ts';
import { rollUnderLoad } from './roll.ts';
import { proxiesHere, SHIPPED_PROXIES } from './shipped-proxies.ts';

const here = proxiesHere();
const missing = SHIPPED_PROXIES.filter(proxy => !here.includes(proxy)).map(({ name }) => name);
const about = missing.length > 0 ? ` (without ${missing.join(' and ')}: not on this machine)` : '';

/** `npm run lab -- rolling` does it for minutes, each process alone. */
test(`behind the shipped proxies serving and working processes are replaced while players buy, and no request fails${about}`, async context => {
  if (here.length === 0) context.skip('neither nginx nor Caddy is on this machine');
  if (!(await hasAddress('127.0.0.2'))) context.skip('this machine has one loopback address');
  const rolled = await rollUnderLoad({
    proxies: here,
    players: 2,
    workers: 1,
    async roll([serve1, serve2, work]) {
      await Promise.all([serve1!.replace(), work!.replace()]);
      await serve2!.replace();
    },
  });
  for (const { proxy, failures, paid } of rolled) {
    expect([proxy, failures]).toEqual([proxy, []]);
    expect(paid).toBeGreaterThan(0);
  }
}, 400_000);
