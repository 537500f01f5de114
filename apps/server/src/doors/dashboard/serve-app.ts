import { existsSync } from 'node:fs';
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

export const APP_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' https: data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
} as const;

/** The build names these after their content, so they never change. */
const isHashed = (path: string): boolean => path.startsWith('assets/');

/** Notes of the build, and paths that try to climb out of the folder. */
const isHidden = (path: string): boolean => path.split(/[/\\]/).some(part => part.startsWith('.'));

function sendPage(reply: FastifyReply, dist: string): FastifyReply {
  if (existsSync(`${dist}index.html`)) {
    return reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false });
  }
  return reply.code(503).header('retry-after', '5').type('text/plain; charset=utf-8').send(MISSING);
}

function sendAsset(reply: FastifyReply, path: string): FastifyReply {
  const options = isHashed(path) ? { immutable: true, maxAge: YEAR_MS } : { maxAge: 0 };
  return reply.sendFile(path, options);
}

/** The browser app: its files, and its one page for every address that is not a file. */
export function serveApp(app: FastifyInstance, dist = DIST): void {
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
      return sendPage(reply, dist);
    });
  });

  app.get('/dashboard', (_request, reply) => reply.redirect('/dashboard/', 308));
  app.get('/', (_request, reply) => reply.redirect('/dashboard/', 302));
}
