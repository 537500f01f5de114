import { openLab } from './lab.ts';
import { measureFlood } from './measures/flood.ts';
import { isMet, tableOf } from './result.ts';

/** `npm run bench -- flood`: whether one tenant's flood slows another's payment, in a minute. */
const lab = await openLab([]);
try {
  const server = await lab.startServer(lab.databaseUrl, { RATE_LIMIT_PER_MINUTE: '1000' });
  const results = await measureFlood(server);
  process.stdout.write(`${tableOf(results)}\n`);
  process.exitCode = results.every(isMet) ? 0 : 1;
} finally {
  await lab.close();
}
