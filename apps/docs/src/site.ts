import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENDPOINTS, type Endpoint } from '@coinslot/contract';
import { rolldown } from 'rolldown';
import { type RenderedMarkdown, renderMarkdown } from './markdown.ts';
import { type DocsFrame, type NavSection, renderDocsPage } from './page.ts';
import { DOCS_STYLE } from './style.ts';
import { hasConsole, renderConsole } from './try-it.ts';

export interface SiteFile {
  type: string;
  body: Buffer;
}

/** By path, as a browser asks for it. */
export type Site = ReadonlyMap<string, SiteFile>;

/** The page for a path that leads nowhere. */
export const LOST = '/404';

/** The server writes its own address in place of this one, which no server has. */
export const SERVED_URL = 'https://coinslot.invalid';

interface Source {
  /** From the root of the repository. */
  file: string;
  url: string;
  title: string;
  section: string;
  /** The call that the page is about. */
  call?: Endpoint;
}

const INDEX = 'docs/guides/README.md';
const REFERENCE = [
  ['API', 'api'],
  ['Events', 'events'],
  ['Statuses', 'statuses'],
  ['Errors', 'errors'],
  ['Configuration', 'configuration'],
] as const;
const CALLS = 'docs/reference/calls';
const RECEIVERS = 'examples/receivers';
const KIT = [
  ['SDK', 'packages/sdk/README.md', '/docs/sdk'],
  ['Python', 'packages/python/README.md', '/docs/python'],
  ['Go', 'packages/go/README.md', '/docs/go'],
  ['C#', 'packages/csharp/README.md', '/docs/csharp'],
  ['Command line', 'packages/cli/README.md', '/docs/cli'],
  ['Receivers in other languages', `${RECEIVERS}/README.md`, '/docs/receivers'],
  ['Engines', 'engines/README.md', '/docs/engines'],
  ['Godot 4', 'engines/godot/README.md', '/docs/engines/godot'],
  ['Godot 3', 'engines/godot3/README.md', '/docs/engines/godot3'],
  ['Unity', 'engines/unity/README.md', '/docs/engines/unity'],
  ['Unreal', 'engines/unreal/README.md', '/docs/engines/unreal'],
] as const;
const OPERATIONS = { file: 'ops/README.md', url: '/docs/deployment', title: 'Deployment files', section: 'Operations' };
const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
};
const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const SEARCHED_CHARACTERS = 600;

const fileOf = (type: string, content: string | Buffer): SiteFile => ({ type, body: Buffer.from(content) });

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** The table in the index says which guides there are, and in which order. */
function listSources(index: string): Source[] {
  const guides = [...index.matchAll(/^\| \[(.+?)\]\(([\w-]+)\.md\) \|/gm)].map(([, title = '', name = '']) => ({
    file: `docs/guides/${name}.md`,
    url: `/docs/guides/${name}`,
    title,
    section: 'Guides',
  }));
  return [
    { file: INDEX, url: '/docs', title: 'Overview', section: 'Guides' },
    ...guides,
    ...KIT.map(([title, file, url]) => ({ file, url, title, section: 'Developer kit' })),
    OPERATIONS,
    ...REFERENCE.map(([title, name]) => ({
      file: `docs/reference/${name}.md`,
      url: `/docs/reference/${name}`,
      title,
      section: 'Reference',
    })),
    ...Object.values<Endpoint>(ENDPOINTS).map(call => {
      const name = call.name.replaceAll('_', '-');
      const place = { file: `${CALLS}/${name}.md`, url: `/${CALLS}/${name}` };
      return { ...place, title: call.summary, section: `Calls: ${call.tag}`, call };
    }),
  ];
}

const markdownUrlOf = ({ url, file }: Source): string => (file === INDEX ? '/docs/guides/README.md' : `${url}.md`);

/** Where a link in a file leads on the site; null when it leads to what is not served. */
function linkResolver(sources: Source[], assets: ReadonlyMap<string, string>, pageUrl: (source: Source) => string) {
  const byFile = new Map(sources.map(source => [source.file, source]));
  return (file: string) =>
    (href: string): string | null => {
      if (/^(?:[a-z]+:|#)/.test(href)) return href;
      const [path = '', anchor] = href.split('#');
      const target = posix.join(posix.dirname(file), path);
      const source = byFile.get(target);
      const hash = anchor === undefined ? '' : `#${anchor}`;
      if (source) return pageUrl(source) + hash;
      return assets.get(target) ?? null;
    };
}

function navOf(sources: Source[]): NavSection[] {
  const titles = [...new Set(sources.map(({ section }) => section))];
  return titles.map(title => {
    const entries = sources.filter(({ section }) => section === title);
    return { title, entries, isFolded: entries.every(({ call }) => call !== undefined) };
  });
}

function searchIndex(pages: { source: Source; rendered: RenderedMarkdown }[]): string {
  return JSON.stringify(
    pages.flatMap(({ source, rendered }) =>
      rendered.sections.map(({ heading, text }) => ({
        page: source.file === INDEX ? 'Guides' : rendered.title,
        heading: heading?.text ?? '',
        url: heading ? `${source.url}#${heading.anchor}` : source.url,
        text: text.trim().slice(0, SEARCHED_CHARACTERS),
      })),
    ),
  );
}

const namesIn = async (folder: URL): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter(entry => entry.isFile());
  return files.map(({ parentPath, name }) =>
    relative(fileURLToPath(folder), join(parentPath, name)).replaceAll(sep, '/'),
  );
};

/** What pages link to or show: pictures, the files for machines, and the receivers as text. */
async function listAssets(root: URL): Promise<{ file: string; url: string; type: string }[]> {
  const documents = (await namesIn(new URL('docs/', root))).flatMap(name => {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    return type ? [{ file: `docs/${name}`, url: `/docs/${name}`, type }] : [];
  });
  const receivers = (await namesIn(new URL(`${RECEIVERS}/`, root)))
    .filter(name => name.includes('/'))
    .map(name => ({ file: `${RECEIVERS}/${name}`, url: `/docs/receivers/${name}`, type: TYPES.txt! }));
  return [...documents, ...receivers];
}

const rewriteLinks = (text: string, resolve: (href: string) => string | null): string =>
  text.replace(/\]\(([^)\s]+)\)/g, (whole, href: string) => {
    const target = resolve(href);
    return target === null ? whole : `](${target})`;
  });

