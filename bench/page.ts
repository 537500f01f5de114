import { openLab } from './lab.ts';
import { measurePage } from './measures/page.ts';
import { isMet, tableOf } from './result.ts';

/** `npm run bench -- page`: the payment page alone, in a few seconds. */
const lab = await openLab([]);
try {
  const server = await lab.startServer(lab.databaseUrl);
  const results = await measurePage(lab, server);
  process.stdout.write(`${tableOf(results)}\n`);
  process.exitCode = results.every(isMet) ? 0 : 1;
} finally {
  await lab.close();
}
