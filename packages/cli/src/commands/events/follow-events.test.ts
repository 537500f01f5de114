import { expect, it } from 'vitest';
import { startCli } from '../../testing/run-cli.ts';

const PATIENCE = { timeout: 60_000, interval: 10 };
const env = { COINSLOT_KEY: `sk_live_${'x'.repeat(40)}`, COINSLOT_URL: 'https://shop.example' };

const event = (n: number) => ({
  event_id: `evt_${n}`,
  event_type: 'order.created',
  event_time: 1,
  game_id: 'game_1',
  sandbox: false,
  order_id: 'ord_1',
  test: false,
  event_data: {},
  cursor: `c${n}`,
});

const answer = (status: number, body: object, headers = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

const page = (events: number[], next: string, more = false): Response =>
  answer(200, { data: events.map(event), next_cursor: next, has_more: more });

/** Answers in turn, the last one again and again, and notes the places that were asked for. */
function service(...answers: (() => Response)[]) {
  const asked: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async input => {
    const url = new URL(input instanceof Request ? input.url : input);
    asked.push(url.searchParams.get('after'));
    return answers[Math.min(asked.length, answers.length) - 1]!();
  };
  return { asked, fetch };
}

const linesOf = (out: string): unknown[] =>
  out
    .trimEnd()
    .split('\n')
    .map(line => (JSON.parse(line) as { cursor: string }).cursor);

const away = () => answer(503, { code: 'unavailable', title: 'away', status: 503 }, { 'retry-after': '0' });

it('a feed that is followed goes on from its place when the server was away, with a live key', async () => {
  const { asked, fetch } = service(
    () => page([1, 2], 'c2', true),
    away,
    away,
    away,
    () => page([3], 'c3'),
    () => page([], 'c4'),
  );
  const stop = new AbortController();
  const argv = ['events', '--follow', '--from', 'c0', '--format', 'ndjson'];
  const running = startCli(argv, { env, fetch, signal: stop.signal });
  await expect.poll(() => asked.at(-1), PATIENCE).toBe('c4');
  stop.abort();
  expect(await running.ended).toMatchObject({ code: 0 });
  expect(linesOf(running.out())).toEqual(['c1', 'c2', 'c3']);
  expect([...new Set(asked)]).toEqual(['c0', 'c2', 'c3', 'c4']);
});

it('a feed ends at its end, or after as many events as were asked for', async () => {
  const pages = [() => page([1, 2], 'c2', true), () => page([], 'c9', true), () => page([10], 'c10')];
  const whole = await startCli(['events', '--json'], { env, fetch: service(...pages).fetch }).ended;
  expect([whole.code, linesOf(whole.out)]).toEqual([0, ['c1', 'c2', 'c10']]);
  const some = await startCli(['events', '--json', '--count', '1'], { env, fetch: service(...pages).fetch }).ended;
  expect([some.code, linesOf(some.out)]).toEqual([0, ['c1']]);
});

it('a feed that cannot go on says so and ends, also when it is followed', async () => {
  const gone = () => answer(410, { code: 'events_gone', title: 'The feed no longer goes on', status: 410 });
  const ended = await startCli(['events', '--follow', '--from', 'c0'], { env, fetch: service(gone).fetch }).ended;
  expect(ended).toMatchObject({ code: 6, out: '' });
  expect(ended.err).toContain('The feed no longer goes on');
});
