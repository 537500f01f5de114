import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { connectOnce } from './connect-once.ts';

/** Accepts connections and never says a word. */
let silent: Server;
let host: string;
let connections = 0;

beforeAll(async () => {
  silent = createServer(socket => {
    connections++;
    socket.on('error', () => {});
  });
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
});
afterAll(() => void silent.close());

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

/** Seconds until a connection to these hosts is given up, by the timers of this process. */
async function secondsUntilGivenUp(hosts: string): Promise<number> {
  let isOver = false;
  const given = connectOnce(`postgresql://coinslot@${hosts}/coinslot`, 'test').catch(() => {
    isOver = true;
  });
  for (let seconds = 1; seconds <= 60; seconds++) {
    await vi.advanceTimersByTimeAsync(1_000);
    if (isOver) return seconds;
  }
  await given;
  return Number.POSITIVE_INFINITY;
}

it('waits 20 s for its only host: a machine that starts many programs at once may be that slow', async () => {
  expect(await secondsUntilGivenUp(host)).toBe(20);
});

it('leaves each of several hosts after 5 s, so that one that is away delays a start little, and goes round again', async () => {
  const before = connections;
  expect(await secondsUntilGivenUp(`${host},${host}`)).toBe(21);
  expect(connections - before).toBe(4);
});

it('names at once what no second try would change', async () => {
  // The timers stand still, so a second round would never come.
  await expect(connectOnce('postgresql://coinslot@127.0.0.1:9,127.0.0.1:9/coinslot', 'test')).rejects.toThrow(
    'ECONNREFUSED',
  );
});
