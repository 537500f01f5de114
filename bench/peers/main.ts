import { openLab } from '../lab.ts';
import { measurePeers } from '../measures/peers.ts';
import { tableOf } from '../result.ts';

/** `npm run bench -- peers`: another open shop beside this one, on one PostgreSQL, in one run. It installs from the package registry. */
const lab = await openLab([]);
try {
  const results = await measurePeers(lab, text => void process.stderr.write(`${text}\n`));
  process.stdout.write(`${tableOf(results)}\n`);
} finally {
  await lab.close();
}
process.exit(0);
