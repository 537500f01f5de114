import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../http/log.ts';
import { buildServer } from '../../http/server.ts';
import { mountDocs } from './docs-door.ts';

const publicUrl = 'https://pay.example.com';
const servedUrl = 'https://coinslot.invalid';
const HTML = 'text/html; charset=utf-8';
const FILES: Readonly<Record<string, { file: string; type: string; content: string }>> = {
  '/docs': { file: 'docs.html', type: HTML, content: '<h1>Guides</h1>' },
  '/docs/guides/errors': { file: 'docs/guides/errors.html', type: HTML, content: '<h1>Handle errors</h1>' },
  '/docs/guides/errors.md': {
    file: 'docs/guides/errors.md',
    type: 'text/markdown; charset=utf-8',
    content: `curl ${servedUrl}/s2s/v1/orders`,
  },
  '/docs/assets/docs.css': { file: 'docs/assets/docs.css', type: 'text/css; charset=utf-8', content: 'p {}' },
  '/llms.txt': { file: 'llms.txt', type: 'text/plain; charset=utf-8', content: `[Errors](${servedUrl}/docs/e.md)` },
  '/404': { file: '404.html', type: HTML, content: '<h1>No such page</h1>' },
};

const folder = mkdtempSync(join(tmpdir(), 'coinslot-docs-'));
const root = pathToFileURL(`${folder}/`);
const app = buildServer({ publicUrl, logger: createLogger('silent') });
const unbuilt = buildServer({ publicUrl, logger: createLogger('silent') });

beforeAll(() => {
  const files = Object.entries(FILES).map(([url, { file, type, content }]) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
    return [url, { file, type, namesServer: content.includes(servedUrl) }];
  });
  writeFileSync(
    join(folder, 'site.json'),
    JSON.stringify({ servedUrl, lost: '/404', files: Object.fromEntries(files) }),
  );
  writeFileSync(join(folder, 'docs/secret.html'), 'is on no list');
  mountDocs(app, { publicUrl, root });
  mountDocs(unbuilt, { publicUrl, root: new URL('nothing/', root) });
});
afterAll(async () => {
  await Promise.all([app.close(), unbuilt.close()]);
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

describe('the documentation', () => {
  it.each(Object.keys(FILES).filter(url => url !== '/404'))('%s is served as it was built', async url => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe(FILES[url]?.type);
    expect(answer.body).toBe(FILES[url]?.content.replace(servedUrl, publicUrl));
  });

  it('names the server that it is read from', async () => {
    expect((await get('/docs/guides/errors.md')).body).toBe(`curl ${publicUrl}/s2s/v1/orders`);
    expect((await get('/llms.txt')).body).toContain(`${publicUrl}/docs/e.md`);
  });

  it('is under a policy that allows no foreign and no inline code, and sends no form', async () => {
    const policy = String((await get('/docs')).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('is packed, and sent once while it stays the same', async () => {
    const answer = await get('/docs/guides/errors', { 'accept-encoding': 'gzip' });
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(answer.rawPayload).toString()).toContain('<h1>Handle errors</h1>');
    const again = await get('/docs/guides/errors', { 'if-none-match': String(answer.headers.etag) });
    expect(again.statusCode).toBe(304);
  });

  it('lets browsers keep what is named by its content for a year, and all else for a minute', async () => {
    const { etag } = (await get('/docs/assets/docs.css')).headers;
    expect((await get(`/docs/assets/docs.css?v=${String(etag).slice(1, 9)}`)).headers['cache-control']).toContain(
      'immutable',
    );
    expect((await get('/docs/assets/docs.css')).headers['cache-control']).toBe('public, max-age=60');
  });

  it.each(['/docs/assets/docs.css?v=12345678', '/docs/assets/docs.css?v=', '/docs/assets/nothing.js?v=12345678'])(
    'lets no cache keep %s as what another version has there (row 277)',
    async url => {
      expect((await get(url)).headers['cache-control']).toBe('public, max-age=60');
    },
  );

  it.each(['/docs/%0d%0aSet-Cookie:a/', '/docs/%C4%80/', '/docs/%00/'])(
    '%s is an address like any other (row 276)',
    async url => {
      const answer = await get(url);
      expect([answer.statusCode, answer.headers.location]).toEqual([301, url.slice(0, -1).replace('%0d%0a', '%0D%0A')]);
    },
  );

  it('answers an unknown page with a page, and a slash at the end with the page without', async () => {
    const lost = await get('/docs/guides/nothing');
    expect([lost.statusCode, lost.body]).toEqual([404, expect.stringContaining('No such page')]);
    const slash = await get('/docs/');
    expect([slash.statusCode, slash.headers.location]).toEqual([301, '/docs']);
  });

  it.each([
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/guides/..%2f..%2fpackage.json',
    '/docs/secret',
    '/docs/secret.html',
    '/docs/guides/errors.html',
    '/docs/constructor',
    '/docs/site.json',
  ])('%s is on no list, so it is not served', async url => {
    expect((await get(url)).statusCode).toBe(404);
  });

  it('that is not built says how to build it', async () => {
    const answer = await unbuilt.inject({ url: '/docs' });
    expect([answer.statusCode, answer.body]).toEqual([503, expect.stringContaining('npm start')]);
  });
});
