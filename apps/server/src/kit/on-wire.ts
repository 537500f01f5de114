import { toUnixSeconds } from './clock.ts';

type Trimmed<Text extends string> = Text extends ` ${infer Rest}` | `\n${infer Rest}` ? Trimmed<Rest> : Text;

/** The names in a list such as `'status, email'`. */
export type NamesIn<List extends string> = List extends `${infer First},${infer Rest}`
  ? Trimmed<First> | NamesIn<Rest>
  : Trimmed<List>;

export const namesIn = (list: string): string[] => list.split(',').map(name => name.trim());

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type OnWire<Value> = Value extends Date ? number : Value;

export type Fields<Row, List extends string> = {
  [Name in NamesIn<List>]: CamelCase<Name> extends keyof Row ? OnWire<Row[CamelCase<Name>]> : never;
};

type Checked<Row, List extends string> = [CamelCase<NamesIn<List>>] extends [keyof Row] ? unknown : never;

const known = new Map<string, readonly (readonly [name: string, key: string])[]>();

function fieldsIn(list: string) {
  const fields =
    known.get(list) ??
    namesIn(list).map(
      name => [name, name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())] as const,
    );
  known.set(list, fields);
  return fields;
}

/** `onWire(delivery, 'id, order_id, created_at')`: the row's properties in snake case, times in Unix seconds. */
export function onWire<Row extends object, const List extends string>(
  row: Row,
  list: List & Checked<Row, List>,
): Fields<Row, List> {
  const shown: Record<string, unknown> = {};
  for (const [name, key] of fieldsIn(list)) {
    const value = row[key as keyof Row];
    shown[name] = value instanceof Date ? toUnixSeconds(value) : value;
  }
  return shown as Fields<Row, List>;
}
