import { ENDPOINTS, type Endpoint } from '@coinslot/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { find } from './browser/search.js';
import { highlight } from './highlight.ts';
import { buildSite, LOST, SERVED_URL, type Site } from './site.ts';

let site: Site;

/** The first line under the title, such as "For operators. An hour." */
const FOR_WHOM = /^# .+\n\nFor [^\n]+\. (?:An?|One|Two|Five|Ten|Fifteen|Twenty) (?:minutes?|hour|day)\b[^\n]*\.\n/m;

beforeAll(async () => {
  site = await buildSite(new URL('../../../', import.meta.url), '1.2.3');
});

function text(path: string): string {
  const file = site.get(path);
  if (!file) throw new Error(`${path} is not there`);
  return file.body.toString('utf8');
}
const typeOf = (path: string): string => site.get(path)?.type ?? '';
const isPage = (path: string): boolean => typeOf(path).startsWith('text/html');

/** Everything a reader can reach from the first page. */
function crawl(): Map<string, string> {
  const pages = new Map<string, string>();
  const waiting = ['/docs'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    expect(site.has(path), path).toBe(true);
    const html = isPage(path) ? text(path) : '';
    pages.set(path, html);
    for (const [, link = ''] of html.matchAll(/(?:href|src)="(\/(?:docs|llms)[^"#?]*)/g)) waiting.push(link);
  }
  return pages;
}

describe('the documentation', () => {
  it('has no link that leads nowhere, and no anchor that is missing', () => {
    const pages = crawl();
    expect([...pages.keys()].filter(path => path.startsWith('/docs/guides/')).length).toBeGreaterThan(8);
    for (const [path, html] of pages) {
      for (const [, target = '', anchor = ''] of html.matchAll(/<a href="([^"#]*)#([^"]+)"/g)) {
        if (target.startsWith('http')) continue;
        const there = target === '' ? html : (pages.get(target) ?? '');
        expect(there.includes(`id="${anchor}"`), `${path} → ${target}#${anchor}`).toBe(true);
      }
    }
  });

  it('shows guides, calls, errors, events and settings', () => {
    expect(text('/docs/guides/first-order')).toContain('<h1>First order</h1>');
    expect(text('/docs/reference/api')).toContain('id="create-an-order"');
    expect(text('/docs/reference/errors')).toContain('id="price_unknown"');
    expect(text('/docs/reference/events')).toContain('item.add');
    expect(text('/docs/reference/configuration')).toContain('MASTER_KEY');
  });

  it('has a page for each call: in five languages, with its answer, its errors and a console', () => {
    for (const { name, method, path, summary, response } of Object.values<Endpoint>(ENDPOINTS)) {
      const html = text(`/docs/reference/calls/${name.replaceAll('_', '-')}`);
      expect(html).toContain(`<h1>${summary}</h1>`);
      expect(html).toContain(`<code>${method} ${path}</code>`);
      const isStream = response.status === 101;
      const languages = [...html.matchAll(/data-tab="([^"]+)"/g)].map(([, language]) => language);
      expect(languages).toEqual(isStream ? [] : ['curl', 'Node', 'Python', 'Go', 'C#']);
      expect(html.includes(`<form class="try" data-method="${method}" data-path="${path}"`)).toBe(!isStream);
      expect(html).toContain('href="/docs/reference/errors#unauthorized"');
    }
  });

  it('sends a form of the console nowhere by itself, and gives its fields no name to be sent under', () => {
    const [form = ''] = /<form class="try".*?<\/form>/s.exec(text('/docs/reference/calls/create-order')) ?? [];
    expect(form).toContain('data-key');
    expect(form).not.toMatch(/ (?:name|action|method)="/);
  });

  it('folds the calls in the list of pages, but for those beside the open one', () => {
    const html = text('/docs/reference/calls/get-item');
    const open = [...html.matchAll(/<details class="fold" open><summary>([^<]+)/g)].map(([, title]) => title);
    expect(open).toEqual(['Calls: Items']);
    expect(text('/docs')).not.toContain('<details class="fold" open>');
  });

  it('says which page is open, and what comes before and after', () => {
    const html = text('/docs/guides/webhook-receiver');
    expect(html).toContain('href="/docs/guides/webhook-receiver" aria-current="page"');
    expect(html).toMatch(/<a href="\/docs\/guides\/first-order">← First order<\/a>/);
  });

  it('marks commands that no test runs', () => {
    expect(text('/docs/deployment')).toMatch(
      /Not run by our tests<\/b><\/span><\/div><pre[^>]*><code[^>]*>[\s\S]*?compose up/,
    );
  });

  it('has a page for what is not there', () => {
    expect(text(LOST)).toContain('No such page');
  });

  it('has no foreign and no inline code, as its policy asks', () => {
    const html = text('/docs');
    expect(html).not.toMatch(/<script(?! src)|<style| style="| on\w+="/);
    expect([...html.matchAll(/(?:src|href)="https?:/g)]).toEqual([]);
  });
});

describe('the same for machines', () => {
  it('every page is there as Markdown, and its links work there too', () => {
    expect(typeOf('/docs/guides/errors.md')).toContain('text/markdown');
    const body = text('/docs/guides/errors.md');
    expect(body).toMatch(/^# Handle errors/);
    for (const [, link = ''] of body.matchAll(/\]\((\/docs[^)#]*)/g)) expect(site.has(link), link).toBe(true);
  });

  it('llms.txt has absolute links to Markdown and to the machine-readable files', () => {
    const body = text('/llms.txt');
    expect(body).toContain(`${SERVED_URL}/docs/guides/first-order.md`);
    const links = [...body.matchAll(/\((https:[^)]+)\)/g)].map(([, link = '']) => link.slice(SERVED_URL.length));
    expect(links.length).toBeGreaterThan(12);
    for (const link of links) {
      const isLater = link === '/docs/guides/go-live.md' && !site.has('/docs/guides/go-live');
      if (!isLater) expect(site.has(link), link).toBe(true);
    }
  });

  it('llms-full.txt is every page in one, with absolute links', () => {
    const body = text('/llms-full.txt');
    for (const title of ['# First order', '# Handle errors', '# Receive webhooks'])
      expect(body).toContain(`\n${title}\n`);
    expect(body).toContain('POST /s2s/v1/orders');
    expect(body).toContain(`](${SERVED_URL}/docs/guides/webhook-receiver.md)`);
    const relative = [...body.matchAll(/\]\(((?!https?:|#|mailto:)[^)]*\.md)/g)].map(([, link = '']) => link);
    // What is not served keeps the link that it has in the repository.
    expect(relative.filter(link => /guides|reference|receivers/.test(link))).toEqual([]);
  });

  it.each(['openapi.json', 'postman.json', 'event-schemas.json', 'signature-vectors.json'])('%s is there', name => {
    expect(typeOf(`/docs/reference/${name}`)).toContain('application/json');
    expect(JSON.parse(text(`/docs/reference/${name}`))).toBeTypeOf('object');
  });

  it('what a reader pastes leaves room for the address of the server that it is read from', () => {
    expect(text('/docs/guides/first-order.md')).toContain(`COINSLOT=${SERVED_URL}`);
    expect(text('/docs/guides/first-order')).not.toContain('localhost:4242');
    expect(text('/docs/reference/postman.json')).toContain(`"value": "${SERVED_URL}"`);
    expect(text('/docs/reference/openapi.json')).toContain(`"default": "${SERVED_URL}"`);
  });

  it('the search finds a call by its name', () => {
    const index = JSON.parse(text('/docs/search.json')) as { page: string; heading: string; url: string }[];
    const found = index.find(({ page, heading }) => page === 'Advance time' && heading === '');
    expect(found?.url).toBe('/docs/reference/calls/advance-order');
  });

  it.each([
    ['godot', '/docs/engines/godot'],
    ['unity', '/docs/engines/unity'],
    ['tax', '/docs/guides/'],
    ['idempotency', '/docs/'],
  ])('the search finds “%s”', (query, url) => {
    const found = find(JSON.parse(text('/docs/search.json')), query) as { url: string; page: string }[];
    expect(found.map(one => one.url)).toContainEqual(expect.stringContaining(url));
  });

  it('every page says who it is for and how long it takes', () => {
    const pages = [...site.keys()].filter(path => path.endsWith('.md'));
    expect(pages.length).toBeGreaterThan(60);
    const silent = pages.filter(path => !FOR_WHOM.test(text(path)));
    expect(silent).toEqual([]);
  });

  it('llms-full.txt has every page that llms.txt or the navigation names', () => {
    const whole = text('/llms-full.txt');
    const pages = [...site.keys()].filter(path => path.endsWith('.md'));
    const missing = pages.filter(path => !whole.includes(/^# .+$/m.exec(text(path))?.[0] ?? 'no title'));
    expect(missing).toEqual([]);
  });

  it('the search knows every heading', () => {
    const index = JSON.parse(text('/docs/search.json')) as { heading: string; url: string }[];
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
