import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import proxyaddr from '@fastify/proxy-addr';
import { newId } from '../kit/ids.ts';
import { asAppError, writeProblem } from './problem.ts';

const DROPPED = ['upgrade', 'http2-settings'];

/** Lists the header lines without those that ask for another protocol. */
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

/** Reads the caller's address as the framework does for every other request: upgrades bypass it. */
export function addressReader(trustProxy: string[]): (request: IncomingMessage) => string {
  if (trustProxy.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = proxyaddr.compile(trustProxy);
  return request => proxyaddr(request, isTrusted) ?? '';
}

/** Recognizes a request for a WebSocket at this path. `isWebSocketHandshake` checks the rest. */
export const asksForWebSocket = ({ url = '', headers }: IncomingMessage, path: string | undefined): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && url.split('?')[0] === path;

/**
 * Serves an unwanted upgrade as a plain request. A program that listens for upgrades gets every request that offers one,
 * unless Node can filter them (from 22.21 on). A client that offers HTTP/2 accepts an answer in HTTP/1.1.
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

export const refuseUpgrade = (socket: Socket, error: unknown, publicUrl: string): void =>
  writeProblem(socket, asAppError(error), newId('req'), publicUrl);
