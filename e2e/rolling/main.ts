/** `npm run lab -- rolling`: serving and working processes are replaced one after the other, behind each shipped proxy, while players buy. */
import { setTimeout as pause } from 'node:timers/promises';
import { rollUnderLoad } from './roll.ts';
import { proxiesHere, SHIPPED_PROXIES } from './shipped-proxies.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const PLAYERS = 8;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const here = proxiesHere();
for (const { name } of SHIPPED_PROXIES)
  if (!here.some(one => one.name === name)) say(`There is no ${name} on this machine, so it is not tried.`);

const rolled = await rollUnderLoad({
  proxies: here,
  players: PLAYERS,
  workers: 2,
  async roll(processes) {
    for (let round = 1; round <= ROUNDS; round++) {
      for (const one of processes) {
        const began = performance.now();
        await one.replace();
        say(`round ${round}: ${one.name} replaced in ${((performance.now() - began) / 1000).toFixed(1)} s`);
      }
      await pause(500);
    }
  },
});
for (const { proxy, answers, failures, paid } of rolled) {
  say(`${proxy}: ${answers} requests, ${paid} orders paid, ${failures.length} failed`);
  for (const failure of failures.slice(0, 20)) say(`  ${failure}`);
}
if (here.length < SHIPPED_PROXIES.length || rolled.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
