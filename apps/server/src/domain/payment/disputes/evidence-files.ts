import type { EvidenceFileKind, EvidenceFileType } from '@coinslot/contract';
import type { FileRules, NamedFile } from '../providers/base/gateway.ts';

const BEGINNINGS: readonly (readonly [EvidenceFileType, Buffer])[] = [
  ['application/pdf', Buffer.from('%PDF-')],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
];

/** What a file is, whatever it is called. Null: nothing that a bank reads. */
export function typeOfFile(content: Buffer): EvidenceFileType | null {
  const known = BEGINNINGS.find(([, beginning]) => content.subarray(0, beginning.length).equals(beginning));
  return known?.[0] ?? null;
}

export type FileProblem = 'no_files' | 'empty' | 'type' | 'file_bytes' | 'total_bytes' | 'files' | 'kind_taken';

interface KeptFile {
  kind: EvidenceFileKind;
  sizeBytes: number;
}

/** Why the provider would not take another file; null: it would. Pure. */
export function fileProblem(
  rules: FileRules | undefined,
  held: readonly KeptFile[],
  given: { kind: EvidenceFileKind; content: Buffer },
): FileProblem | null {
  if (!rules) return 'no_files';
  const { kind, content } = given;
  const type = typeOfFile(content);
  if (content.length === 0) return 'empty';
  if (type === null || !rules.types.includes(type)) return 'type';
  if (content.length > rules.fileBytes) return 'file_bytes';
  if (held.length >= rules.files) return 'files';
  if (rules.oneOfEachKind && held.some(file => file.kind === kind)) return 'kind_taken';
  const total = held.reduce((sum, { sizeBytes }) => sum + sizeBytes, content.length);
  return total > rules.totalBytes ? 'total_bytes' : null;
}

const ENDINGS: Readonly<Record<EvidenceFileType, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
};

/** Names that every provider takes, the same for the same files: nothing of what a file was called reaches the bank. */
export function namedFiles<F extends { kind: EvidenceFileKind; type: EvidenceFileType }>(
  files: readonly F[],
): (Omit<F, 'name'> & NamedFile)[] {
  return files.map((file, i) => {
    const number = files.slice(0, i + 1).filter(({ kind }) => kind === file.kind).length;
    return { ...file, name: `${file.kind}-${number}.${ENDINGS[file.type]}` };
  });
}
