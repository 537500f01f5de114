import { ATTENTION_ACTIONS, ATTENTION_CODES, type AttentionItem } from '@coinslot/contract';
import { describe, expect, test } from 'vitest';
import german from '../../texts/de.json' with { type: 'json' };
import english from '../../texts/en.json' with { type: 'json' };
import { recheckResult, waitingFor } from './waiting-for.ts';

describe('what happens next', () => {
  test.each([
    ['grant_unanswered', 1, 'game'],
    ['grant_unanswered', null, 'webhook'],
    ['dispute_open', 1, 'bank'],
    ['dispute_unclear', null, 'bankSilent'],
    ['capture_refused', 1, 'provider'],
    ['refund_refused', null, 'member'],
    ['amount_differs', null, 'member'],
  ] as const)('after %s with the date %s is up to: %s', (code, at, next) => {
    expect(waitingFor({ code, next_check_at: at })).toBe(next);
  });
});

describe('asking again', () => {
  const item = (code: 'capture_refused' | 'grant_unanswered' | null) =>
    ({ attention: code && { code, since: 1, detail: '', next_check_at: 2 } }) as AttentionItem;

  test('says when it is settled, and never when it is not', () => {
    expect(recheckResult(item('capture_refused'), item(null))).toBe('done');
    expect(recheckResult(item('capture_refused'), item('capture_refused'))).toBe('still');
    expect(recheckResult(item('grant_unanswered'), item('grant_unanswered'))).toBe('game');
  });
});

describe('every cause and every action', () => {
  test.each([
    ['English', english],
    ['German', german],
  ])('has its words in %s', (_name, texts: Record<string, string>) => {
    const wanted = [
      ...ATTENTION_CODES.map(code => `attention.code.${code}`),
      ...ATTENTION_ACTIONS.map(action => `attention.do.${action}`),
      ...ATTENTION_ACTIONS.filter(action => action !== 'ask_again').flatMap(action =>
        ['ask', 'aboutDo', 'done'].map(part => `attention.${part}.${action}`),
      ),
    ];
    expect(wanted.filter(key => !texts[key])).toEqual([]);
  });
});
