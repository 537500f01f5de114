export { CASES } from './cases.ts';
export type { CountOf, ExamTarget } from './examiner.ts';
export { FIXES, guessLanguage, LANGUAGES, type Language } from './fixes.ts';
export { chunksOf, countInInventory, type Probe, type Reply } from './probe.ts';
export { type CaseResult, type ExamReport, gradeOf, reportText, runExam } from './run-exam.ts';
