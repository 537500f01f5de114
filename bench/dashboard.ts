import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../apps/server/src/db/embedded/start-embedded.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import { measureDashboard, seedPayments } from './measures/dashboard.ts';
import { measureSearches, seedSearches } from './measures/searches.ts';
import { isMet, tableOf } from './result.ts';

const PAYMENTS = 2_000_000;

/** `npm run bench -- dashboard`: lists, searches and figures over 2,000,000 payments, with every filter and deep into paging. */
const dataDir = await mkdtemp(join(tmpdir(), 'coinslot-bench-'));
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const embedded = await startEmbedded({ dataDir: join(dataDir, 'data'), log: say });
try {
  await migrate(embedded.url);
  const count = Number(process.argv[2] ?? PAYMENTS);
  say(`Writing ${count} payments. This takes a few minutes.`);
  await seedPayments(embedded.url, count);
  say('Writing what is searched and figured.');
  await seedSearches(embedded.url);
  const results = [...(await measureDashboard(embedded.url)), ...(await measureSearches(embedded.url))];
  process.stdout.write(`${tableOf(results)}\n`);
  process.exitCode = results.every(isMet) ? 0 : 1;
} finally {
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
