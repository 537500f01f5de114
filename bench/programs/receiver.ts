import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monotonicMs, serveParent } from './serve-parent.ts';

/** A game backend that says yes. It notes when each request came, before its body is read. */
const arrivedMs = new Map<string, number>();
let received = 0;
/** How long it thinks about each. */
let takesMs = 0;

const server = createServer((request, response) => {
  const key = request.headers['webhook-id'];
  if (typeof key === 'string') arrivedMs.set(key, monotonicMs());
  request.resume();
  request.on('end', () => {
    received++;
    const answer = (): void => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"status":"ok"}');
    };
    if (takesMs > 0) setTimeout(answer, takesMs);
    else answer();
  });
});
server.keepAliveTimeout = 60_000;

export type ReceiverQuestion = 'port' | 'arrivals' | { takesMs: number };
export type Arrivals = { received: number; arrivedMs: Record<string, number> };

server.listen(0, '127.0.0.1', () => {
  serveParent((question: ReceiverQuestion) => {
    if (typeof question === 'object') takesMs = question.takesMs;
    if (question === 'port') return (server.address() as AddressInfo).port;
    const arrivals = { received, arrivedMs: Object.fromEntries(arrivedMs) };
    arrivedMs.clear();
    received = 0;
    return arrivals;
  });
});
