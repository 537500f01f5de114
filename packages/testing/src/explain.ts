import type { Db, Queryable, Tx } from '../../../apps/server/src/db/db.ts';
import type { Statement } from '../../../apps/server/src/db/sql.ts';

export interface Plan {
  /** Pages that the statement looked at. */
  pages: number;
  text: string;
}

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Node[];
}

const drawn = (node: Node, depth = 0): string[] => [
  `${'  '.repeat(depth)}${[node['Node Type'], node['Index Name'] ?? node['Relation Name'] ?? ''].join(' ').trim()}`,
  ...(node.Plans ?? []).flatMap(child => drawn(child, depth + 1)),
];

async function explain(tx: Queryable, { text, values }: Statement): Promise<Plan> {
  const explained = `explain (analyze, buffers, costs off, timing off, summary off, format json) ${text}`;
  const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: Node }] }>({ name: '', text: explained, values });
  const { Plan: top } = row!['QUERY PLAN'][0];
  return { pages: top['Shared Hit Blocks'] + top['Shared Read Blocks'], text: drawn(top).join('\n') };
}

const isPlannable = (text: string): boolean => /^\s*(?:select|insert|update|delete|with)\b/.test(text);

/** A database that notes the plan of each statement it is given, and undoes that trial before it runs the statement. */
export function explaining(db: Db): { db: Db; plans: Map<string, Plan> } {
  const plans = new Map<string, Plan>();
  const plain = (text: string): Statement => ({ name: '', text, values: [] });
  async function inspect(tx: Tx, statement: Statement): Promise<void> {
    if (!statement.name || !isPlannable(statement.text)) return;
    tx.write(plain('savepoint explained'));
    const plan = await explain(tx, statement);
    tx.write(plain('rollback to savepoint explained'));
    if (plan.pages >= (plans.get(statement.name)?.pages ?? 0)) plans.set(statement.name, plan);
  }
  const around = (tx: Tx): Tx => {
    // What is written without waiting must still travel in its turn.
    let last: Promise<unknown> = Promise.resolve();
    const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
      const next = last.then(work);
      last = next.catch(() => {});
      return next;
    };
    return {
      ...tx,
      query: statement =>
        inTurn(async () => {
          await inspect(tx, statement);
          return tx.query(statement);
        }),
      write(statement) {
        void inTurn(async () => {
          await inspect(tx, statement);
          tx.write(statement);
        });
      },
    };
  };
  const transaction: Db['transaction'] = work =>
    db.transaction(async tx => {
      const watched = around(tx);
      const result = await work(watched);
      await watched.query(plain('select 1'));
      return result;
    });
  return {
    plans,
    db: {
      ...db,
      transaction,
      shared: (_key, work) => transaction(work),
      query: statement => transaction(tx => tx.query(statement)),
    },
  };
}
