import type { EvidenceFile, EvidenceFileKind, EvidenceFileRules } from '@coinslot/contract';

export const FILE_KINDS = [
  'receipt',
  'delivery',
  'communication',
  'other',
] as const satisfies readonly EvidenceFileKind[];

export type FileIssue = 'type' | 'empty' | 'file_bytes' | 'total_bytes' | 'files' | 'kind_taken';

/** What the server would refuse, told before megabytes are sent. */
export function fileIssue(
  rules: EvidenceFileRules,
  files: readonly Pick<EvidenceFile, 'kind' | 'bytes'>[],
  kind: EvidenceFileKind,
  file: { type: string; size: number },
): FileIssue | null {
  if (file.size === 0) return 'empty';
  if (!rules.types.some(type => type === file.type)) return 'type';
  if (file.size > rules.file_bytes) return 'file_bytes';
  if (files.length >= rules.files) return 'files';
  if (rules.one_of_each_kind && files.some(one => one.kind === kind)) return 'kind_taken';
  const total = files.reduce((sum, { bytes }) => sum + bytes, file.size);
  return total > rules.total_bytes ? 'total_bytes' : null;
}

export const megabytes = (bytes: number, language: string): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(Math.max(0.1, bytes / 1_000_000));
