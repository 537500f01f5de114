import type { AuditLine } from '@coinslot/contract';
import { t, tryText } from '../../texts/texts.ts';

const MAX_VALUE_CHARS = 40;
const MAX_CHANGES = 3;

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= MAX_VALUE_CHARS ? text : `${text.slice(0, MAX_VALUE_CHARS - 1)}…`;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Describes a change in one line, such as `role: viewer → developer`. Empty if the entry has no values. */
export function changeText({ before, after }: Pick<AuditLine, 'before' | 'after'>): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter(name => !isSame(before?.[name] ?? null, after?.[name] ?? null));
  const parts = changed.slice(0, MAX_CHANGES).map(name => {
    const label = tryText(`audit.field.${name}`) ?? name.replaceAll('_', ' ');
    if (before === null || after === null) return `${label}: ${valueText((after ?? before)?.[name])}`;
    return `${label}: ${valueText(before[name])} → ${valueText(after[name])}`;
  });
  return `${parts.join(', ')}${changed.length > MAX_CHANGES ? ', …' : ''}`;
}
