import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ENDPOINTS, type Endpoint } from '@coinslot/contract';
import { type DocsFrame, type NavSection, renderDocsPage } from './docs-page.ts';
import { DOCS_SCRIPT } from './docs-script.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { createMarkdown, type RenderedMarkdown } from './markdown.ts';
import { hasConsole, renderConsole } from './try-it.ts';

export interface DocsFile {
  type: string;
  body: Buffer;
  packed: Buffer;
  etag: string;
}

/** By path, as a browser asks for it. */
export type DocsSite = ReadonlyMap<string, DocsFile>;

export interface DocsSiteOptions {
  /** Of the repository, with a slash at the end. */
  root: URL;
  publicUrl: string;
  version: string;
}

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
  ['Errors', 'errors'],
  ['Configuration', 'configuration'],
] as const;
const CALLS = 'docs/reference/calls';
const RECEIVERS = 'examples/receivers';
const KIT = [
  ['SDK', 'packages/sdk/README.md', '/docs/sdk'],
  ['Python', 'packages/python/README.md', '/docs/python'],
  ['Go', 'packages/go/README.md', '/docs/go'],
  ['Command line', 'packages/cli/README.md', '/docs/cli'],
  ['Receivers in other languages', `${RECEIVERS}/README.md`, '/docs/receivers'],
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

function fileOf(type: string, content: string | Buffer): DocsFile {
  const body = Buffer.from(content);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { type, body, packed: gzipSync(body, { level: 9 }), etag };
}

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
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
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
const withServedUrl = (text: string, publicUrl: string): string =>
  text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, block => block.replaceAll(DEVELOPERS_URL, publicUrl));

/** What a reader can send from the page itself stands at its end. */
function withConsole(page: RenderedMarkdown, { call }: Source): RenderedMarkdown {
  if (call === undefined || !hasConsole(call)) return page;
  const heading = { depth: 2, text: 'Try it', anchor: 'try-it' };
  return { ...page, html: page.html + renderConsole(call), headings: [...page.headings, heading] };
}

async function readIfThere(url: URL): Promise<string | null> {
  return readFile(url, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Everything at /docs, read and rendered once. Some hundred milliseconds, paid by the first request. */
export async function buildDocsSite({ root, publicUrl, version }: DocsSiteOptions): Promise<DocsSite> {
  const site = new Map<string, DocsFile>();
  const texts = new Map<string, string>();
  const listed = listSources((await readIfThere(new URL(INDEX, root))) ?? '');
  for (const { file } of listed) {
    const text = await readIfThere(new URL(file, root));
    if (text !== null) texts.set(file, withServedUrl(text, publicUrl));
  }
  const sources = listed.filter(({ file }) => texts.has(file));

  const assets = new Map<string, string>();
  for (const { file, url, type } of await listAssets(root)) {
    assets.set(file, url);
    const content = await readFile(new URL(file, root));
    const isJson = type === TYPES.json;
    site.set(url, fileOf(type, isJson ? content.toString('utf8').replaceAll(DEVELOPERS_URL, publicUrl) : content));
  }

  const style = fileOf('text/css; charset=utf-8', DOCS_STYLE);
  const script = fileOf('text/javascript; charset=utf-8', DOCS_SCRIPT);
  site.set('/docs/assets/docs.css', style).set('/docs/assets/docs.js', script);
  const frame: DocsFrame = {
    nav: navOf(sources),
    styleUrl: `/docs/assets/docs.css?v=${style.etag.slice(1, 9)}`,
    scriptUrl: `/docs/assets/docs.js?v=${script.etag.slice(1, 9)}`,
    version,
  };

  const render = await createMarkdown();
  const linkOnPage = linkResolver(sources, assets, ({ url }) => url);
  const linkInFile = linkResolver(sources, assets, markdownUrlOf);
  const pages = sources.map(source => ({ source, rendered: render(texts.get(source.file)!, linkOnPage(source.file)) }));
  for (const { source, rendered } of pages) {
    const markdownUrl = markdownUrlOf(source);
    const page = { ...withConsole(rendered, source), url: source.url, markdownUrl };
    site.set(source.url, fileOf(HTML, renderDocsPage(page, frame)));
    site.set(markdownUrl, fileOf(MARKDOWN, rewriteLinks(texts.get(source.file)!, linkInFile(source.file))));
  }
  const absoluteIn = (file: string, href: string): string | null => {
    const path = linkInFile(file)(href);
    return path?.startsWith('/') ? publicUrl + path : path;
  };
  const absolute = (href: string): string | null => absoluteIn('docs/reference/llms.txt', href);
  const llms = (await readIfThere(new URL('docs/reference/llms.txt', root))) ?? '';
  site.set('/llms.txt', fileOf(TYPES.txt!, rewriteLinks(llms, absolute)));
  const whole = sources.map(({ file }) => rewriteLinks(texts.get(file)!, href => absoluteIn(file, href)));
  site.set('/llms-full.txt', fileOf(TYPES.txt!, `${whole.join('\n\n---\n\n')}\n`));
  site.set('/docs/search.json', fileOf(TYPES.json!, searchIndex(pages)));
  const lost = { title: 'No such page', url: '', markdownUrl: null, headings: [] };
  const html = '<h1>No such page</h1><p>It may have moved. Look for it in the list, or search.</p>';
  site.set('404', fileOf(HTML, renderDocsPage({ ...lost, html }, frame)));
  return site;
}
