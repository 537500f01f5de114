export { ADVICE, type Fix, guessLanguage, RECEIVER_LANGUAGES, type ReceiverLanguage } from './advice/advice.ts';
export { CASES } from './cases/cases.ts';
export type { ExamCase } from './exam-case.ts';
export type { CountOf, ExamProcess, ExamTarget, ItemKind } from './examiner.ts';
export { chunksOf, countInInventory, type Probe, type Reply } from './probe.ts';
export { lossesOf, lossText, reportText } from './report.ts';
export { type CaseResult, type ExamReport, gradeOf, runExam } from './run-exam.ts';
