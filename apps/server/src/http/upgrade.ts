import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS } from '@coinslot/contract';
import proxyaddr from '@fastify/proxy-addr';
import { newId } from '../kit/ids.ts';
import { asAppError, problemHeaders, problemOf, safeHeaders } from './problem.ts';

const DROPPED = ['upgrade', 'http2-settings'];

/** Header lines without the request for another protocol. */
function plainHeaders({ rawHeaders }: IncomingMessage): string[] {
  const lines: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    const value = rawHeaders[i + 1]!;
    const lower = name.toLowerCase();
    if (DROPPED.includes(lower)) continue;
    if (lower !== 'connection') lines.push(`${name}: ${value}`);
    else {
      const kept = value.split(',').filter(part => !DROPPED.includes(part.trim().toLowerCase()));
      if (kept.length > 0) lines.push(`${name}: ${kept.join(',')}`);
    }
  }
  return lines;
}

/** Who asks, as the framework reads it for every other request, which an upgrade never reaches. */
export function addressReader(trustProxy: string[]): (request: IncomingMessage) => string {
  if (trustProxy.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = proxyaddr.compile(trustProxy);
  return request => proxyaddr(request, isTrusted) ?? '';
}

/** A request for a WebSocket at this path. Whether the rest of the handshake is right is another matter. */
export const asksForWebSocket = ({ url = '', headers }: IncomingMessage, path: string | undefined): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && url.split('?')[0] === path;

/**
 * Once the program listens for upgrades, a Node that cannot choose which of them to take (before 22.21) takes every request
 * that offers one off its usual way. This puts it back: a client that offers HTTP/2 and gets HTTP/1.1 is content.
 */
export function treatAsRequest(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...plainHeaders(request)];
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

export const isWebSocketHandshake = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers['sec-websocket-version'] === '13' &&
  /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '');

/** The same problem as over HTTP, written by hand because there is no response any more. */
export function refuseUpgrade(socket: Socket, error: unknown, publicUrl: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const problem = asAppError(error);
  const { status } = ERRORS[problem.code];
  const requestId = newId('req');
  const body = JSON.stringify(problemOf(problem, requestId, publicUrl));
  const headers = {
    ...safeHeaders(publicUrl),
    ...problemHeaders(problem),
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
