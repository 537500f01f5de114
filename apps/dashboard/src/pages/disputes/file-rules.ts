import type { EvidenceFile, EvidenceFileKind, EvidenceFileRules } from '@coinslot/contract';
import { numberFormat } from '../../kit/format.ts';

export const FILE_KINDS = [
  'receipt',
  'delivery',
  'communication',
  'other',
] as const satisfies readonly EvidenceFileKind[];

export type FileIssue = 'type' | 'empty' | 'file_bytes' | 'total_bytes' | 'files' | 'kind_taken';

/** Why the server would refuse the file, so that it is not uploaded in vain. Null if it would not. */
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

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** "14 kB" or "4.5 MB". */
export function fileSize(language: string, bytes: number): string {
  if (bytes >= MEGABYTE) {
    const options = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const;
    return numberFormat(language, options).format(bytes / MEGABYTE);
  }
  const options = { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 } as const;
  return numberFormat(language, options).format(Math.max(1, bytes / KILOBYTE));
}
