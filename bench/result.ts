export interface Result {
  what: string;
  measured: string;
  value: number;
  unit: '×' | 'ms' | 'MB' | 'KB' | '/s' | '';
  /** Null: shown, but no target is set. */
  target: { atLeast: number } | { atMost: number } | null;
}

export function isMet({ value, target }: Result): boolean {
  if (!target) return true;
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}

const text = (value: number, unit: Result['unit']): string => {
  const digits = unit === 'MB' || unit === '/s' ? 0 : 2;
  if (unit === '/s') return `${value.toFixed(digits)}${unit}`;
  return `${value.toFixed(digits)} ${unit}`.trimEnd();
};

function targetText({ target, unit }: Result): string {
  if (!target) return '';
  return 'atLeast' in target ? `≥ ${text(target.atLeast, unit)}` : `≤ ${text(target.atMost, unit)}`;
}

const verdict = (result: Result): string => (result.target ? (isMet(result) ? 'met' : 'missed') : '');

/** A table that reads in a terminal and in Markdown alike. */
export function tableOf(results: readonly Result[]): string {
  const rows = results.map(result => [
    result.what,
    result.measured,
    text(result.value, result.unit),
    targetText(result),
    verdict(result),
  ]);
  const all = [['what', 'measured', 'result', 'target', ''], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map(row => row[column]!.length)));
  const line = (row: string[]): string => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const rule = `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`;
  return [line(all[0]!), rule, ...all.slice(1).map(line)].join('\n');
}
