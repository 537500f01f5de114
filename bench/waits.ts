import { openLab } from './lab.ts';
import { measurePay } from './measures/pay.ts';
import { measureStart } from './measures/start.ts';
import { isMet, tableOf } from './result.ts';

/** `npm run bench -- waits`: what a player waits for after the tap on Pay, and an operator after the start. */
const lab = await openLab([]);
try {
  const server = await lab.startServer(lab.databaseUrl);
  const paid = await measurePay(lab, server);
  await server.stop();
  const results = [...paid, ...(await measureStart())];
  process.stdout.write(`${tableOf(results)}\n`);
  process.exitCode = results.every(isMet) ? 0 : 1;
} finally {
  await lab.close();
}
