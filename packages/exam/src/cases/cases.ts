import type { ExamCase } from '../exam-case.ts';
import { BODIES } from './bodies.ts';
import { DUPLICATES } from './duplicates.ts';
import { ITEMS } from './items.ts';
import { IN_TIME, LOAD } from './load.ts';
import { SIGNATURES } from './signatures.ts';

export const CASES: readonly ExamCase[] = [IN_TIME, ...SIGNATURES, ...DUPLICATES, ...ITEMS, ...BODIES, ...LOAD];
