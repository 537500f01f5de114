import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { ENDPOINTS, type Endpoint } from '@coinslot/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../http/log.ts';
import { buildServer } from '../../http/server.ts';
import { mountDocs } from './docs-door.ts';
import { highlight } from './highlight.ts';

const publicUrl = 'https://pay.example.com';
const app = buildServer({ publicUrl, logger: createLogger('silent') });
let base = '';

beforeAll(async () => {
  mountDocs(app, { publicUrl, version: '1.2.3' });
  await app.listen({ port: 0, host: '127.0.0.1' });
  base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(base + path, { headers, redirect: 'manual' });
const text = async (path: string): Promise<string> => (await get(path)).text();

/** Everything a reader can reach from the first page. */
async function crawl(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const waiting = ['/docs'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const answer = await get(path);
    expect(answer.status, path).toBe(200);
    const isPage = answer.headers.get('content-type')?.startsWith('text/html');
    const body = await answer.text();
    pages.set(path, isPage ? body : '');
    if (!isPage) continue;
    for (const [, link = ''] of body.matchAll(/(?:href|src)="(\/(?:docs|llms)[^"#?]*)/g)) waiting.push(link);
  }
  return pages;
}

describe('the documentation', () => {
  it('has no link that leads nowhere, and no anchor that is missing', async () => {
    const pages = await crawl();
    expect([...pages.keys()].filter(path => path.startsWith('/docs/guides/')).length).toBeGreaterThan(8);
    for (const [path, html] of pages) {
      for (const [, target = '', anchor = ''] of html.matchAll(/<a href="([^"#]*)#([^"]+)"/g)) {
        if (target.startsWith('http')) continue;
        const there = target === '' ? html : (pages.get(target) ?? '');
        expect(there.includes(`id="${anchor}"`), `${path} → ${target}#${anchor}`).toBe(true);
      }
    }
  });

  it('shows guides, calls, errors, events and settings', async () => {
    expect(await text('/docs/guides/first-order')).toContain('<h1>First order</h1>');
    expect(await text('/docs/reference/api')).toContain('id="create-an-order"');
    expect(await text('/docs/reference/errors')).toContain('id="price_unknown"');
    expect(await text('/docs/reference/events')).toContain('item.add');
    expect(await text('/docs/reference/configuration')).toContain('MASTER_KEY');
  });

  it('has a page for each call: in five languages, with its answer, its errors and a console', async () => {
    for (const { name, method, path, summary, response } of Object.values<Endpoint>(ENDPOINTS)) {
      const html = await text(`/docs/reference/calls/${name.replaceAll('_', '-')}`);
      expect(html).toContain(`<h1>${summary}</h1>`);
      expect(html).toContain(`<code>${method} ${path}</code>`);
      const isStream = response.status === 101;
      const languages = [...html.matchAll(/data-tab="([^"]+)"/g)].map(([, language]) => language);
      expect(languages).toEqual(isStream ? [] : ['curl', 'Node', 'Python', 'Go', 'C#']);
      expect(html.includes(`<form class="try" data-method="${method}" data-path="${path}"`)).toBe(!isStream);
      expect(html).toContain('href="/docs/reference/errors#unauthorized"');
    }
  });

  it('sends a form of the console nowhere by itself, and gives its fields no name to be sent under', async () => {
    const answer = await get('/docs/reference/calls/create-order');
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'none'");
    const [form = ''] = /<form class="try".*?<\/form>/s.exec(await answer.text()) ?? [];
    expect(form).toContain('data-key');
    expect(form).not.toMatch(/ (?:name|action|method)="/);
  });

  it('folds the calls in the list of pages, but for those beside the open one', async () => {
    const html = await text('/docs/reference/calls/get-item');
    const open = [...html.matchAll(/<details class="fold" open><summary>([^<]+)/g)].map(([, title]) => title);
    expect(open).toEqual(['Calls: Items']);
    expect(await text('/docs')).not.toContain('<details class="fold" open>');
  });

  it('says which page is open, and what comes before and after', async () => {
    const html = await text('/docs/guides/webhook-receiver');
    expect(html).toContain('href="/docs/guides/webhook-receiver" aria-current="page"');
    expect(html).toMatch(/<a href="\/docs\/guides\/first-order">← First order<\/a>/);
  });

  it('marks commands that no test runs', async () => {
    expect(await text('/docs/deployment')).toMatch(
      /Not run by our tests<\/b><\/span><\/div><pre[^>]*><code[^>]*>[\s\S]*?compose up/,
    );
  });

  it('is under a policy that allows no foreign and no inline code', async () => {
    const answer = await get('/docs');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const html = await answer.text();
    expect(html).not.toMatch(/<script(?! src)|<style| style="| on\w+="/);
    expect([...html.matchAll(/(?:src|href)="https?:/g)]).toEqual([]);
  });

  it('is packed, and sent once while it stays the same', async () => {
    const answer = await app.inject({ url: '/docs/reference/api', headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(answer.rawPayload).toString()).toContain('<h1>API reference</h1>');
    const again = await get('/docs/reference/api', { 'if-none-match': String(answer.headers.etag) });
    expect(again.status).toBe(304);
  });

  it('answers an unknown page with a page, and a slash at the end with the page without', async () => {
    const lost = await get('/docs/guides/nothing');
    expect([lost.status, await lost.text()]).toEqual([404, expect.stringContaining('No such page')]);
    const slash = await get('/docs/');
    expect([slash.status, slash.headers.get('location')]).toEqual([301, '/docs']);
    for (const path of ['/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/guides/..%2f..%2fpackage.json']) {
      expect((await get(path)).status).toBe(404);
    }
  });
});

describe('the same for machines', () => {
  it('every page is there as Markdown, and its links work there too', async () => {
    const markdown = await get('/docs/guides/errors.md');
    expect(markdown.headers.get('content-type')).toContain('text/markdown');
    const body = await markdown.text();
    expect(body).toMatch(/^# Handle errors/);
    for (const [, link = ''] of body.matchAll(/\]\((\/docs[^)#]*)/g)) expect((await get(link)).status, link).toBe(200);
  });

  it('llms.txt has absolute links to Markdown and to the machine-readable files', async () => {
    const body = await text('/llms.txt');
    expect(body).toContain(`${publicUrl}/docs/guides/first-order.md`);
    const links = [...body.matchAll(/\((https:[^)]+)\)/g)].map(([, link = '']) => link.slice(publicUrl.length));
    expect(links.length).toBeGreaterThan(12);
    for (const link of links) {
      const isLater = link === '/docs/guides/go-live.md' && (await get('/docs/guides/go-live')).status === 404;
      if (!isLater) expect((await get(link)).status, link).toBe(200);
    }
  });

  it('llms-full.txt is every page in one, with absolute links', async () => {
    const body = await text('/llms-full.txt');
    for (const title of ['# First order', '# Handle errors', '# Receive webhooks'])
      expect(body).toContain(`\n${title}\n`);
    expect(body).toContain('POST /s2s/v1/orders');
    expect(body).toContain(`](${publicUrl}/docs/guides/webhook-receiver.md)`);
    const relative = [...body.matchAll(/\]\(((?!https?:|#|mailto:)[^)]*\.md)/g)].map(([, link = '']) => link);
    // What is not served keeps the link that it has in the repository.
    expect(relative.filter(link => /guides|reference|receivers/.test(link))).toEqual([]);
  });

  it.each(['openapi.json', 'postman.json', 'event-schemas.json', 'signature-vectors.json'])(
    '%s is served',
    async name => {
      const answer = await get(`/docs/reference/${name}`);
      expect(answer.headers.get('content-type')).toContain('application/json');
      expect(await answer.json()).toBeTypeOf('object');
    },
  );

  it('what a reader pastes names the server it was read from', async () => {
    expect(await text('/docs/guides/first-order.md')).toContain(`COINSLOT=${publicUrl}`);
    expect(await text('/docs/guides/first-order')).not.toContain('localhost:4242');
    expect(await text('/docs/reference/postman.json')).toContain(`"value": "${publicUrl}"`);
    expect(await text('/docs/reference/openapi.json')).toContain(`"url": "${publicUrl}"`);
  });

  it('the search finds a call by its name', async () => {
    const index = (await (await get('/docs/search.json')).json()) as { page: string; heading: string; url: string }[];
    const found = index.find(({ page, heading }) => page === 'Travel in time' && heading === '');
    expect(found?.url).toBe('/docs/reference/calls/advance-order');
  });

  it('the search knows every heading', async () => {
    const index = (await (await get('/docs/search.json')).json()) as { heading: string; url: string }[];
    const found = index.find(({ heading }) => heading === 'Retry without duplicates');
    expect(found?.url).toBe('/docs/guides/errors#retry-without-duplicates');
  });
});

it('colors never let markup of the code through', () => {
  const html = highlight(`const a = "<script>"; // <b> & 'x'`, 'js');
  expect(html).not.toMatch(/<(?!\/?span)/);
  expect(html).toContain('&lt;script&gt;');
  expect(highlight('<x>', 'unknown')).toBe('&lt;x&gt;');
});
