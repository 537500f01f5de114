/** A named, prepared statement: PostgreSQL plans it once for each connection. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

const texts = new WeakMap<TemplateStringsArray, string>();

function textOf(strings: TemplateStringsArray): string {
  let text = texts.get(strings);
  if (text === undefined) {
    text = strings.reduce((joined, part, i) => `${joined}$${i}${part}`);
    texts.set(strings, text);
  }
  return text;
}

/** sql('order_find')`select … where id = ${id}`: values never become text. */
export const sql =
  (name: string) =>
  (strings: TemplateStringsArray, ...values: unknown[]): Statement => ({ name, text: textOf(strings), values });
