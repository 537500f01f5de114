import { openLab } from './lab.ts';
import { measureBatching } from './measures/batching.ts';
import { tableOf } from './result.ts';

/** `npm run bench -- batching`: what whole orders and creations lose without each kind of batching. */
const lab = await openLab([]);
try {
  const results = await measureBatching(lab, { rounds: 7, roundMs: 2_000, warmUpMs: 6_000 });
  process.stdout.write(`${tableOf(results)}\n`);
} finally {
  await lab.close();
}
