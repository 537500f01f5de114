import type { FastifyInstance } from 'fastify';

/** The mark of docs/mark.svg on a dark tile, so that it shows on light and dark tabs. */
const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#f2a900"><rect width="24" height="24" rx="6" fill="#10131a"/><g transform="translate(3 2.5) scale(.75)"><path d="M4.5 14.5a8 8 0 1 1 15 0z"/><rect x="1.5" y="17" width="21" height="3" rx="1.5"/></g></svg>`;

/** Browsers ask for it beside every address that is not a page of ours, such as the API description. */
export function mountFavicon(app: FastifyInstance): void {
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(FAVICON),
    );
  }
}
