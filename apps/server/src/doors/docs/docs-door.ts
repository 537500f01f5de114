import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { buildDocsSite, type DocsSite } from './docs-site.ts';

export interface DocsDeps {
  publicUrl: string;
  version: string;
  /** Where the files are; the repository's by default. */
  root?: URL;
}

/** The same number of steps from the source and from what is built of it. */
const ROOT = new URL('../../../../../', import.meta.url);

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

function send(site: DocsSite, path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const found = site.get(path);
  const file = found ?? site.get('404')!;
  const isHashed = path.startsWith('/docs/assets/') && request.url.includes('?v=');
  reply
    .code(found ? 200 : 404)
    .headers(HEADERS)
    .header('etag', file.etag)
    .header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=60')
    .type(file.type);
  if (found && request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  return takesGzip ? reply.header('content-encoding', 'gzip').send(file.packed) : reply.send(file.body);
}

/** What developers read: guides and reference as pages, and the same files for machines. */
export function mountDocs(app: FastifyInstance, { publicUrl, version, root = ROOT }: DocsDeps): void {
  let building: Promise<DocsSite> | undefined;
  const site = (): Promise<DocsSite> => {
    building ??= buildDocsSite({ root, publicUrl, version });
    return building;
  };
  app.get('/docs', async (request, reply) => send(await site(), '/docs', request, reply));
  app.get('/llms.txt', async (request, reply) => send(await site(), '/llms.txt', request, reply));
  app.get('/llms-full.txt', async (request, reply) => send(await site(), '/llms-full.txt', request, reply));
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const path = request.params['*'];
    if (path === '' || path.endsWith('/')) return reply.redirect(`/docs/${path}`.replace(/(?<!\/)\/+$/, ''), 301);
    return send(await site(), `/docs/${path}`, request, reply);
  });
}
