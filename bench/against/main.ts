import { resolve } from 'node:path';
import { openLab } from '../lab.ts';
import { tableOf } from '../result.ts';
import { measureAgainst } from './measure-against.ts';

/** `npm run bench -- against FOLDER [ROUNDS]`: this checkout and another one, which must be built, in turns on one machine. */
const [folder, rounds = '5'] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write(
    'npm run bench -- against FOLDER [ROUNDS]: FOLDER is a checkout that `npm ci` and `npm run build` have prepared\n',
  );
  process.exit(2);
}
const root = resolve(folder);
const ours = await openLab([]);
const theirs = await openLab([], root);
try {
  const here = { root: resolve(import.meta.dirname, '../..'), lab: ours };
  const results = await measureAgainst([here, { root, lab: theirs }], Number(rounds), 5_000);
  process.stdout.write(`${tableOf(results)}\n`);
} finally {
  await Promise.all([ours.close(), theirs.close()]);
}
