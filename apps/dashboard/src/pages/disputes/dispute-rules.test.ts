import type { EvidenceFileRules } from '@coinslot/contract';
import { expect, it } from 'vitest';
import { fileIssue, fileSize } from './file-rules.ts';
import { timeLeft } from './time-left.ts';

const HOUR = 3_600;

it.each([
  [0, null],
  [-5, null],
  [59 * 60, { count: 0, unit: 'hour', tone: 'soon' }],
  [23.9 * HOUR, { count: 23, unit: 'hour', tone: 'soon' }],
  [47 * HOUR, { count: 47, unit: 'hour', tone: 'near' }],
  [72 * HOUR, { count: 72, unit: 'hour', tone: 'near' }],
  [7.9 * 24 * HOUR, { count: 7, unit: 'day', tone: 'far' }],
])('a deadline in %d seconds is counted in hours once it is near, and never up', (seconds, left) => {
  expect(timeLeft(1_000 + seconds, 1_000)).toEqual(left);
});

const rules: EvidenceFileRules = {
  types: ['application/pdf', 'image/png'],
  file_bytes: 100,
  total_bytes: 150,
  files: 3,
  one_of_each_kind: true,
};
const held = [{ kind: 'receipt', bytes: 80 } as const];

it.each([
  ['type', 'other', 'image/jpeg', 10],
  ['empty', 'other', 'image/png', 0],
  ['file_bytes', 'other', 'image/png', 101],
  ['kind_taken', 'receipt', 'image/png', 10],
  ['total_bytes', 'other', 'image/png', 71],
  [null, 'other', 'image/png', 70],
] as const)('a member is told before sending: %s', (issue, kind, type, size) => {
  expect(fileIssue(rules, held, kind, { type, size })).toBe(issue);
});

it('one file more than the provider takes is one too many', () => {
  const many = { ...rules, one_of_each_kind: false, total_bytes: 1_000 };
  expect(fileIssue(many, [...held, ...held, ...held], 'other', { type: 'image/png', size: 1 })).toBe('files');
});

it.each([
  [70, '1 kB'],
  [14_400, '14 kB'],
  [4_500_000, '4.5 MB'],
])('a file of %d bytes is %s', (bytes, text) => {
  expect(fileSize('en', bytes)).toBe(text);
});