const DEVELOPERS_URL = 'http://localhost:4242';

/** Code that a reader pastes names the server that it was read from. What is said about the default stays. */
const withServedUrl = (text: string): string =>
  text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, block => block.replaceAll(DEVELOPERS_URL, SERVED_URL));

/** What a reader can send from the page itself stands at its end. */
function withConsole(page: RenderedMarkdown, { call }: Source): RenderedMarkdown {
  if (call === undefined || !hasConsole(call)) return page;
  const heading = { depth: 2, text: 'Try it', anchor: 'try-it' };
  return { ...page, html: page.html + renderConsole(call), headings: [...page.headings, heading] };
}

/** One file, so that a page asks for it once and gets its colors before it is drawn. */
async function bundleScript(): Promise<string> {
  const build = await rolldown({ input: fileURLToPath(new URL('browser/main.js', import.meta.url)) });
  const { output } = await build.generate({ format: 'iife' });
  await build.close();
  return output[0].code;
}

/** Everything at /docs. The root is that of the repository, with a slash at the end. */
export async function buildSite(root: URL, version: string): Promise<Site> {
  const site = new Map<string, SiteFile>();
  const texts = new Map<string, string>();
  const sources = listSources(await readFile(new URL(INDEX, root), 'utf8'));
  for (const { file } of sources) texts.set(file, withServedUrl(await readFile(new URL(file, root), 'utf8')));

  const assets = new Map<string, string>();
  for (const { file, url, type } of await listAssets(root)) {
    assets.set(file, url);
    const content = await readFile(new URL(file, root));
    const isJson = type === TYPES.json;
    site.set(url, fileOf(type, isJson ? content.toString('utf8').replaceAll(DEVELOPERS_URL, SERVED_URL) : content));
  }

  const script = await bundleScript();
  site.set('/docs/assets/docs.css', fileOf('text/css; charset=utf-8', DOCS_STYLE));
  site.set('/docs/assets/docs.js', fileOf('text/javascript; charset=utf-8', script));
  const frame: DocsFrame = {
    nav: navOf(sources),
    styleUrl: `/docs/assets/docs.css?v=${hashOf(DOCS_STYLE)}`,
    scriptUrl: `/docs/assets/docs.js?v=${hashOf(script)}`,
    version,
  };

  const linkOnPage = linkResolver(sources, assets, ({ url }) => url);
  const linkInFile = linkResolver(sources, assets, markdownUrlOf);
  const pages = sources.map(source => ({
    source,
    rendered: renderMarkdown(texts.get(source.file)!, linkOnPage(source.file)),
  }));
  for (const { source, rendered } of pages) {
    const markdownUrl = markdownUrlOf(source);
    const page = { ...withConsole(rendered, source), url: source.url, markdownUrl };
    site.set(source.url, fileOf(HTML, renderDocsPage(page, frame)));
    site.set(markdownUrl, fileOf(MARKDOWN, rewriteLinks(texts.get(source.file)!, linkInFile(source.file))));
  }
  const absoluteIn = (file: string, href: string): string | null => {
    const path = linkInFile(file)(href);
    return path?.startsWith('/') ? SERVED_URL + path : path;
  };
  const absolute = (href: string): string | null => absoluteIn('docs/reference/llms.txt', href);
  const llms = await readFile(new URL('docs/reference/llms.txt', root), 'utf8');
  site.set('/llms.txt', fileOf(TYPES.txt!, rewriteLinks(llms, absolute)));
  const whole = sources.map(({ file }) => rewriteLinks(texts.get(file)!, href => absoluteIn(file, href)));
  site.set('/llms-full.txt', fileOf(TYPES.txt!, `${whole.join('\n\n---\n\n')}\n`));
  site.set('/docs/search.json', fileOf(TYPES.json!, searchIndex(pages)));
  const lost = { title: 'No such page', url: '', markdownUrl: null, headings: [] };
  const html = '<h1>No such page</h1><p>It may have moved. Look for it in the list, or search.</p>';
  site.set(LOST, fileOf(HTML, renderDocsPage({ ...lost, html }, frame)));
  return site;
}
