import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../http/log.ts';
import { buildServer } from '../../http/server.ts';
import { APP_HEADERS, serveApp } from './serve-app.ts';

let dist: string;
let app: FastifyInstance;

beforeAll(async () => {
  dist = `${mkdtempSync(join(tmpdir(), 'coinslot-dist-'))}/`;
  mkdirSync(`${dist}assets`);
  mkdirSync(`${dist}.vite`);
  writeFileSync(`${dist}.vite/manifest.json`, '{"name":"notes"}');
  writeFileSync(`${dist}index.html`, '<!doctype html><title>app</title>');
  writeFileSync(`${dist}assets/app-1a2b3c.js`, 'plain');
  writeFileSync(`${dist}assets/app-1a2b3c.js.br`, 'packed');
  app = serverOf(dist);
  await app.ready();
});

afterAll(async () => {
  await app?.close();
  rmSync(dist, { recursive: true, force: true });
});

function serverOf(folder: string): FastifyInstance {
  const server = buildServer({ publicUrl: 'http://localhost:1', logger: createLogger('silent') });
  serveApp(server, folder);
  return server;
}

const get = (url: string, headers = {}) => app.inject({ method: 'GET', url, headers });

test.each([
  '/dashboard/',
  '/dashboard/index.html',
  '/dashboard/games/game_1/live/transactions?status=paid',
  '/dashboard/a.b',
])('%s is the page, fresh each time and with every guard', async url => {
  const { statusCode, body, headers } = await get(url);
  expect({ statusCode, body }).toEqual({ statusCode: 200, body: '<!doctype html><title>app</title>' });
  expect(headers).toMatchObject({ ...APP_HEADERS, 'cache-control': 'no-cache' });
  expect(headers['content-security-policy']).not.toContain('unsafe');
});

test('the page may run what the build wrote into it, and nothing else', async () => {
  const inlined = `${mkdtempSync(join(tmpdir(), 'coinslot-dist-'))}/`;
  const page = (script: string) =>
    `<!doctype html><style>b{}</style><script>${script}</script><script type="x"></script>`;
  writeFileSync(`${inlined}index.html`, page('first()'));
  const server = serverOf(inlined);
  const policy = async () =>
    String((await server.inject({ method: 'GET', url: '/dashboard/' })).headers['content-security-policy']);
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const first = await policy();
  expect(first).toContain(`script-src 'self' ${hash('first()')};`);
  expect(first).toContain(`style-src 'self' ${hash('b{}')};`);
  writeFileSync(`${inlined}index.html`, page('second()'));
  utimesSync(`${inlined}index.html`, 1, 1);
  expect(await policy()).toContain(`script-src 'self' ${hash('second()')};`);
  await server.close();
  rmSync(inlined, { recursive: true, force: true });
});

test('a file named after its content is kept for a year, packed for who can unpack it', async () => {
  const plain = await get('/dashboard/assets/app-1a2b3c.js');
  const packed = await get('/dashboard/assets/app-1a2b3c.js', { 'accept-encoding': 'gzip, br' });
  expect(plain.body).toBe('plain');
  expect(packed.body).toBe('packed');
  expect(packed.headers).toMatchObject({
    'content-encoding': 'br',
    vary: 'accept-encoding',
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
});

test.each(['/dashboard/assets/gone.js', '/dashboard/api', '/dashboard/api/nothing'])('%s is not there', async url => {
  expect((await get(url)).statusCode).toBe(404);
});

test.each([
  '/dashboard/..%2f..%2fpackage.json',
  '/dashboard/assets/..%2f..%2f..%2fetc/passwd',
  '/dashboard/.env',
  '/dashboard/.vite/manifest.json',
])('%s shows nothing from outside', async url => {
  const { body } = await get(url);
  expect(body).not.toContain('root:');
  expect(body).not.toContain('"name"');
});

test('the front door leads to the dashboard', async () => {
  expect((await get('/')).headers.location).toBe('/dashboard/');
  expect((await get('/dashboard')).headers.location).toBe('/dashboard/');
});

test('without a build it says what to do', async () => {
  const bare = serverOf(`${dist}nothing/`);
  const { statusCode, body } = await bare.inject({ method: 'GET', url: '/dashboard/' });
  await bare.close();
  expect(statusCode).toBe(503);
  expect(body).toContain('npm start');
});
