import { loadavg } from 'node:os';
import { openLab } from './lab.ts';
import { measureBack } from './measures/back.ts';
import { isMet, tableOf } from './result.ts';

/** `npm run bench -- back`: how soon a game that is back has all that waited for it, in some minutes. */
const lab = await openLab([]);
try {
  const server = await lab.startServer(lab.databaseUrl);
  const results = await measureBack(lab, server);
  process.stdout.write(`${tableOf(results)}\nload of the machine: ${loadavg()[0]!.toFixed(1)}\n`);
  process.exitCode = results.every(isMet) ? 0 : 1;
  await server.stop();
} finally {
  await lab.close();
}
