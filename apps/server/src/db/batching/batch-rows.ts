import { RowsWriter, sentText } from '../driver/sent-rows.ts';
import type { NumberedRow, RowsStatement, Send } from '../sql.ts';

type AnyRows = Pick<RowsStatement<NumberedRow>, 'name' | 'text' | 'columns'>;

interface Waiter {
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

interface NumberedAnswer {
  n: number | undefined;
}

/** The rows of one statement, until it is sent. */
class Group {
  readonly statement: AnyRows;
  readonly #rows: RowsWriter;
  readonly #waiters: Waiter[][] = [];
  /** Question → its number in the batch, so that callers who ask the same share one row. */
  readonly #numberOf = new Map<string, number>();

  constructor(statement: AnyRows) {
    this.statement = statement;
    this.#rows = new RowsWriter(statement.columns);
  }

  write(row: object): void {
    this.#rows.add(row);
  }

  /** Callers who ask the same share an answer. */
  ask(row: object, waiter: Waiter): void {
    const question = sentText(row, this.statement.columns);
    const known = this.#numberOf.get(question);
    if (known !== undefined) {
      this.#waiters[known]!.push(waiter);
      return;
    }
    const n = this.#rows.add(row);
    this.#numberOf.set(question, n);
    this.#waiters[n] = [waiter];
  }

  send(send: Send): Promise<void> {
    const { name, text } = this.statement;
    const answered = send<NumberedAnswer>({ name, text, values: [this.#rows.end()] });
    return answered.then(
      answers => this.#answer(answers),
      (error: unknown) => this.#fail(error),
    );
  }

  /** Removes the number from each answer, because a caller may write the answer into another statement as it is. */
  #answer(answers: NumberedAnswer[]): void {
    if (this.#waiters.length === 0) return;
    const byNumber = new Map<number | undefined, NumberedAnswer>();
    for (const answer of answers) {
      byNumber.set(answer.n, answer);
      answer.n = undefined;
    }
    for (const [n, waiters] of this.#waiters.entries()) {
      const answer = byNumber.get(n);
      // Each has a row of its own, because reading makes it the value.
      for (const [i, { resolve }] of waiters.entries()) resolve(answer && i > 0 ? { ...answer } : answer);
    }
  }

  #fail(error: unknown): void {
    for (const waiters of this.#waiters) for (const { reject } of waiters) reject(error);
    throw error;
  }
}

/** One caller's statements keep their order among themselves; the same statements of several callers become one. */
export interface RowBatcher {
  write<Row extends NumberedRow>(statement: RowsStatement<Row>, rows: readonly Row[]): void;
  ask<Row extends NumberedRow, Answer>(statement: RowsStatement<Row, Answer>, row: Row): Promise<Answer | undefined>;
}

export interface RowBatches {
  forCaller(): RowBatcher;
  /** Sends the rows that wait. What a caller sends by another way must not overtake them. */
  flush(): void;
}

export interface BatchRowsOptions {
  send: Send;
  /** When to send what the callers of this moment gave. */
  schedule: (flush: () => void) => void;
  /** Called for each statement that was sent, whether it succeeds or not. */
  onSent: (sent: Promise<void>) => void;
}

/**
 * Callers who do the same at the same moment give their rows to one statement. A statement for many rows costs the
 * database little more than one for a single row, and the driver as good as nothing.
 */
export function batchRows({ send, schedule, onSent }: BatchRowsOptions): RowBatches {
  let groups: Group[] = [];
  let flushes = 0;

  function flush(): void {
    if (groups.length === 0) return;
    const ready = groups;
    groups = [];
    flushes++;
    for (const group of ready) onSent(group.send(send));
  }

  function forCaller(): RowBatcher {
    let seenFlushes = flushes;
    let last = -1;
    // Behind everything the same caller gave before: an update must not overtake the lock it stands on.
    const groupFor = (statement: AnyRows): Group => {
      if (seenFlushes !== flushes) last = -1;
      seenFlushes = flushes;
      if (groups.length === 0) schedule(flush);
      const found = groups.findIndex((group, i) => i > last && group.statement === statement);
      last = found === -1 ? groups.push(new Group(statement)) - 1 : found;
      return groups[last]!;
    };
    return {
      write(statement, rows) {
        if (rows.length === 0) return;
        const group = groupFor(statement);
        for (const row of rows) group.write(row);
      },
      ask<Row extends NumberedRow, Answer>(statement: RowsStatement<Row, Answer>, row: Row) {
        const group = groupFor(statement);
        return new Promise<Answer | undefined>((resolve, reject) => {
          group.ask(row, { resolve: resolve as Waiter['resolve'], reject });
        });
      },
    };
  }

  return { forCaller, flush };
}

/** The same without sharing: a statement for each row. Only the bench asks for it, to see what sharing is worth. */
export function eachRowAlone({ send, onSent }: BatchRowsOptions): RowBatches {
  const sendNow = (statement: AnyRows, row: object, waiter?: Waiter): void => {
    const group = new Group(statement);
    if (waiter) group.ask(row, waiter);
    else group.write(row);
    onSent(group.send(send));
  };
  const batcher: RowBatcher = {
    write(statement, rows) {
      for (const row of rows) sendNow(statement, row);
    },
    ask: <Row extends NumberedRow, Answer>(statement: RowsStatement<Row, Answer>, row: Row) =>
      new Promise<Answer | undefined>((resolve, reject) => {
        sendNow(statement, row, { resolve: resolve as Waiter['resolve'], reject });
      }),
  };
  return { forCaller: () => batcher, flush: () => {} };
}
