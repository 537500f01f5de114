import type { AuditLine } from '@coinslot/contract';
import { t, tryText } from '../../texts/texts.ts';

const LONGEST = 40;
const MOST = 3;

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Which way it was changed, in one line: `role: viewer → developer`. Empty when the entry holds nothing more. */
export function changeText({ before, after }: Pick<AuditLine, 'before' | 'after'>): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter(name => !isSame(before?.[name] ?? null, after?.[name] ?? null));
  const parts = changed.slice(0, MOST).map(name => {
    const label = tryText(`audit.field.${name}`) ?? name.replaceAll('_', ' ');
    if (before === null || after === null) return `${label}: ${valueText((after ?? before)?.[name])}`;
    return `${label}: ${valueText(before[name])} → ${valueText(after[name])}`;
  });
  return `${parts.join(', ')}${changed.length > MOST ? ', …' : ''}`;
}
