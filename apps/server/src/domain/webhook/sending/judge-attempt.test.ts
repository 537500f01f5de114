import { expect, test } from 'vitest';
import { type AttemptFacts, judgeAttempt } from './attempt-delivery.ts';

const silence: AttemptFacts = {
  kind: 'item.add',
  lane: 'items',
  attemptsMade: 7,
  earlyAttempts: 0,
  regularInMs: null,
  exchange: { succeeded: false, declined: false, status: null, retryAfterSeconds: null },
  stillWanted: true,
  isGranted: false,
  random: 0.5,
};

test('without a wish of the studio the schedule decides', () => {
  expect(judgeAttempt(silence)).toMatchObject({ status: 'pending', nextInMs: 900_000 });
  expect(judgeAttempt({ ...silence, releaseInMs: null })).toMatchObject({ status: 'pending', nextInMs: 900_000 });
});

test('the last attempt comes when the time is up', () => {
  expect(judgeAttempt({ ...silence, releaseInMs: 60_000 })).toMatchObject({ status: 'pending', nextInMs: 60_000 });
  expect(judgeAttempt({ ...silence, releaseInMs: 1e9 })).toMatchObject({ status: 'pending', nextInMs: 900_000 });
});

test('after it the grant is given up', () => {
  expect(judgeAttempt({ ...silence, releaseInMs: 0 })).toMatchObject({ status: 'exhausted', nextInMs: null });
});

test('a yes counts, however late', () => {
  const exchange = { ...silence.exchange, succeeded: true, status: 200 };
  expect(judgeAttempt({ ...silence, exchange, releaseInMs: -1 })).toMatchObject({ status: 'succeeded' });
});
