/** Every place that names the version of this repository, and how it is written there. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'semver';

/** Python's own form: 1.0.0-rc.1 is 1.0.0rc1. */
export function pythonVersion(version: string): string {
  const { major, minor, patch, prerelease } = parse(version)!;
  const [kind, number] = prerelease;
  const short: Record<string, string> = { alpha: 'a', beta: 'b', rc: 'rc' };
  return `${major}.${minor}.${patch}${kind === undefined ? '' : `${short[kind]}${number}`}`;
}

/** A file, and the text in it for a version. */
type Place = readonly [file: string, text: (version: string) => string];

export const VERSION_PLACES: readonly Place[] = [
  ['README.md', version => `coinslot-server-${version}.tgz`],
  ['README.md', version => `Version ${version}.`],
  ['docs/guides/unit-tests.md', version => `coinslot-sdk-${version}.tgz`],
  ['docs/guides/unit-tests.md', version => `coinslot@v${version}`],
  ['packages/sdk/src/send-request.ts', version => `VERSION = '${version}'`],
  ['packages/python/pyproject.toml', version => `version = "${pythonVersion(version)}"`],
  ['packages/python/coinslot/__init__.py', version => `__version__ = "${pythonVersion(version)}"`],
  ['packages/python/coinslot/client.py', version => `coinslot-python/${pythonVersion(version)}`],
  ['packages/go/verify.go', version => `Version = "${version}"`],
  ['packages/go/README.md', version => `coinslot v${version}`],
  ['packages/csharp/Coinslot.csproj', version => `<Version>${version}</Version>`],
  ['packages/csharp/Webhooks.cs', version => `Version = "${version}"`],
  ['engines/unity/com.coinslot.checkout/package.json', version => `"version": "${version}"`],
  ['engines/godot/addons/coinslot/plugin.cfg', version => `version="${version}"`],
  ['engines/godot3/addons/coinslot/plugin.cfg', version => `version="${version}"`],
  ['engines/unreal/Coinslot/Coinslot.uplugin', version => `"VersionName": "${version}"`],
];

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

export const versionOf = (root: string): string =>
  (readJson(join(root, 'package.json')) as { version: string }).version;

/** `package.json` of the repository and of every workspace. */
export function manifestsIn(root: string): string[] {
  const { workspaces } = readJson(join(root, 'package.json')) as { workspaces: string[] };
  const folders = workspaces.flatMap(pattern => {
    const parent = pattern.replace('/*', '');
    return readdirSync(join(root, parent)).map(name => `${parent}/${name}/package.json`);
  });
  return ['package.json', ...folders.filter(file => isThere(join(root, file)))];
}

function isThere(file: string): boolean {
  try {
    return Boolean(readFileSync(file));
  } catch {
    return false;
  }
}

interface Manifest {
  version?: string;
  [dependencies: string]: unknown;
}

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Its own version, and those of our packages that it names. */
function raise(manifest: Manifest, from: string, to: string): Manifest {
  if (manifest.version === from) manifest.version = to;
  for (const kind of KINDS) {
    const named = (manifest[kind] ?? {}) as Record<string, string>;
    for (const name of Object.keys(named)) if (name.startsWith('@coinslot/') && named[name] === from) named[name] = to;
  }
  return manifest;
}

const writeJson = (file: string, value: object): void => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

function writeLock(root: string, from: string, to: string): void {
  const file = join(root, 'package-lock.json');
  const lock = readJson(file) as { version: string; packages: Record<string, Manifest> };
  lock.version = to;
  for (const [path, entry] of Object.entries(lock.packages))
    if (!path.includes('node_modules/')) raise(entry, from, to);
  writeJson(file, lock);
}

/** Writes another version into every place. Throws where a place does not name the present one. */
export function writeVersion(root: string, to: string): void {
  const from = versionOf(root);
  if (from === to) return;
  for (const [file, text] of VERSION_PLACES) {
    const before = readFileSync(join(root, file), 'utf8');
    if (!before.includes(text(from))) throw new Error(`${file} does not say ${text(from)}`);
    writeFileSync(join(root, file), before.replaceAll(text(from), text(to)));
  }
  for (const file of manifestsIn(root)) writeJson(join(root, file), raise(readJson(join(root, file)), from, to));
  writeLock(root, from, to);
}
