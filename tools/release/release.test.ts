import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { lacksOf, partOf, releaseChangelog, sectionOf } from './changelog.ts';
import { manifestsIn, pythonVersion, VERSION_PLACES, versionOf, writeVersion } from './places.ts';
import { findRefusals } from './refusals.ts';
import { changedMigrations, migrationsIn, type Release, releasesIn } from './released.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'coinslot-release-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const git = (root: string, ...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

describe('what was released', () => {
  it('has its migrations here as they were: a later change is a file of its own', () => {
    expect(changedMigrations(releasesIn(ROOT), migrationsIn(ROOT))).toEqual([]);
  });

  it('is found out when a file is another, or gone', () => {
    const [first] = migrationsIn(ROOT);
    const released = (name: string, sha256: string) =>
      ({ version: '1.0.0', migrations: [{ name, sha256 }] }) as Release;
    expect(changedMigrations([released(first!.name, first!.sha256)], migrationsIn(ROOT))).toEqual([]);
    const changed = [released(first!.name, 'another'), released('0000_gone.sql', 'any')];
    expect(changedMigrations(changed, migrationsIn(ROOT))).toEqual([
      `${first!.name} is not as it was released with 1.0.0`,
      '0000_gone.sql is not as it was released with 1.0.0',
    ]);
  });
});

describe('the version', () => {
  const version = versionOf(ROOT);

  it('is the same in every place', () => {
    for (const [file, text] of VERSION_PLACES)
      expect([file, readFileSync(join(ROOT, file), 'utf8').includes(text(version))]).toEqual([file, true]);
    for (const file of manifestsIn(ROOT))
      expect([file, JSON.parse(readFileSync(join(ROOT, file), 'utf8')).version]).toEqual([file, version]);
  });

  it('stands in no place that a release would forget', () => {
    const known = new Set([
      ...VERSION_PLACES.map(([file]) => file),
      ...manifestsIn(ROOT),
      'package-lock.json',
      'CHANGELOG.md',
    ]);
    const forms = [version, pythonVersion(version)].map(form => form.replaceAll('.', '\\.'));
    // As a manifest, a program or a command says it; not as a sentence does ("since …").
    const pattern = `(ersion[A-Za-z]*["' :=>]+|[-/@]v?|coinslot v)(${forms.join('|')})($|[^0-9.])`;
    const found = git(ROOT, 'grep', '-lIE', pattern, '--', '.').trim().split('\n');
    const elsewhere =
      /^(?:releases|bench|tools\/(?:lighthouse|clients|release))\/|lock\.json$|^docs\/publishing\.md$|release-command/;
    expect(found.filter(file => !known.has(file) && !elsewhere.test(file))).toEqual([]);
  });

  it('is written into all of them, and Python gets its own form', () => {
    const copy = join(scratch, 'copy');
    for (const file of [...VERSION_PLACES.map(([path]) => path), ...manifestsIn(ROOT), 'package-lock.json']) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(ROOT, file), join(copy, file));
    }
    writeVersion(copy, '9.8.7-rc.6');
    const read = (file: string): string => readFileSync(join(copy, file), 'utf8');
    expect(read('packages/python/pyproject.toml')).toContain('version = "9.8.7rc6"');
    expect(JSON.parse(read('packages/cli/package.json'))).toMatchObject({
      version: '9.8.7-rc.6',
      dependencies: { '@coinslot/sdk': '9.8.7-rc.6' },
    });
    const { packages } = JSON.parse(read('package-lock.json'));
    expect(packages['packages/cli']).toMatchObject({
      version: '9.8.7-rc.6',
      devDependencies: { '@coinslot/contract': '9.8.7-rc.6' },
    });
    for (const [file, text] of VERSION_PLACES)
      expect([file, read(file).includes(text(version))]).toEqual([file, false]);
    writeFileSync(join(copy, 'README.md'), 'nothing');
    expect(() => writeVersion(copy, '9.9.9')).toThrow('README.md does not say');
  });
});

