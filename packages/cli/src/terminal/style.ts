import type { Io } from './io.ts';

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;
type Look = keyof typeof CODES;

export type Style = Record<Look, (text: string) => string>;

/** Colors only on a terminal, and never with NO_COLOR (https://no-color.org). */
export function wantsColor({ env }: Io, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return isTerminal && env.TERM !== 'dumb';
}

export const createStyle = (color: boolean): Style =>
  Object.fromEntries(
    Object.entries(CODES).map(([look, [on, off]]) => [
      look,
      (text: string) => (color ? `\u001B[${on}m${text}\u001B[${off}m` : text),
    ]),
  ) as Style;

/** Escapes control characters, so that text from elsewhere cannot send commands to the terminal. It stays in its line. */
export const plain = (text: string): string =>
  text.replace(/\s*[\t\r\n]\s*/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, character => {
    const code = character.codePointAt(0)!;
    return code === 0x200d ? character : `\\u${code.toString(16).padStart(4, '0')}`;
  });
