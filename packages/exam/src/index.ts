export { CASES } from './cases.ts';
export type { CountOf, Stage } from './examiner.ts';
export { FIXES, guessLanguage, LANGUAGES, type Language } from './fixes.ts';
export { heldOf, type Probe, pieces, type Reply } from './probe.ts';
export { type CaseResult, type ExamReport, gradeOf, reportText, runExam } from './run-exam.ts';
