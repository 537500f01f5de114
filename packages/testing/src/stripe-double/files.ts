import { boundaryOf, type FormPart, kindOfFile, partsOf } from '../multipart.ts';
import { invalid } from './double-error.ts';
import type { FormFields } from './form-body.ts';
import type { DoubleFile } from './objects.ts';
import type { Store } from './store.ts';

const FILE_BYTES = 5_000_000;
/** Of all files in the evidence of a dispute. */
const EVIDENCE_BYTES = 4_500_000;

export const FILE_FIELDS: readonly string[] = [
  'receipt',
  'service_documentation',
  'customer_communication',
  'uncategorized_file',
];

/** A call with files, as its fields and the one file that Stripe takes at a time. */
export function readFileForm(raw: string, contentType: string): { fields: FormFields; file: FormPart | null } | null {
  const boundary = boundaryOf(contentType);
  if (boundary === null) return null;
  const parts = partsOf(raw, boundary);
  const fields = parts.filter(({ fileName }) => fileName === null).map(({ name, content }) => [name, content] as const);
  return { fields: Object.fromEntries(fields), file: parts.find(({ fileName }) => fileName !== null) ?? null };
}

/** Stripe looks into the file: its name and type say nothing. */
export function createFile(store: Store, purpose: string | null, file: FormPart | null): DoubleFile {
  if (purpose !== 'dispute_evidence') throw invalid('Invalid purpose.', { param: 'purpose' });
  if (file?.name !== 'file') throw invalid('Missing required param: file.', { param: 'file' });
  const type = kindOfFile(file.content);
  if (type === null) throw invalid('The file type is not supported for this purpose.', { param: 'file' });
  if (file.content.length > FILE_BYTES) throw invalid('The file is larger than 5 MB.', { param: 'file' });
  const made: DoubleFile = {
    id: store.newId('file'),
    object: 'file',
    created: store.nowSeconds(),
    filename: file.fileName ?? '',
    purpose,
    size: file.content.length,
    type,
  };
  store.files.set(made.id, made);
  return made;
}

/** Files that are named in evidence are there, once, and together as small as the card networks want them. */
export function checkFiles(store: Store, evidence: Record<string, string>): void {
  let total = 0;
  for (const field of FILE_FIELDS) {
    const id = evidence[field];
    if (id === undefined) continue;
    const file = store.files.get(id);
    if (!file) throw invalid(`No such file upload: '${id}'`, { code: 'resource_missing', param: `evidence[${field}]` });
    total += file.size;
  }
  if (total > EVIDENCE_BYTES) throw invalid('The files of the evidence are larger than 4.5 MB together.');
}
