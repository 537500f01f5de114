import { LINES } from './lines.ts';

export const RECEIVER_LANGUAGES = ['node', 'python', 'go', 'java', 'csharp', 'php', 'ruby'] as const;
export type ReceiverLanguage = (typeof RECEIVER_LANGUAGES)[number];
export type Fix = keyof (typeof LINES)['node'];

/** What to write in each language: lines of a receiver that passes the exam, so every one of them is run by a test. */
export const ADVICE = Object.fromEntries(
  (Object.keys(LINES.node) as Fix[]).map(fix => [
    fix,
    Object.fromEntries(RECEIVER_LANGUAGES.map(language => [language, LINES[language][fix]])),
  ]),
) as Record<Fix, Record<ReceiverLanguage, string>>;

const HINTS: [RegExp, ReceiverLanguage][] = [
  [/\b(?:python\d?|uvicorn|gunicorn|flask)\b|\.py\b/i, 'python'],
  [/\bgo (?:run|build)\b|\.go\b/i, 'go'],
  [/\bjava\b|\.jar\b/i, 'java'],
  [/\b(?:dotnet|mono|kestrel)\b|\.cs\b/i, 'csharp'],
  [/\bphp\b/i, 'php'],
  [/\b(?:ruby|rails|puma|rackup)\b|\.rb\b/i, 'ruby'],
];

/** Guesses from the start command or the `Server` header. Node is the default. */
export const guessLanguage = (clue: string): ReceiverLanguage =>
  HINTS.find(([pattern]) => pattern.test(clue))?.[1] ?? 'node';
