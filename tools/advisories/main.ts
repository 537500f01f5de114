/** `npm run advisories` compares the lock file with what is known, offline; `npm run advisories -- refresh` fetches new ones. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type AdvisoryFile, hitsOf, installedIn, type LockFile, refresh } from './advisories.ts';

const FILE = new URL('advisories.json', import.meta.url);
const LOCK = new URL('../../package-lock.json', import.meta.url);
const API = 'https://api.github.com';

const read = (file: URL) => JSON.parse(readFileSync(file, 'utf8'));

const lock: LockFile = read(LOCK);
if (process.argv[2] === 'refresh') {
  const advisories = await refresh(API, lock, new Date().toISOString().slice(0, 10));
  writeFileSync(FILE, `${JSON.stringify(advisories, null, 2)}\n`);
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
process.exitCode = hits.length === 0 ? 0 : 1;
