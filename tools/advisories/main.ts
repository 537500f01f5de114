/**
 * `npm run advisories` compares the lock file with what is known, offline; `npm run advisories -- refresh` fetches new ones. A
 * list older than a month is a warning, and a release refuses it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AdvisoryFile, ageOf, hitsOf, installedIn, type LockFile, MAX_AGE_DAYS, refresh } from './advisories.ts';

const FILE = new URL('advisories.json', import.meta.url);
const LOCK = new URL('../../package-lock.json', import.meta.url);
const API = 'https://api.github.com';

const read = (file: URL) => JSON.parse(readFileSync(file, 'utf8'));

const lock: LockFile = read(LOCK);
const today = new Date().toISOString().slice(0, 10);
if (process.argv[2] === 'refresh') {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  try {
    const advisories = await refresh({ api: API, registry }, lock, read(FILE), today);
    writeFileSync(FILE, `${JSON.stringify(advisories, null, 2)}\n`);
  } catch (error) {
    console.error(`The list stays as it is: ${(error as Error).message}.`);
    process.exit(1);
  }
}
const known: AdvisoryFile = read(FILE);
const hits = hitsOf(lock, known);
for (const { name, version, path, advisory } of hits) {
  const { id, severity, title, vulnerable } = advisory;
  console.log(`${name} ${version} (${path}): ${severity}, ${title}. Vulnerable: ${vulnerable}. ${id}`);
}
console.log(
  `${installedIn(lock).length} packages, ${known.advisories.length} advisories as of ${known.date}: ${hits.length} found.`,
);
const age = ageOf(known, today);
if (age > MAX_AGE_DAYS)
  console.warn(
    `The list is ${age} days old, and a release takes none older than ${MAX_AGE_DAYS}: npm run advisories -- refresh`,
  );
process.exitCode = hits.length === 0 ? 0 : 1;
