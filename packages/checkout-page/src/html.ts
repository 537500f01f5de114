const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const SPECIAL = /[&<>"']/;

/** Markup that may go into a page as it is. Nothing else can: the private field keeps look-alikes out. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

export type Piece = string | number | Html | null | false | readonly Piece[];

/** Every piece is escaped for text and quoted attributes unless it is Html already; null and false leave nothing. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  let markup = strings[0]!;
  for (const [index, piece] of pieces.entries()) markup += toMarkup(piece) + strings[index + 1]!;
  return new Html(markup);
}

function toMarkup(piece: Piece): string {
  if (piece === null || piece === false) return '';
  if (piece instanceof Html) return piece.toString();
  if (Array.isArray(piece)) return piece.map(toMarkup).join('');
  const text = String(piece);
  // Most pieces need nothing, and looking is cheaper than replacing.
  return SPECIAL.test(text) ? text.replace(/[&<>"']/g, character => ESCAPES[character]!) : text;
}
