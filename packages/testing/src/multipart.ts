/** A part of a form: a value, or a file when it has a file's name. */
export interface FormPart {
  name: string;
  fileName: string | null;
  type: string | null;
  /** One character for each byte. */
  content: string;
}

export const boundaryOf = (contentType: string): string | null =>
  /^multipart\/form-data; ?boundary=(.+)$/.exec(contentType)?.[1] ?? null;

/** `multipart/form-data`, given one character for each byte. */
export function partsOf(raw: string, boundary: string): FormPart[] {
  const parts = raw.split(`--${boundary}`).slice(1, -1);
  return parts.map(part => {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, end);
    return {
      name: /\bname="([^"]*)"/.exec(head)?.[1] ?? '',
      fileName: /filename="([^"]*)"/i.exec(head)?.[1] ?? null,
      type: /content-type: ([^\r\n]+)/i.exec(head)?.[1] ?? null,
      content: part.slice(end + 4, -2),
    };
  });
}

const BEGINNINGS = { '%PDF-': 'pdf', '\u0089PNG\r\n\u001a\n': 'png', '\u00ff\u00d8\u00ff': 'jpg' } as const;

/** What a provider finds in the first bytes of a file. Null: none of the types that banks read. */
export function kindOfFile(content: string): 'pdf' | 'png' | 'jpg' | null {
  const known = Object.entries(BEGINNINGS).find(([beginning]) => content.startsWith(beginning));
  return known?.[1] ?? null;
}
