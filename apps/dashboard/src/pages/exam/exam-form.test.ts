import { CASES, RECEIVER_LANGUAGES } from '@coinslot/exam';
import { expect, it } from 'vitest';
import german from '../../texts/de.json' with { type: 'json' };
import english from '../../texts/en.json' with { type: 'json' };
import { EXAM_LANGUAGES, type ExamForm, examInput, isReady } from './exam-form.ts';

const form: ExamForm = { webhookId: '', url: ' https://game.example.com/hook ', inventoryUrl: ' ', language: 'go' };

it('an exam is of an address or of a registered webhook, never of both', () => {
  expect(examInput(form)).toEqual({ url: 'https://game.example.com/hook', language: 'go' });
  expect(examInput({ ...form, webhookId: 'whk_1', inventoryUrl: 'https://game.example.com/{player_id}' })).toEqual({
    webhook_id: 'whk_1',
    inventory_url: 'https://game.example.com/{player_id}',
    language: 'go',
  });
  expect([isReady(form), isReady({ ...form, url: ' ' }), isReady({ ...form, url: '', webhookId: 'whk_1' })]).toEqual([
    true,
    false,
    true,
  ]);
});

it('every language of the exam can be chosen', () => {
  expect(EXAM_LANGUAGES.map(([language]) => language)).toEqual([...RECEIVER_LANGUAGES]);
});

it('every check of the exam has its texts, and in English the exam’s own', () => {
  for (const { name, title, why } of CASES) {
    expect([name, english[`exam.case.${name}` as never], english[`exam.why.${name}` as never]]).toEqual([
      name,
      title,
      why,
    ]);
    expect([name, typeof german[`exam.why.${name}` as never]]).toEqual([name, 'string']);
  }
});
