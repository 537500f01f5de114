import type { Issue } from '@coinslot/contract';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { setLanguage } from '../texts/texts.ts';
import { clearMessages, currentMessages, dropMessage, notifyDone, notifyProblem, onMessages } from './messages.ts';
import { fieldProblem, issueOf, mayHelpToRetry, otherProblem, Problem, problemText } from './problems.ts';

beforeAll(() => setLanguage('en'));

const issue = (pointer: string, code: string, message = 'From the server.') => ({ pointer, code, message }) as Issue;
const invalid = new Problem({
  status: 422,
  code: 'validation_failed',
  message: 'Invalid.',
  issues: [issue('/email', 'format_email'), issue('/name', 'no_such_code', 'Too funny.')],
});

describe('a problem', () => {
  test.each([
    [new TypeError('x is undefined'), 'Something went wrong. Please try again.'],
    [new Problem({ status: 0, code: 'network', message: '' }), 'Could not reach the server.'],
    [new Problem({ status: 429, code: 'rate_limited', message: '', retryAfterSeconds: 7 }), 'wait 7 seconds'],
    [new Problem({ status: 429, code: 'rate_limited', message: '' }), 'wait 60 seconds'],
    [new Problem({ status: 403, code: 'role_too_low', message: 'No.' }), 'Your role does not allow this.'],
    [new Problem({ status: 500, code: 'internal', message: 'pg down', requestId: 'req_1' }), 'Request req_1.'],
    [new Problem({ status: 500, code: 'internal', message: 'pg down' }), 'Request –.'],
  ])('%s is told in our words', (error, text) => {
    expect(problemText(error)).toContain(text);
  });

  test('without words of ours is told in the server’s', () => {
    expect(problemText(new Problem({ status: 404, code: 'not_found', message: 'No such item.' }))).toBe(
      'No such item.',
    );
  });

  test('of several fields names all of them', () => {
    expect(problemText(invalid)).toBe('Enter a valid e-mail address. Too funny.');
  });

  test('stands beside its field, found by the pointer', () => {
    expect(issueOf(invalid, '/email')).toBe('Enter a valid e-mail address.');
    expect(issueOf(invalid, '/nickname', '/name')).toBe('Too funny.');
    expect(issueOf(invalid, '/password')).toBeUndefined();
    expect(issueOf(null, '/email')).toBeUndefined();
  });

  test('is shown once: beside the field, or for the whole form', () => {
    expect(fieldProblem(null, '/email')).toBeUndefined();
    expect(fieldProblem(invalid, '/email')).toBe('Enter a valid e-mail address.');
    expect(otherProblem(invalid, '/email')).toBeUndefined();
    expect(otherProblem(invalid, '/password')).toBe(problemText(invalid));
    expect(otherProblem(null, '/email')).toBeUndefined();
  });
});

describe('messages', () => {
  const texts = (): string[] => currentMessages().map(({ text }) => text);

  beforeEach(() => {
    vi.useFakeTimers();
    clearMessages();
  });
  afterEach(() => vi.useRealTimers());

  test('go after a while, problems later than good news', () => {
    notifyDone('Saved.');
    notifyProblem(invalid);
    vi.advanceTimersByTime(6_000);
    expect(texts()).toEqual([problemText(invalid)]);
    vi.advanceTimersByTime(6_000);
    expect(texts()).toEqual([]);
  });

  test('are at most three, the newest last', () => {
    for (const text of ['1', '2', '3', '4']) notifyDone(text);
    expect(texts()).toEqual(['2', '3', '4']);
  });

  test('can be closed, and are forgotten at sign-out', () => {
    notifyDone('1');
    notifyDone('2');
    dropMessage(currentMessages()[0]!.id);
    expect(texts()).toEqual(['2']);
    clearMessages();
    expect(texts()).toEqual([]);
  });

  test('carry a way back only where there is one', () => {
    const undo = (): void => undefined;
    notifyDone('Disabled.', undo);
    notifyDone('Deleted.');
    expect(currentMessages().map(one => one.undo)).toEqual([undo, undefined]);
  });

  test('are announced to a listener until it leaves', () => {
    const onChange = vi.fn();
    const leave = onMessages(onChange);
    notifyDone('1');
    leave();
    notifyDone('2');
    expect(onChange).toHaveBeenCalledTimes(1);
  });
});

test.each([
  ['network', 0, true],
  ['rate_limited', 429, true],
  ['internal_error', 500, true],
  ['role_too_low', 403, false],
  ['payment_not_found', 404, false],
] as const)('to try again may help after %s (%i): %s', (code, status, helps) => {
  expect(mayHelpToRetry(new Problem({ code: code as Problem['code'], status, message: '' }))).toBe(helps);
});
