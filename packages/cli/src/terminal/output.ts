import { columns } from './columns.ts';
import type { Io } from './io.ts';
import { createStyle, plain, type Style, wantsColor } from './style.ts';

export interface OutputOptions {
  json: boolean;
  color: boolean;
}

/** Results go to standard output, everything else to standard error. */
export interface Output {
  readonly isJson: boolean;
  readonly style: Style;
  /** One JSON document, or one line of several. */
  json(value: unknown): void;
  line(text?: string): void;
  table(heads: string[], rows: string[][], ifNone: string): void;
  fields(pairs: [string, string | null | undefined][]): void;
  /** A note on standard error. */
  note(text: string): void;
  /** The next useful command. */
  next(command: string, why: string): void;
  /** Shows progress when it takes longer than a second. */
  during<T>(what: string, work: Promise<T>): Promise<T>;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;
const PROGRESS_AFTER_MS = 1_000;
const CLEAR_LINE = '\r\u001B[K';

function createProgress(io: Io, isQuiet: boolean) {
  return async <T>(what: string, work: Promise<T>): Promise<T> => {
    if (isQuiet) return work;
    let frame = 0;
    let spinner: NodeJS.Timeout | undefined;
    const start = setTimeout(() => {
      if (!io.isErrTerminal) {
        io.err(`${what} …\n`);
        return;
      }
      spinner = setInterval(() => io.err(`${CLEAR_LINE}${FRAMES[frame++ % FRAMES.length]} ${what} …`), FRAME_MS);
    }, PROGRESS_AFTER_MS);
    try {
      return await work;
    } finally {
      clearTimeout(start);
      clearInterval(spinner);
      if (spinner) io.err(CLEAR_LINE);
    }
  };
}

export function createOutput(io: Io, { json: isJson, color }: OutputOptions): Output {
  const style = createStyle(color && wantsColor(io, io.isOutTerminal));
  const noteStyle = createStyle(color && wantsColor(io, io.isErrTerminal));
  return {
    isJson,
    style,
    json: value => io.out(`${JSON.stringify(value)}\n`),
    line: (text = '') => io.out(`${text}\n`),
    table(heads, rows, ifNone) {
      if (rows.length === 0) {
        io.err(`${ifNone}\n`);
        return;
      }
      io.out(`${columns([heads.map(style.dim), ...rows])}\n`);
    },
    fields(pairs) {
      const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '');
      io.out(`${columns(shown.map(([name, value]) => [style.dim(name), value!]))}\n`);
    },
    note(text) {
      if (!isJson) io.err(`${text}\n`);
    },
    next(command, why) {
      if (!isJson) io.err(`\n${noteStyle.dim(`${plain(why)}:`)}\n  ${noteStyle.cyan(plain(command))}\n`);
    },
    during: createProgress(io, isJson && !io.isErrTerminal),
  };
}
