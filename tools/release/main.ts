/**
 * `npm run release` makes every package of the present version in `build/release`, and changes nothing else.
 * `npm run release -- 1.0.0-rc.1` releases: it refuses on anything unclean, writes version, changelog and `releases/VERSION`, makes
 * the packages, and ends with a commit and a tag that it does not push. If a step fails, the tree is as before.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Artifact, expectedFiles, makeArtifacts } from './artifacts.ts';
import { partOf, releaseChangelog, sectionOf } from './changelog.ts';
import { makeFixtures } from './fixtures.ts';
import { versionOf, writeVersion } from './places.ts';
import { CHECKS, findRefusals, runCheck, tagOf, type Wanted } from './refusals.ts';
import { releaseFolder } from './released.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUT = join(ROOT, 'build/release');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repository: { type: 'string' },
    // For a machine without a network: the day of the list, written out, so that no owner takes an old list for a new one.
    'advisories-as-of': { type: 'string' },
    check: { type: 'boolean', default: false },
  },
});

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
const say = (text: string): void => console.log(text);

function buildProgram(): void {
  execFileSync(process.execPath, ['tools/prepare.mjs', 'start'], { cwd: ROOT, stdio: 'inherit' });
}

function pack(version: string): Artifact[] {
  const artifacts = makeArtifacts({ root: ROOT, out: OUT, repository: values.repository });
  const missing = expectedFiles(version).filter(file => !artifacts.some(one => one.file === file));
  if (missing.length > 0) throw new Error(`Not made: ${missing.join(', ')}`);
  for (const { file, bytes } of artifacts) say(`${String(Math.ceil(bytes / 1024)).padStart(7)} KB  ${file}`);
  return artifacts;
}

/** Every reason, so that one run is enough to learn what is to be done. */
function refuse(wanted: Wanted): boolean {
  const reasons = findRefusals(wanted);
  for (const reason of reasons) console.error(`Not released: ${reason}`);
  if (reasons.length > 0) return true;
  for (const check of CHECKS) {
    say(`${check.name} …`);
    const broken = runCheck(ROOT, check);
    if (broken === null) continue;
    console.error(`${broken}\nNot released: ${check.name} is red.`);
    return true;
  }
  return false;
}

async function write({ version, date }: Wanted): Promise<void> {
  const file = join(ROOT, 'CHANGELOG.md');
  const changelog = releaseChangelog(readFileSync(file, 'utf8'), version, date);
  writeFileSync(file, changelog);
  writeVersion(ROOT, version);
  say('building …');
  buildProgram();
  const mayRollBackTo = partOf(sectionOf(changelog, version)!, 'May roll back to');
  await makeFixtures({ root: ROOT, version, date, mayRollBackTo });
}

async function release(wanted: Wanted): Promise<number> {
  const { version } = wanted;
  if (refuse(wanted)) return 1;
  if (values.check) {
    say(`Nothing speaks against ${version}.`);
    return 0;
  }
  const before = git('rev-parse', 'HEAD');
  try {
    await write(wanted);
    git('add', '--all');
    git('commit', '--quiet', '--message', `Release ${version}`);
    pack(version);
    git('tag', '--annotate', tagOf(version), '--message', `Coinslot ${version}`);
  } catch (error) {
    // The tree was clean at the start, so no work of the owner is lost.
    git('reset', '--quiet', '--hard', before);
    if (existsSync(releaseFolder(ROOT, version))) rmSync(releaseFolder(ROOT, version), { recursive: true });
    console.error(`${(error as Error).message}\nNot released: nothing was changed.`);
    return 1;
  }
  say(
    `\nReleased ${version} here: commit ${git('rev-parse', '--short', 'HEAD')}, tag ${tagOf(version)}, packages in build/release.`,
  );
  say(`Nothing was pushed or published. docs/publishing.md goes on: git push origin main ${tagOf(version)}`);
  return 0;
}

const [version] = positionals;
if (version === undefined) {
  buildProgram();
  pack(versionOf(ROOT));
  say('Packages of this commit are in build/release. `npm run release -- VERSION` makes a version of it.');
} else {
  const date = new Date().toISOString().slice(0, 10);
  process.exitCode = await release({ root: ROOT, version, date, advisoriesAsOf: values['advisories-as-of'] });
}
