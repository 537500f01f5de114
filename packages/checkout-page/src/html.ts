const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const SPECIAL = /[&<>"']/;

/** Markup that many pages share. It stays a separate part, so that the server compresses it only once. */
export class Shared {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = string | Shared;

/** Markup that is inserted without escaping. The private field keeps other objects from passing as it. */
export class Html {
  readonly #parts: readonly Part[];

  constructor(markup: string | readonly Part[]) {
    this.#parts = typeof markup === 'string' ? [markup] : markup;
  }

  get parts(): readonly Part[] {
    return this.#parts;
  }

  toString(): string {
    return textOf(this.#parts);
  }
}

export const textOf = (parts: readonly Part[]): string =>
  parts.map(part => (typeof part === 'string' ? part : part.text)).join('');

/** Marks markup that is rendered once and shown on many pages. */
export const shared = (markup: Html): Html => new Html([new Shared(markup.toString())]);

export type Piece = string | number | Html | null | false | readonly Piece[];

/** Escapes every value for text and quoted attributes unless it is Html already. Null and false add nothing. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  const parts: Part[] = [strings[0]!];
  for (const [index, piece] of pieces.entries()) {
    addPiece(parts, piece);
    addText(parts, strings[index + 1]!);
  }
  return new Html(parts);
}

/** Appends to the last text part, or starts one after a shared part. */
function addText(parts: Part[], text: string): void {
  const last = parts.length - 1;
  const before = parts[last];
  if (typeof before === 'string') parts[last] = before + text;
  else parts.push(text);
}

function addPiece(parts: Part[], piece: Piece): void {
  if (piece === null || piece === false) return;
  if (piece instanceof Html) {
    for (const part of piece.parts) {
      if (typeof part === 'string') addText(parts, part);
      else parts.push(part);
    }
  } else if (Array.isArray(piece)) for (const one of piece) addPiece(parts, one);
  else addText(parts, escapeHtml(String(piece)));
}

/** Most values need no escaping, and a test is cheaper than a replacement. */
export const escapeHtml = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[&<>"']/g, character => ESCAPES[character]!) : text;
