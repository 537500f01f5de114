import { openLab } from './lab.ts';
import { measureSteps } from './measures/steps.ts';
import { isMet, tableOf } from './result.ts';

/** What one whole order costs, and which statements it takes. Exit code 1 when it is more than it should be. */
const lab = await openLab(process.argv.includes('--profile') ? ['--cpu-prof'] : []);
try {
  const { results, details } = await measureSteps(lab);
  process.stdout.write(`${tableOf(results)}\n\n${details}\n`);
  process.exitCode = results.every(isMet) ? 0 : 1;
} finally {
  await lab.close();
}
