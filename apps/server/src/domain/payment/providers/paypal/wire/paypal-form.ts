import type { EvidenceFile } from '../../base/gateway.ts';

/**
 * Put together by hand: `FormData` gives every part that has a type a file's name, and PayPal takes what has one for a
 * document, not for the JSON that it reads first.
 */
const BOUNDARY = '----coinslot-7c1e0f52a9d34b6e';

const partText = ([name, part]: [string, object], boundary: string): string =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(part)}\r\n`;

const fileHead = ({ name, type }: EvidenceFile, boundary: string): string =>
  `--${boundary}\r\ncontent-disposition: form-data; name="evidence-file"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`;

const isIn = (files: readonly EvidenceFile[], boundary: string): boolean =>
  files.some(({ content }) => content.includes(boundary));

/** What a file holds may be anything, so that the text between the parts is one which none of them has. */
function boundaryFor(files: readonly EvidenceFile[]): string {
  let boundary = BOUNDARY;
  for (let n = 1; isIn(files, boundary); n++) boundary = `${BOUNDARY}-${n}x`;
  return boundary;
}

export function formContent(form: Readonly<Record<string, object>>, files: readonly EvidenceFile[]) {
  const boundary = boundaryFor(files);
  const texts = Object.entries(form).map(part => Buffer.from(partText(part, boundary)));
  const documents = files.flatMap(file => [Buffer.from(fileHead(file, boundary)), file.content, Buffer.from('\r\n')]);
  const body = Buffer.concat([...texts, ...documents, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}
