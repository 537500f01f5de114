import type { FastifyInstance } from 'fastify';
import type { Queryable } from '../../db/db.ts';
import { findIcon } from '../../domain/game/icon/icon.sql.ts';
import { AppError } from '../../kit/app-error.ts';
import { systemClock } from '../../kit/clock.ts';
import { createTtlCache } from '../../kit/ttl-cache.ts';

const NAME = /^([0-9a-f]{32})\.png$/;

/** An address never gets another picture; only its removal must be noticed. */
const CACHE = { clock: systemClock, freshMs: 60_000, absentMs: 1_000, maxEntries: 50 } as const;

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** The games' uploaded icons, for payment pages and the dashboard. */
export function mountIcons(app: FastifyInstance, db: Queryable): void {
  const read = createTtlCache({ load: id => findIcon(db, id), ...CACHE });
  app.get<{ Params: { name: string } }>('/icons/:name', async (request, reply) => {
    const id = NAME.exec(request.params.name)?.[1];
    const png = id === undefined ? null : await read(id);
    if (!png) throw new AppError('not_found');
    return reply.headers(HEADERS).type('image/png').send(png);
  });
}
