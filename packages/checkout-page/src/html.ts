const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const SPECIAL = /[&<>"']/;

/** Markup that is the same on many pages. It stays one piece of each, so that whoever packs the page packs it once. */
export class Shared {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = string | Shared;

/** Markup that may go into a page as it is. Nothing else can: the private field keeps look-alikes out. */
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

/** For what is made once and shown on many pages. */
export const shared = (markup: Html): Html => new Html([new Shared(markup.toString())]);

export type Piece = string | number | Html | null | false | readonly Piece[];

/** Every piece is escaped for text and quoted attributes unless it is Html already; null and false leave nothing. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  const parts: Part[] = [strings[0]!];
  for (const [index, piece] of pieces.entries()) {
    addPiece(parts, piece);
    addText(parts, strings[index + 1]!);
  }
  return new Html(parts);
}

/** What stands before the first and after a shared part is text, so there is always one to add to. */
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

/** Most pieces need nothing, and looking is cheaper than replacing. */
export const escapeHtml = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[&<>"']/g, character => ESCAPES[character]!) : text;
