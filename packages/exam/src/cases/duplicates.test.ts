import { describe, expect, it } from 'vitest';
import type { ExamTarget } from '../examiner.ts';
import { runExam } from '../run-exam.ts';
import { DUPLICATES } from './duplicates.ts';

const BETWEEN = DUPLICATES.filter(({ name }) => name === 'crash_between');

/** A right receiver that prints what it granted. Its first crashes come when a grant is saved and not printed yet. */
function receiverWith(unluckyCrashes: number): ExamTarget & { crashes: number } {
  const saved = new Set<string>();
  const printed: string[] = [];
  const target = {
    crashes: 0,
    url: new URL('http://game.example/webhook'),
    secret: 'the secret of this webhook',
    runId: 'run',
    async send({ body }: { body: string }) {
      const { idempotency_key: key, event_data: data } = JSON.parse(body) as {
        idempotency_key: string;
        event_data: { player_id: string };
      };
      const isNew = !saved.has(key);
      saved.add(key);
      if (isNew && target.crashes >= unluckyCrashes) printed.push(data.player_id);
      return { kind: 'answer' as const, status: 200, body: '', tookMs: 1 };
    },
    countOf: async (player: string) => printed.filter(one => one === player).length,
    timesPrinted: async (player: string) => printed.filter(one => one === player).length,
    process: {
      crash: async () => {
        target.crashes += 1;
      },
      startWith: async () => true,
      ended: () => null,
    },
  };
  return target;
}

describe('a crash between the grant and the answer', () => {
  it('that hits the instant before the printed line is repeated until it can be judged', {
    timeout: 60_000,
  }, async () => {
    const target = receiverWith(2);
    const { results } = await runExam(target, 'node', () => {}, BETWEEN);
    expect(results.map(({ outcome, problem }) => [outcome, problem])).toEqual([['passed', null]]);
    expect(target.crashes).toBe(4);
  });

  it('that is never seen is not judged, after a number of crashes', { timeout: 60_000 }, async () => {
    const target = receiverWith(Number.POSITIVE_INFINITY);
    const { results } = await runExam(target, 'node', () => {}, BETWEEN);
    expect(results.map(({ outcome }) => outcome)).toEqual(['unseen']);
  });
});
