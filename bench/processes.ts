import { openLab } from './lab.ts';
import { measureProcesses } from './measures/processes.ts';
import { QUICK } from './plan.ts';
import { isMet, tableOf } from './result.ts';

/** `npm run bench -- processes`: what one process for each core is worth here, in half a minute. */
const lab = await openLab([]);
try {
  const results = await measureProcesses(lab, QUICK);
  process.stdout.write(`${tableOf(results)}\n`);
  process.exitCode = results.every(isMet) ? 0 : 1;
} finally {
  await lab.close();
}
