import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface DocsOptions {
  publicUrl: string;
  /** Where the built site is; that of apps/docs by default. */
  root?: URL;
}

/** What the build of the site wrote: no other file is served. */
interface SiteList {
  /** Stands in the files in place of this server's address. */
  servedUrl: string;
  /** The page for a path that leads nowhere. */
  lost: string;
  files: Readonly<Record<string, { file: string; type: string; namesServer: boolean }>>;
}

interface DocsFile {
  type: string;
  body: Buffer;
  packed: Buffer;
  etag: string;
}

/** The same number of steps from the source and from what is built of it. */
const SITE = new URL('../../../../docs/dist/', import.meta.url);

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'accept-encoding',
};

const pack = promisify(gzip);

/** Reads each file when a reader first asks for it, and keeps it: most processes never show one. */
function createReader(root: URL, publicUrl: string) {
  const kept = new Map<string, unknown>();
  const once = async <Read>(name: string, make: (content: Buffer) => Read | Promise<Read>): Promise<Read> => {
    if (!kept.has(name)) kept.set(name, await make(await readFile(new URL(name, root))));
    return kept.get(name) as Read;
  };
  return async (path: string): Promise<{ file: DocsFile; isLost: boolean }> => {
    const site = await once('site.json', content => JSON.parse(content.toString('utf8')) as SiteList);
    const isLost = !Object.hasOwn(site.files, path);
    const { file: name, type, namesServer } = site.files[isLost ? site.lost : path]!;
    const file = await once(name, async content => {
      const body = namesServer ? Buffer.from(content.toString('utf8').replaceAll(site.servedUrl, publicUrl)) : content;
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      return { type, body, packed: await pack(body, { level: 9 }), etag };
    });
    return { file, isLost };
  };
}

/** As the build writes it. */
const HASH_CHARS = 8;

/** The pages name an asset by its hash. What another version has under that name, or nothing, must not be kept as it (row 277). */
const isNamed = ({ etag }: DocsFile, query: unknown): boolean => {
  const { v } = query as { v?: unknown };
  return typeof v === 'string' && v.length === HASH_CHARS && etag.startsWith(`"${v}`);
};

const MISSING = `The documentation is not built.

Start with "npm start", which builds it, or run "node tools/prepare.mjs start" once.
`;

/** What developers read: guides and reference as pages, and the same files for machines. */
export function mountDocs(app: FastifyInstance, { publicUrl, root = SITE }: DocsOptions): void {
  const find = createReader(root, publicUrl);
  const send = async (path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const found = await find(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (!found) return reply.code(503).header('retry-after', '5').type('text/plain; charset=utf-8').send(MISSING);
    const { file, isLost } = found;
    reply
      .code(isLost ? 404 : 200)
      .headers(HEADERS)
      .header('etag', file.etag)
      .header(
        'cache-control',
        isNamed(file, request.query) ? 'public, max-age=31536000, immutable' : 'public, max-age=60',
      )
      .type(file.type);
    if (!isLost && request.headers['if-none-match'] === file.etag) return reply.code(304).send();
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    return takesGzip ? reply.header('content-encoding', 'gzip').send(file.packed) : reply.send(file.body);
  };
  for (const path of ['/docs', '/llms.txt', '/llms-full.txt']) {
    app.get(path, (request, reply) => send(path, request, reply));
  }
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const path = request.params['*'];
    if (path === '' || path.endsWith('/'))
      return reply.redirect(`/docs/${encodeURI(path)}`.replace(/(?<!\/)\/+$/, ''), 301);
    return send(`/docs/${path}`, request, reply);
  });
}
