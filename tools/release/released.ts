/** What is kept of each released version in `releases/VERSION`: a small database, a backup, the OpenAPI, and the migrations by hash. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from 'semver';

export interface MigrationHash {
  name: string;
  sha256: string;
}

/** `release.json`. The key opens the fixture and nothing else. */
export interface Release {
  version: string;
  date: string;
  /** As the changelog says it. */
  mayRollBackTo: string;
  migrations: MigrationHash[];
  masterKey: string;
  s2sKey: string;
  /** Orders of the fixture by status. */
  orders: Record<string, number>;
}

const MIGRATIONS = 'apps/server/migrations';

export const releaseFolder = (root: string, version: string): string => join(root, 'releases', version);

export const hashOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

export function migrationsIn(root: string): MigrationHash[] {
  const names = readdirSync(join(root, MIGRATIONS)).filter(name => name.endsWith('.sql'));
  return names.toSorted().map(name => ({ name, sha256: hashOf(readFileSync(join(root, MIGRATIONS, name))) }));
}

/** Every released version, the oldest first. */
export function releasesIn(root: string): Release[] {
  const folder = join(root, 'releases');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => JSON.parse(readFileSync(join(folder, name, 'release.json'), 'utf8')) as Release)
    .toSorted((a, b) => compare(a.version, b.version));
}

/** Which released migrations are not here as they were released: a database of that version could not be upgraded. */
export function changedMigrations(releases: readonly Release[], here: readonly MigrationHash[]): string[] {
  return releases.flatMap(({ version, migrations }) =>
    migrations
      .filter(({ name, sha256 }) => here.find(one => one.name === name)?.sha256 !== sha256)
      .map(({ name }) => `${name} is not as it was released with ${version}`),
  );
}
