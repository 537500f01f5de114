/** A registry on this machine that has what is installed here, and our own packages as npm would publish them. */
import { execFile, spawn } from 'node:child_process';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rcompare } from 'semver';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const exec = promisify(execFile);

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
}

interface Stored {
  manifest: Manifest;
  /** Where its files are; absent when it is for other machines. */
  source?: { folder: string } | { tarball: string };
}

export interface LocalRegistry {
  url: string;
  /** Settings for npm and npx: this registry and nothing else, in a home that is empty. */
  env(home: string): NodeJS.ProcessEnv;
  close(): void;
}

interface Lock {
  packages: Record<string, { version?: string; link?: boolean; os?: string[]; cpu?: string[]; libc?: string[] }>;
}

const { overrides = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  overrides?: Record<string, string>;
};

/** What this repository puts in the place of a dependency is all that is installed of it here. */
const asInstalled = (manifest: Manifest): Manifest => ({
  ...manifest,
  dependencies: Object.fromEntries(
    Object.entries(manifest.dependencies ?? {}).map(([name, range]) => [name, overrides[`${name}@${range}`] ?? range]),
  ),
});

/** Everything of the lock file; what npm left out here, for its platform, is only described. */
function installedHere(): Stored[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  return Object.entries(packages).flatMap(([path, { version, link, os, cpu, libc }]) => {
    if (!path.includes('node_modules/') || link || version === undefined) return [];
    const folder = join(ROOT, path);
    const file = join(folder, 'package.json');
    if (existsSync(file)) {
      return [{ manifest: asInstalled(JSON.parse(readFileSync(file, 'utf8')) as Manifest), source: { folder } }];
    }
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return [{ manifest: { name, version, os, cpu, libc } as Manifest }];
  });
}

async function packed(tarball: string): Promise<Stored> {
  const { stdout } = await exec('tar', ['-xOzf', tarball, 'package/package.json']);
  return { manifest: JSON.parse(stdout) as Manifest, source: { tarball } };
}

function describePackage(name: string, all: Stored[], url: string): object {
  const versions = all.map(({ manifest }) => manifest.version).toSorted(rcompare);
  const described = all.map(({ manifest }) => {
    const dist = { tarball: `${url}/${name}/-/${manifest.version}.tgz` };
    return [manifest.version, { ...manifest, dist }];
  });
  return { name, 'dist-tags': { latest: versions[0] }, versions: Object.fromEntries(described) };
}

function sendFiles({ source }: Stored, response: ServerResponse): void {
  if (source && 'tarball' in source) return void createReadStream(source.tarball).pipe(response);
  if (!source) return void response.writeHead(404).end();
  // Not compressed: npm takes it as well, and it is quicker.
  const argv = ['-cf', '-', '--exclude=./node_modules', '--transform=s,^\\.,package,', '-C', source.folder, '.'];
  spawn('tar', argv, { stdio: ['ignore', 'pipe', 'inherit'] }).stdout.pipe(response);
}

/** Of our packages those in the tarballs; of others what is installed in the repository. Needs no network. */
export async function startLocalRegistry(tarballs: string[]): Promise<LocalRegistry> {
  const stored = [...installedHere(), ...(await Promise.all(tarballs.map(packed)))];
  const server = createServer((request, response) => {
    const [name = '', version] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/');
    const all = stored.filter(({ manifest }) => manifest.name === name);
    const wanted = all.find(({ manifest }) => `${manifest.version}.tgz` === version);
    if (version === undefined && all.length > 0) response.end(JSON.stringify(describePackage(name, all, url)));
    else if (wanted) sendFiles(wanted, response);
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise(ready => server.once('listening', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    env: home => ({
      PATH: process.env.PATH,
      HOME: home,
      npm_config_registry: url,
      npm_config_cache: join(home, '.npm'),
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    }),
    close: () => server.close(),
  };
}
