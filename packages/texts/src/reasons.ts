import { catalog } from './catalog.ts';
import { en } from './reasons/en.ts';

/** Why a payment, a step or a refund was refused. The API and the payment's record say it in English. */
export const reasons = catalog({ en });

type GroupOf<Key> = Key extends `${infer Provider}.${infer Group}.${string}`
  ? `${Provider}.${Group}`
  : Key extends `${infer Group}.${string}`
    ? Group
    : never;

/** Undefined: there are no words for this code. */
export function reasonOf(group: GroupOf<keyof typeof en>, code: string): string | undefined {
  const texts: Readonly<Record<string, string>> = en;
  const key = `${group}.${code}`;
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}