const PARTS = '### Needs\n\nNode.\n\n### May roll back to\n\nNothing.\n\n### Changes for game developers\n\nNone.\n';
const CHANGELOG = `# Changelog\n\n## [Unreleased]\n\n${PARTS}\n### Added\n\n- **A thing.**\n\n## [0.9.0] - 2026-01-01\n\nOld.\n`;

describe('the changelog', () => {
  it('of this repository can be read, whatever it lacks', () => {
    const text = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
    for (const lack of lacksOf(text)) expect(lack).not.toContain('has no');
    for (const { version } of releasesIn(ROOT)) expect(partOf(sectionOf(text, version) ?? '', 'Needs')).not.toBe('');
  });

  it('gets a version with its day, and an empty part for what comes', () => {
    expect(lacksOf(CHANGELOG)).toEqual([]);
    const after = releaseChangelog(CHANGELOG, '1.0.0', '2026-11-18');
    expect(after).toContain('## [1.0.0] - 2026-11-18\n\n### Needs\n\nNode.');
    expect(partOf(sectionOf(after, '1.0.0')!, 'May roll back to')).toBe('Nothing.');
    expect(sectionOf(after, '0.9.0')).toBe('Old.');
    expect(lacksOf(after)).toHaveLength(4);
  });
});

describe('a release', () => {
  let root: string;
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const commit = (): void => {
    git(root, 'add', '--all');
    git(root, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'change');
  };
  const refusals = (version: string, more = {}): string =>
    findRefusals({ root, version, date: '2026-11-18', ...more }).join('\n');

  beforeEach(() => {
    root = mkdtempSync(join(scratch, 'repository-'));
    git(root, 'init', '--quiet', '--initial-branch=main');
    write('CHANGELOG.md', CHANGELOG);
    write('apps/server/migrations/0001_schema.sql', 'select 1;');
    write('tools/advisories/advisories.json', JSON.stringify({ date: '2026-11-01', advisories: [] }));
    const migrations = migrationsIn(root);
    write('releases/0.9.0/release.json', JSON.stringify({ version: '0.9.0', migrations }));
    commit();
  });

  it('is refused by nothing where all is clean', () => {
    expect(refusals('1.0.0-rc.1')).toBe('');
  });

  it('is refused for a tree with changes and for another branch', () => {
    write('new.txt', 'new');
    git(root, 'checkout', '--quiet', '-b', 'side');
    expect(refusals('1.0.0')).toMatch(/not committed: new\.txt\.\nThis is the branch side/);
  });

  it('is refused for a version that is none, that exists, or that is not newer', () => {
    expect(refusals('1.0')).toContain('is no version');
    expect(refusals('v1.0.0')).toContain('is no version');
    expect(refusals('1.0.0-nightly.1')).toContain('is no version');
    expect(refusals('0.9.0')).toContain('was released already');
    expect(refusals('0.8.0')).toContain('is not newer than 0.9.0');
    git(root, 'tag', 'v1.0.0');
    expect(refusals('1.0.0')).toContain('was released already');
  });

  it('is refused for a part of the changelog that is empty, and for one that names no change', () => {
    write('CHANGELOG.md', CHANGELOG.replace('Nothing.', ''));
    commit();
    expect(refusals('1.0.0')).toContain('says nothing under "### May roll back to"');
    write('CHANGELOG.md', CHANGELOG.replace('- **A thing.**', ''));
    commit();
    expect(refusals('1.0.0')).toContain('names no change');
  });

  it('is refused for a released migration that was changed, and for advisories of another month', () => {
    write('apps/server/migrations/0001_schema.sql', 'select 2;');
    commit();
    expect(refusals('1.0.0')).toContain('0001_schema.sql is not as it was released with 0.9.0: put the file back');
    const late = { date: '2026-12-02' };
    expect(refusals('1.0.0', late)).toContain('The list of advisories is 31 days old');
    expect(refusals('1.0.0', { ...late, advisoriesAsOf: '2026-11-01' })).not.toContain('advisories');
    expect(refusals('1.0.0', { date: '2026-12-01' })).not.toContain('advisories');
  });
});
