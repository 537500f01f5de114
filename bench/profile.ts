import { openLab } from './lab.ts';
import { measureProfile } from './measures/profile.ts';

/** Where PostgreSQL's time for whole orders and for creations goes, by statement. `--profile` writes what Node does, too. */
const root = process.argv.slice(2).find(arg => !arg.startsWith('--'));
const flags = process.argv.includes('--profile') ? ['--cpu-prof', '--cpu-prof-dir=/tmp/prof'] : [];
const settings = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '2000',
  'pg_stat_statements.track_planning': 'on',
};
const lab = await openLab(flags, root, settings);
try {
  process.stdout.write(`${await measureProfile(lab)}\n`);
} finally {
  await lab.close();
}
