import { setTimeout as pause } from 'node:timers/promises';
import { startStripeDouble, TEST_KEYS } from '@coinslot/testing/stripe-double/stripe-double';
import { serveParent } from './serve-parent.ts';

/** A provider that takes every payment and needs this long for each answer. */
const ANSWER_MS = 150;
const MOST_REMEMBERED = 10_000;

export type SlowStripeQuestion = 'facts' | { tokens: number };
export interface SlowStripeFacts {
  url: string;
  keys: { secret: string; publishable: string };
  calls: number;
}

const double = await startStripeDouble();
let calls = 0;
double.faults.take = () => {
  calls++;
  if (double.requests.length > MOST_REMEMBERED) double.requests.length = 0;
  return { kind: 'delay_before', until: pause(ANSWER_MS) };
};

serveParent((question: SlowStripeQuestion): SlowStripeFacts | string[] =>
  question === 'facts'
    ? { url: double.url, keys: TEST_KEYS, calls }
    : Array.from({ length: question.tokens }, () => double.token()),
);
