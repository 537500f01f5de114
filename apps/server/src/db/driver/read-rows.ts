/** A column of an answer, as the driver describes it. */
export interface AnswerColumn {
  readonly name: string;
  readonly dataTypeID: number;
}

export type Parse = (text: string) => unknown;
export type ReadRow = (values: readonly (string | null)[]) => object;

/** Null: the text is the value. */
export type ParserOf = (dataTypeId: number) => Parse | null;

/**
 * Makes rows with these columns. Each begins as a copy of a row of nulls, so that all have one hidden class, and what is null or
 * text is not read at all.
 */
export function rowReader(columns: readonly AnswerColumn[], parserOf: ParserOf): ReadRow {
  const names = columns.map(({ name }) => name);
  const parsers = columns.map(({ dataTypeID }) => parserOf(dataTypeID));
  const empty: Record<string, unknown> = Object.fromEntries(names.map(name => [name, null]));
  return values => {
    const row = { ...empty };
    for (let i = 0; i < names.length; i++) {
      const text = values[i]!;
      if (text === null) continue;
      const parse = parsers[i]!;
      row[names[i]!] = parse === null ? text : parse(text);
    }
    return row;
  };
}
