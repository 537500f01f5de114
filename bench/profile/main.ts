import { openLab } from '../lab.ts';
import { measureProfile } from './measure-profile.ts';

/**
 * Where PostgreSQL's time for whole orders and for creations goes, by statement. `--profile` writes what Node does, too; a folder
 * is another checkout, which must be built.
 */
const args = process.argv.slice(2);
const settings = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_planning': 'on' };
const root = args.find(arg => !arg.startsWith('--'));
const lab = await openLab(args.includes('--profile') ? ['--cpu-prof'] : [], root, settings);
try {
  process.stdout.write(`${await measureProfile(lab)}\n`);
} finally {
  await lab.close();
}
