import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monotonicMs, serveParent } from './serve-parent.ts';

/** A game backend that says yes. It notes when each request came, before its body is read. */
const arrivedMs = new Map<string, number>();
let received = 0;
/** How long it thinks about each. */
let takesMs = 0;
let status = 200;
let atOnce = 0;
let mostAtOnce = 0;
/** When each was first answered with a yes. */
const grantedMs = new Map<string, number>();

const server = createServer((request, response) => {
  const key = request.headers['webhook-id'];
  if (typeof key === 'string') arrivedMs.set(key, monotonicMs());
  mostAtOnce = Math.max(mostAtOnce, ++atOnce);
  response.on('close', () => atOnce--);
  request.resume();
  request.on('end', () => {
    received++;
    const answer = (): void => {
      if (status === 200 && typeof key === 'string' && !grantedMs.has(key)) grantedMs.set(key, monotonicMs());
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end('{"status":"ok"}');
    };
    if (takesMs > 0) setTimeout(answer, takesMs);
    else answer();
  });
});
server.keepAliveTimeout = 60_000;

export type ReceiverQuestion = 'port' | 'arrivals' | 'grants' | { takesMs: number; status?: number };
/** From the first yes to the last. */
export type Grants = { granted: number; lastedMs: number; mostAtOnce: number };
export type Arrivals = { received: number; arrivedMs: Record<string, number> };

function grants(): Grants {
  const times = [...grantedMs.values()];
  const lastedMs = times.length > 0 ? times.at(-1)! - times[0]! : 0;
  return { granted: times.length, lastedMs, mostAtOnce };
}

server.listen(0, '127.0.0.1', () => {
  serveParent((question: ReceiverQuestion) => {
    if (typeof question === 'object') {
      takesMs = question.takesMs;
      status = question.status ?? 200;
      mostAtOnce = 0;
      grantedMs.clear();
    }
    if (question === 'port') return (server.address() as AddressInfo).port;
    if (question === 'grants') return grants();
    const arrivals = { received, arrivedMs: Object.fromEntries(arrivedMs) };
    arrivedMs.clear();
    received = 0;
    return arrivals;
  });
});
