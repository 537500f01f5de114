import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { validRange } from 'semver';
import { describe, expect, it } from 'vitest';
import { type Advisory, type AdvisoryFile, hitsOf, installedIn, type LockFile, refresh } from './advisories.ts';

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const lock: LockFile = read('../../package-lock.json');
const known: AdvisoryFile = read('advisories.json');

const advisory = (name: string, vulnerable: string): Advisory => ({
  id: 'GHSA-test-test-test',
  package: name,
  vulnerable,
  severity: 'high',
  title: 'Planted',
});
const fileWith = (...advisories: Advisory[]): AdvisoryFile => ({ date: '2026-01-01', source: 'test', advisories });
const lockWith = (packages: LockFile['packages']): LockFile => ({ packages });

describe('the lock file against published advisories', () => {
  it('has no package that one of them names', () => {
    expect(hitsOf(lock, known).map(({ name, version, advisory: { id } }) => `${name} ${version} ${id}`)).toEqual([]);
  });

  it('is found out when a vulnerable version is planted in it, wherever it hides', () => {
    const planted = lockWith({
      ...lock.packages,
      'node_modules/pg/node_modules/@fastify/static': { version: '9.3.0' },
      'node_modules/renamed': { name: 'ws', version: '8.20.0' },
    });
    expect(hitsOf(planted, known).map(({ path, advisory: { id } }) => `${path} ${id}`)).toEqual([
      'node_modules/pg/node_modules/@fastify/static GHSA-423g-23ch-w7c6',
      'node_modules/pg/node_modules/@fastify/static GHSA-83w8-p2f5-377r',
      'node_modules/pg/node_modules/@fastify/static GHSA-8pvw-jcv7-9cmj',
      'node_modules/renamed GHSA-58qx-3vcg-4xpx',
      'node_modules/renamed GHSA-96hv-2xvq-fx4p',
    ]);
  });

  it('an advisory about versions before and after is none, and a prerelease of a vulnerable one is', () => {
    const at = (version: string) =>
      hitsOf(lockWith({ 'node_modules/a': { version } }), fileWith(advisory('a', '>=1.0.0 <1.2.0 || >=2.0.0 <2.1.0')))
        .length;
    expect(['0.9.0', '1.2.0', '2.1.0', '3.0.0'].map(at)).toEqual([0, 0, 0, 0]);
    expect(['1.0.0', '1.1.9', '2.0.5', '2.1.0-rc.1'].map(at)).toEqual([1, 1, 1, 1]);
  });

  it('our own packages are not downloaded, so they are not looked up', () => {
    const own = lockWith({
      '': { version: '1.0.0' },
      'packages/sdk': { version: '1.0.0' },
      'node_modules/a': { link: true },
    });
    expect(installedIn(own)).toEqual([]);
    expect(installedIn(lock).length).toBeGreaterThan(300);
  });

  it('has ranges that can be read, a date, and only packages that are installed', () => {
    expect(known.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(known.advisories.filter(({ vulnerable }) => validRange(vulnerable) === null)).toEqual([]);
    const names = new Set(installedIn(lock).map(({ name }) => name));
    expect(known.advisories.filter(entry => !names.has(entry.package))).toEqual([]);
  });
});

describe('a refresh', () => {
  it('takes every page, joins ranges, and leaves out what was withdrawn or is of other packages', async () => {
    const vulnerability = (name: string, range: string | null, ecosystem = 'npm') => ({
      package: { ecosystem, name },
      vulnerable_version_range: range,
    });
    const entry = (ghsa_id: string, vulnerabilities: object[], withdrawn_at: string | null = null) => ({
      ghsa_id,
      summary: 'Planted',
      severity: 'high',
      withdrawn_at,
      vulnerabilities,
    });
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url!);
      if (request.method === 'POST') {
        response.writeHead(405).end();
        return;
      }
      const isFirst = !request.url!.includes('after=');
      const first = [
        entry('GHSA-2', [
          vulnerability('a', '>= 1.0.0, < 1.2.0'),
          vulnerability('a', '< 0.5.0'),
          vulnerability('z', '< 9'),
        ]),
        entry('GHSA-3', [vulnerability('a', '< 9')], '2026-01-01'),
      ];
      const second = [entry('GHSA-1', [vulnerability('@b/c', '= 2.0.0'), vulnerability('a', '< 9', 'pip')])];
      const link = { link: `<http://127.0.0.1:${port}/advisories?after=1>; rel="next"` };
      response.writeHead(200, { 'content-type': 'application/json', ...(isFirst && link) });
      response.end(JSON.stringify(isFirst ? first : second));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const packages = { 'node_modules/a': { version: '1.1.0' }, 'node_modules/@b/c': { version: '2.0.0' } };
    const api = `http://127.0.0.1:${port}`;
    const made = await refresh({ api, registry: `${api}/` }, { packages }, fileWith(), '2026-02-03');
    server.close();
    expect(asked.find(path => path.startsWith('/advisories'))).toContain('affects=%40b%2Fc%2Ca');
    expect(made).toMatchObject({
      date: '2026-02-03',
      advisories: [
        { id: 'GHSA-1', package: '@b/c', vulnerable: '= 2.0.0' },
        { id: 'GHSA-2', package: 'a', vulnerable: '>= 1.0.0 < 1.2.0 || < 0.5.0' },
      ],
    });
    expect(hitsOf({ packages }, made).map(({ name }) => name)).toEqual(['a', '@b/c']);
  });

  it('takes what the package registry says of the installed versions, and keeps what was known of others', async () => {
    let sent: unknown;
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      if (request.method === 'GET') {
        response.writeHead(503).end();
        return;
      }
      let text = '';
      for await (const part of request) text += String(part);
      sent = JSON.parse(text);
      const url = 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc';
      const said = { url, title: 'Planted', severity: 'high', vulnerable_versions: '<1.2.0' };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ a: [said] }));
    };
    const server = createServer((request, response) => void answer(request, response));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const packages = { 'node_modules/a': { version: '1.1.0' }, 'node_modules/b/node_modules/a': { version: '0.9.0' } };
    const lockFile = { packages };
    const made = await refresh({ api: at, registry: `${at}/` }, lockFile, fileWith(advisory('b', '<1')), '2026-02-03');
    server.close();
    expect(sent).toEqual({ a: ['1.1.0', '0.9.0'] });
    expect(made).toMatchObject({
      date: '2026-02-03',
      source: 'the package registry',
      advisories: [
        { id: 'GHSA-aaaa-bbbb-cccc', package: 'a', vulnerable: '<1.2.0' },
        { id: 'GHSA-test-test-test', package: 'b' },
      ],
    });
    await expect(refresh({ api: at, registry: `${at}/` }, lockFile, fileWith(), '2026-02-03')).rejects.toThrow(
      'neither the package registry nor GitHub answered (connect ECONNREFUSED',
    );
  });
});
