import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../../kit/app-error.ts';

/** Beside the server both in the source and when built. */
const DIST = fileURLToPath(new URL('../../../../dashboard/dist/', import.meta.url));

const MISSING = `The dashboard is not built.

Start with "npm start", which builds it, or run "node tools/prepare.mjs start" once.
`;

const YEAR_MS = 365 * 24 * 3600 * 1000;

/** Scripts and styles run from our own files, or from the page itself when the build wrote them. */
const policyOf = (scripts: readonly string[], styles: readonly string[]): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    ["style-src 'self'", ...styles].join(' '),
    "connect-src 'self'",
    "img-src 'self' https: data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

export const APP_HEADERS = {
  'content-security-policy': policyOf([], []),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
} as const;

function hashesOf(html: string, tag: 'script' | 'style'): string[] {
  return [...html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
}

/** The page's own policy names what stands in it by hash. Read again only after a new build. */
function makePagePolicy(dist: string): () => string {
  let readAt = Number.NaN;
  let policy: string = APP_HEADERS['content-security-policy'];
  return () => {
    const { mtimeMs } = statSync(`${dist}index.html`);
    if (mtimeMs !== readAt) {
      const html = readFileSync(`${dist}index.html`, 'utf8');
      policy = policyOf(hashesOf(html, 'script'), hashesOf(html, 'style'));
      readAt = mtimeMs;
    }
    return policy;
  };
}

/** The build names these after their content, so they never change. */
const isHashed = (path: string): boolean => path.startsWith('assets/');

/** Notes of the build, and paths that try to climb out of the folder. */
const isHidden = (path: string): boolean => path.split(/[/\\]/).some(part => part.startsWith('.'));

function sendPage(reply: FastifyReply, dist: string, pagePolicy: () => string): FastifyReply {
  if (existsSync(`${dist}index.html`)) {
    return reply
      .header('content-security-policy', pagePolicy())
      .header('cache-control', 'no-cache')
      .sendFile('index.html', { cacheControl: false });
  }
  return reply.code(503).header('retry-after', '5').type('text/plain; charset=utf-8').send(MISSING);
}

function sendAsset(reply: FastifyReply, path: string): FastifyReply {
  const options = isHashed(path) ? { immutable: true, maxAge: YEAR_MS } : { maxAge: 0 };
  return reply.sendFile(path, options);
}

/** The browser app: its files, and its one page for every address that is not a file. */
export function serveApp(app: FastifyInstance, dist = DIST): void {
  const pagePolicy = makePagePolicy(dist);
  void app.register(async scope => {
    await scope.register(fastifyStatic, { root: dist, serve: false, preCompressed: true, dotfiles: 'deny' });

    scope.get<{ Params: { '*': string } }>('/dashboard/*', async (request, reply) => {
      const path = request.params['*'];
      if (path === 'api' || path.startsWith('api/')) throw new AppError('not_found');
      reply.headers(APP_HEADERS).header('vary', 'accept-encoding');
      // A name with a dot in its last part is a file; no page of the app has one.
      const isFile = /\.[a-z0-9]+$/i.test(path) && !isHidden(path) && existsSync(dist + path);
      if (isFile && path !== 'index.html') return sendAsset(reply, path);
      if (isHashed(path)) throw new AppError('not_found');
      return sendPage(reply, dist, pagePolicy);
    });
  });

  app.get('/dashboard', (_request, reply) => reply.redirect('/dashboard/', 308));
  app.get('/', (_request, reply) => reply.redirect('/dashboard/', 302));
}
