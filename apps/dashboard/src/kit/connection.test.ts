import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  checkServer,
  currentConnection,
  loadWhenOnline,
  markOffline,
  markOnline,
  onConnection,
  watchHeartbeat,
} from './connection.ts';

let answers: (number | 'none')[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  answers = [];
  vi.stubGlobal('fetch', async () => {
    const answer = answers.shift() ?? 200;
    if (answer === 'none') throw new TypeError('Failed to fetch');
    return { status: answer };
  });
});

afterEach(() => {
  markOnline();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the connection', () => {
  test('is lost when the server does not answer, and found by looking for it', async () => {
    const beat = vi.fn();
    const stop = onConnection(beat);
    answers = ['none', 502, 200];
    markOffline();
    expect(currentConnection().isOffline).toBe(true);
    await vi.advanceTimersByTimeAsync(4_500);
    expect(currentConnection().isOffline).toBe(true);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(currentConnection().isOffline).toBe(false);
    expect(beat).toHaveBeenCalledTimes(2);
    stop();
  });

  test('is not lost by one broken line', async () => {
    answers = [200];
    await checkServer();
    expect(currentConnection().isOffline).toBe(false);
    answers = [503];
    await checkServer();
    expect(currentConnection().isOffline).toBe(true);
  });

  test('keeps when the server was last seen while it is lost', () => {
    vi.setSystemTime(1_000_000);
    markOnline();
    vi.setSystemTime(2_000_000);
    markOffline();
    expect(currentConnection().lastSeenAt).toBe(1_000_000);
  });
});

describe('a stream that should beat', () => {
  test('and falls silent means that the server is lost', async () => {
    const { beat, stop } = watchHeartbeat();
    beat();
    await vi.advanceTimersByTimeAsync(11_000);
    beat();
    await vi.advanceTimersByTimeAsync(11_000);
    expect(currentConnection().isOffline).toBe(false);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(currentConnection().isOffline).toBe(true);
    stop();
  });

  test('and never opens leads to a question: a slow line is no lost server, a server that stands still is', async () => {
    const { stop } = watchHeartbeat();
    answers = [200, 'none'];
    await vi.advanceTimersByTimeAsync(13_000);
    expect(currentConnection().isOffline).toBe(false);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(currentConnection().isOffline).toBe(true);
    stop();
  });
});

describe('a part of the app', () => {
  test('that fails to load is loaded once the server answers', async () => {
    answers = ['none', 'none', 200];
    const load = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue('the page');
    const loaded = loadWhenOnline(load)();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await loaded).toBe('the page');
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('that is gone although the server is there fails', async () => {
    const load = vi.fn().mockRejectedValue(new TypeError('404'));
    await expect(loadWhenOnline(load)()).rejects.toThrow('404');
  });
});
