import { type FormPart, kindOfFile } from '../multipart.ts';
import type { DoubleBody } from './paypal-routes.ts';
import { DoubleFault } from './paypal-store.ts';

const FILE_BYTES = 10_000_000;
const ALL_BYTES = 50_000_000;
const DOCUMENT_NAME = /^[A-Za-z0-9-_,\s]+[.][A-Za-z]+$/;

/** PayPal takes pictures and PDF under names without signs, each and all of them up to a size. */
export function documentsIn(parts: readonly FormPart[]): string[] {
  let total = 0;
  return parts.map(({ fileName, content }) => {
    const name = fileName ?? '';
    if (!DOCUMENT_NAME.test(name)) throw new DoubleFault(400, 'INVALID_FILE_NAME', name);
    if (kindOfFile(content) === null) throw new DoubleFault(400, 'INVALID_FILE_TYPE', name);
    total += content.length;
    if (content.length >= FILE_BYTES + 1 || total > ALL_BYTES) throw new DoubleFault(400, 'FILE_SIZE_EXCEEDED', name);
    return name;
  });
}

/** Every document that is named came, and every one that came is named. */
export function checkDocuments({ input }: DoubleBody, documents: readonly string[]): void {
  const named = (input?.evidences ?? []).flatMap(it => (it.documents ?? []).map(({ name }) => name));
  const isEqual = named.length === documents.length && named.every(name => documents.includes(name));
  if (!isEqual) throw new DoubleFault(400, 'DOCUMENTS_DO_NOT_MATCH');
}
