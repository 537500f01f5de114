import { openLab } from './lab.ts';
import { measureBytes } from './measures/bytes.ts';

/** Bytes for each whole order, by table; exit code 1 when there are more than there should be. */
const lab = await openLab([]);
try {
  const { table, isMet } = await measureBytes(lab);
  process.stdout.write(`${table}\n`);
  process.exitCode = isMet ? 0 : 1;
} finally {
  await lab.close();
}
