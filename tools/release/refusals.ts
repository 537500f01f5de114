/** Reasons not to release. All are looked for, so that one run names them all; nothing is changed before every one is gone. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, parse } from 'semver';
import { ageOf, MAX_AGE_DAYS } from '../advisories/advisories.ts';
import { lacksOf } from './changelog.ts';
import { changedMigrations, migrationsIn, releasesIn } from './released.ts';

export interface Wanted {
  root: string;
  version: string;
  /** The day of the release, YYYY-MM-DD. */
  date: string;
  /** The day of a list of advisories that is older than it should be and is known to be. */
  advisoriesAsOf?: string | undefined;
}

const BRANCH = 'main';

const run = (root: string, command: string, ...args: string[]) =>
  spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

export const tagOf = (version: string): string => `v${version}`;

function git(root: string, ...args: string[]): string {
  const { status, stdout, stderr } = run(root, 'git', ...args);
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trimEnd();
}

function refuseTree({ root }: Wanted): string[] {
  const changed = git(root, 'status', '--porcelain').split('\n').filter(Boolean);
  if (changed.length === 0) return [];
  const names = changed.slice(0, 5).map(line => line.slice(3));
  const more = changed.length > names.length ? ` and ${changed.length - names.length} more` : '';
  return [`There are changes that are not committed: ${names.join(', ')}${more}.`];
}

function refuseBranch({ root }: Wanted): string[] {
  const branch = git(root, 'rev-parse', '--abbrev-ref', 'HEAD');
  return branch === BRANCH ? [] : [`This is the branch ${branch}. Releases are made from ${BRANCH}.`];
}

/** Python's form has no other kinds of prereleases. */
const PRERELEASE = /^(?:alpha|beta|rc)\.\d+$/;

function refuseVersion({ root, version }: Wanted): string[] {
  const parsed = parse(version);
  if (parsed?.version !== version || (parsed.prerelease.length > 0 && !PRERELEASE.test(parsed.prerelease.join('.'))))
    return [`"${version}" is no version such as 1.2.0 or 1.2.0-rc.1.`];
  const tags = git(root, 'tag', '--list', tagOf(version));
  const released = releasesIn(root);
  if (tags !== '' || released.some(one => one.version === version))
    return [`Version ${version} was released already. A version is never made again: take the next one.`];
  const last = released.at(-1)?.version;
  if (last === undefined || compare(version, last) > 0) return [];
  return [`Version ${version} is not newer than ${last}, which was released last.`];
}

const refuseMigrations = ({ root }: Wanted): string[] =>
  changedMigrations(releasesIn(root), migrationsIn(root)).map(
    what => `${what}: put the file back, and write the change into a new one.`,
  );

const refuseChangelog = ({ root }: Wanted): string[] => lacksOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));

function refuseAdvisories({ root, date, advisoriesAsOf }: Wanted): string[] {
  const known = JSON.parse(readFileSync(join(root, 'tools/advisories/advisories.json'), 'utf8')) as { date: string };
  const age = ageOf(known, date);
  if (age <= MAX_AGE_DAYS || advisoriesAsOf === known.date) return [];
  return [
    `The list of advisories is ${age} days old, more than ${MAX_AGE_DAYS}: npm run advisories -- refresh. Without a network say that you know it: --advisories-as-of ${known.date}`,
  ];
}

/** What takes no time to find out. */
export const findRefusals = (wanted: Wanted): string[] =>
  [refuseTree, refuseBranch, refuseVersion, refuseMigrations, refuseChangelog, refuseAdvisories].flatMap(look =>
    look(wanted),
  );

interface Check {
  name: string;
  argv: readonly [string, ...string[]];
}

const TESTS = ['tools/tidy', 'tools/docs.test.ts', 'tools/generate.test.ts', 'tools/faults.test.ts', 'tools/release'];

/** What a minute or two can find out; `npm test` and `npm run test:release` are for the rest. */
export const CHECKS: readonly Check[] = [
  { name: 'format and lint', argv: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'types', argv: ['tsc', '-p', 'tsconfig.check.json'] },
  { name: 'lint with types', argv: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'advisories', argv: ['tsx', 'tools/advisories/main.ts'] },
  { name: 'house rules, documents and generated files', argv: ['vitest', 'run', '--project=daily', ...TESTS] },
];

/** The last lines of what it printed, or null if it holds. */
export function runCheck(root: string, { argv: [command, ...args] }: Check): string | null {
  const { status, stdout, stderr } = run(root, join(root, 'node_modules/.bin', command), ...args);
  return status === 0 ? null : `${stdout}${stderr}`.trim().split('\n').slice(-30).join('\n');
}
