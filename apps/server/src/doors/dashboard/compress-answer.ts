import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const pack = promisify(gzip);

/** Below this an answer fits into one packet either way. */
const LEAST_CHARACTERS = 1_200;

const takesGzip = (accepted: string | undefined): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/i.test(accepted ?? '');

/**
 * Lists of fifty rows are 25 KB of repeated names: half a second on a slow network. Only what is read and holds no secret: the
 * size of a packed answer tells an attacker on the wire whether a guess beside the secret was right, so the session's answer,
 * which holds the token that allows changes, is sent as it is.
 */
export async function compressAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const isList = typeof payload === 'string' && payload.length >= LEAST_CHARACTERS && request.method === 'GET';
  if (!isList || reply.statusCode !== 200 || request.routeOptions.url === '/dashboard/api/session') return payload;
  void reply.header('vary', 'accept-encoding');
  if (!takesGzip(request.headers['accept-encoding'])) return payload;
  void reply.header('content-encoding', 'gzip');
  return pack(payload);
}
