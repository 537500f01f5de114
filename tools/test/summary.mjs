// What is told at the very end of `npm test`, of `npm run test:release`, and of both after each other:
//   node tools/test/summary.mjs FILE…      the files that TEST_SUMMARY named, one for each
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

export const minutes = seconds => `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;

const sum = (files, count) => files.reduce((total, file) => total + count(file), 0);

const countsOf = ({ passed, failed }) => `${passed} passed, ${failed} failed`;

/** No second try hides an unsteady test: what failed once stands beside the counts. */
function linesOf({ failing, unsteady, ...counts }) {
  const list = (title, tests) =>
    tests.length > 0 ? [`${title} (${tests.length}):`, ...tests.map(one => `  ${one}`)] : [];
  return [
    ...list('Failed', failing),
    ...list('Failed once and then held, look into each', unsteady),
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
    countsOf(counts),
  ];
}

export function summaryOf({ name, files, broken, seconds }) {
  const named = kind => files.flatMap(one => one[kind].map(test => `${one.file} > ${test.name}: ${test.error}`));
  const failing = named('failed');
  const passed = sum(files, file => file.passed);
  const skipped = sum(files, file => file.skipped);
  // A check beside the tests that found something counts as one that failed.
  const failed = failing.length + broken.filter(what => what !== 'tests' || failing.length === 0).length;
  const counts = { passed, failed, skipped, failing, unsteady: named('unsteady') };
  return { name, seconds, broken, ...counts, lines: linesOf(counts) };
}

function joined(summaries) {
  const total = { passed: 0, failed: 0, skipped: 0, failing: [], unsteady: [] };
  for (const one of summaries) {
    for (const count of ['passed', 'failed', 'skipped']) total[count] += one[count];
    for (const list of ['failing', 'unsteady']) total[list].push(...one[list]);
  }
  return total;
}

/** A run that died before its end has told so where it died, and left no summary. */
function readSummary(file) {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const died = [`${basename(file, '.json')} died before its end`];
  return {
    name: basename(file, '.json'),
    seconds: 0,
    broken: died,
    passed: 0,
    failed: 1,
    skipped: 0,
    failing: died,
    unsteady: [],
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const summaries = process.argv.slice(2).map(readSummary);
  console.log();
  for (const { name, seconds, broken, ...counts } of summaries) {
    const outcome = broken.length > 0 ? `broken: ${broken.join(', ')}` : 'everything holds';
    console.log(`${name}: ${countsOf(counts)}; ${minutes(seconds)}; ${outcome}`);
  }
  for (const line of linesOf(joined(summaries))) console.log(line);
}
