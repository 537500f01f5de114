import type { NumberedRow, RowsStatement, Statement } from './sql.ts';

type Send = <Row>(statement: Statement) => Promise<Row[]>;
type AnyRows = Pick<Statement, 'name' | 'text'>;

interface Asker {
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

/** The rows of one statement, until it is sent. */
class Group {
  readonly statement: AnyRows;
  readonly #rows: string[] = [];
  readonly #askers: Asker[][] = [];
  readonly #places = new Map<string, number>();

  constructor(statement: AnyRows) {
    this.statement = statement;
  }

  write(row: object): void {
    this.#rows.push(JSON.stringify(row));
  }

  /** Who asks the same as another shares its answer. */
  ask(row: object, asker: Asker): void {
    const json = JSON.stringify(row);
    const known = this.#places.get(json);
    if (known !== undefined) {
      this.#askers[known]!.push(asker);
      return;
    }
    const n = this.#rows.push(json) - 1;
    this.#places.set(json, n);
    this.#askers[n] = [asker];
  }

  send(send: Send): Promise<void> {
    const { name, text } = this.statement;
    const rows = this.#rows.map((json, n) => `{"n":${n}${json === '{}' ? '' : ','}${json.slice(1)}`);
    const answered = send<{ n: number }>({ name, text, values: [`[${rows.join(',')}]`] });
    return answered.then(
      answers => this.#tell(answers),
      (error: unknown) => this.#fail(error),
    );
  }

  #tell(answers: { n: number }[]): void {
    if (this.#askers.length === 0) return;
    const byPlace = new Map(answers.map(answer => [answer.n, answer]));
    for (const [n, askers] of this.#askers.entries()) for (const { resolve } of askers) resolve(byPlace.get(n));
  }

  #fail(error: unknown): void {
    for (const askers of this.#askers) for (const { reject } of askers) reject(error);
    throw error;
  }
}

/** One caller's statements keep their order among themselves; the same statements of several callers become one. */
export interface Gatherer {
  write<Row extends NumberedRow>(statement: RowsStatement<Row>, rows: readonly Row[]): void;
  ask<Row extends NumberedRow, Answer>(statement: RowsStatement<Row, Answer>, row: Row): Promise<Answer | undefined>;
}

export interface Gathering {
  forCaller(): Gatherer;
  /** Sends what was gathered. What a caller sends by another way must not overtake it. */
  flush(): void;
}

export interface GatherOptions {
  send: Send;
  /** When to send what the callers of this moment gave. */
  schedule: (flush: () => void) => void;
  /** Hears of each statement that was sent, whether it went well or not. */
  onSent: (sent: Promise<void>) => void;
}

/**
 * Callers who do the same at the same moment give their rows to one statement. A statement for many rows costs the
 * database little more than one for a single row, and the driver as good as nothing.
 */
export function gather({ send, schedule, onSent }: GatherOptions): Gathering {
  let groups: Group[] = [];
  let flushes = 0;

  function flush(): void {
    if (groups.length === 0) return;
    const ready = groups;
    groups = [];
    flushes++;
    for (const group of ready) onSent(group.send(send));
  }

  function forCaller(): Gatherer {
    let seenFlushes = flushes;
    let place = -1;
    // Behind everything the same caller gave before: an update must not overtake the lock it stands on.
    const groupFor = (statement: AnyRows): Group => {
      if (seenFlushes !== flushes) place = -1;
      seenFlushes = flushes;
      if (groups.length === 0) schedule(flush);
      const found = groups.findIndex((group, i) => i > place && group.statement === statement);
      place = found === -1 ? groups.push(new Group(statement)) - 1 : found;
      return groups[place]!;
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
          group.ask(row, { resolve: resolve as Asker['resolve'], reject });
        });
      },
    };
  }

  return { forCaller, flush };
}
