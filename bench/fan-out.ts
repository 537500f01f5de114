import { loadavg } from 'node:os';
import { openLab } from './lab.ts';
import { measureFanOut } from './measures/fan-out.ts';
import { QUICK } from './plan.ts';
import { isMet, tableOf } from './result.ts';

/** `npm run bench -- fan-out`: how many events a second become deliveries for three observers, in a minute. */
const lab = await openLab(process.argv.includes('--profile') ? ['--cpu-prof'] : []);
try {
  const server = await lab.startServer(lab.databaseUrl);
  const results = await measureFanOut(lab, server, QUICK);
  process.stdout.write(`${tableOf(results)}\nload of the machine: ${loadavg()[0]!.toFixed(1)}\n`);
  process.exitCode = results.every(isMet) ? 0 : 1;
  await server.stop();
} finally {
  await lab.close();
}
