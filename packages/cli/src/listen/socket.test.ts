import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { ListenEnded, listen } from './socket.ts';

const HELLO = JSON.stringify({ type: 'hello', game: 'g', events: [], other_listeners: 0 });

let http: Server;
let sockets: WebSocketServer;
let url: string;
let stop: AbortController;
/** What happens to each connection in turn. After the last one, connections are accepted and greeted. */
let fates: ((socket: WebSocket) => void)[];
let refusals: number[];

beforeEach(async () => {
  fates = [];
  refusals = [];
  stop = new AbortController();
  http = createServer();
  sockets = new WebSocketServer({ noServer: true });
  http.on('upgrade', (request, socket, head) => {
    const status = refusals.shift();
    if (status) return socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`);
    return sockets.handleUpgrade(request, socket, head, connection => {
      connection.send(HELLO);
      fates.shift()?.(connection);
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterEach(async () => {
  stop.abort();
  for (const socket of sockets.clients) socket.terminate();
  http.close();
  await once(http, 'close');
});

function start() {
  const seen = { hellos: [] as boolean[], lost: [] as string[], delays: [] as number[] };
  const ended = listen(
    { url, key: 'k', mode: 'forward', events: ['*'], signal: stop.signal, random: () => 0.5, firstDelayMs: 2 },
    {
      hello: (_, isFirst) => void seen.hellos.push(isFirst),
      lost: (why, againInMs) => {
        seen.lost.push(why);
        seen.delays.push(againInMs);
      },
      request: async () => ({ type: 'answer', status: 200 }),
    },
  );
  // The test looks at it later. Until then it must not count as unhandled.
  ended.catch(() => {});
  return { seen, ended };
}

it('a connection that breaks is reopened, later each time it fails again', async () => {
  fates.push(socket => socket.terminate());
  const { seen, ended } = start();
  await expect.poll(() => seen.hellos.length).toBe(2);
  refusals.push(503, 503, 503);
  for (const socket of sockets.clients) socket.close(1001, 'the server is stopping');
  await expect.poll(() => seen.hellos.length).toBe(3);
  expect(seen.hellos).toEqual([true, false, false]);
  expect(seen.lost[1]).toBe('the server is stopping');
  expect(seen.delays).toEqual([2, 2, 4, 8, 16]);
  stop.abort();
  await ended;
});

it('the first connection must succeed', async () => {
  refusals.push(502);
  await expect(start().ended).rejects.toMatchObject({ code: 'invalid_answer', status: 502 });
});

it.each([
  [4002, ListenEnded],
  [1008, ListenEnded],
])('a goodbye with %s is for good', async (code, kind) => {
  fates.push(socket => socket.close(code, 'because'));
  await expect(start().ended).rejects.toBeInstanceOf(kind);
});

it('a revoked key is for good', async () => {
  fates.push(socket => socket.close(4003, 'the key was revoked'));
  await expect(start().ended).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
});

it('answers carry the id of their request, and one whose connection is gone is dropped', async () => {
  const received: unknown[] = [];
  fates.push(socket => {
    socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString())));
    socket.send('{"type":"request","id":"req_1","headers":{},"body":"{}","timeout_ms":10000}');
  });
  const { ended } = start();
  await expect.poll(() => received).toEqual([{ id: 'req_1', type: 'answer', status: 200 }]);
  stop.abort();
  await ended;
});
