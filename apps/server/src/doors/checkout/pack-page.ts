import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { CheckoutPage } from '@coinslot/checkout-page';

// Most of a page is the same for everybody who reads its language: style, script, the card fields, the test cards, the
// names of languages. Each such stretch is packed once and found again by its text, and what is left is little enough to
// go as it is. So a visit packs nothing, and its answer is still a third of its size.

const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const LAST_BLOCK = Buffer.from([3, 0]);
/** What is the order's own goes as it is while it is short: packing it would save less than it costs. */
const WORTH_PACKING = 3_000;

interface Piece {
  bytes: Buffer;
  /** Complete deflate blocks that end at a byte, so that others can follow. */
  packed: Buffer;
}

const pack = (bytes: Buffer, level: number): Buffer =>
  deflateRawSync(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH });

/** A deflate block that holds its bytes as they are. */
function store(bytes: Buffer): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0]);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(~bytes.length & 0xffff, 3);
  return Buffer.concat([head, bytes]);
}

/** Where a page turns to what is the same on many pages, and back, in its order. The e-mail is never inside. */
const CUTS = [
  { mark: '<meta charset', repeats: true },
  { mark: '<title>', repeats: false },
  { mark: '<link rel="icon"', repeats: true },
  { mark: '<style', repeats: true },
  { mark: '</head>', repeats: false },
  { mark: '<details><summary>', repeats: true },
  { mark: '</details>', repeats: false },
  { mark: '<label for="card_number"', repeats: true },
  { mark: '<button class="button"', repeats: false },
  { mark: '<select', repeats: true },
  { mark: '</select>', repeats: false },
];

function cut(text: string): Piece[] {
  const pieces: Piece[] = [];
  let pieceOf = ownPiece;
  let from = 0;
  for (const { mark, repeats } of CUTS) {
    const at = text.indexOf(mark, from);
    if (at < 0) continue;
    pieces.push(pieceOf(text.slice(from, at)));
    pieceOf = repeats ? sharedPiece : ownPiece;
    from = at;
  }
  return [...pieces, pieceOf(text.slice(from))];
}

function ownPiece(text: string): Piece {
  const bytes = Buffer.from(text);
  return { bytes, packed: bytes.length < WORTH_PACKING ? store(bytes) : pack(bytes, constants.Z_BEST_SPEED) };
}

const known = new Map<string, Piece>();
/** A few for each language, and some more where a form is shown again with its faults. */
const MOST_KNOWN = 500;

function sharedPiece(text: string): Piece {
  const found = known.get(text);
  if (found) return found;
  const bytes = Buffer.from(text);
  const made = { bytes, packed: pack(bytes, constants.Z_BEST_COMPRESSION) };
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, made);
  return made;
}

/** The page as gzip. Safe beside a secret: whoever could ask for this page again and again has its secret, the address, already. */
export function packPage([head, style, body, script, end]: CheckoutPage['parts']): Buffer {
  const all = [...cut(head), sharedPiece(style), ...cut(body), sharedPiece(script), ownPiece(end)];
  // The checksum of nothing starts it anew, whatever came before.
  const pieces = all.filter(({ bytes }) => bytes.length > 0);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(
    pieces.reduce((sum, { bytes }) => crc32(bytes, sum), 0),
    0,
  );
  tail.writeUInt32LE(
    pieces.reduce((sum, { bytes }) => sum + bytes.length, 0),
    4,
  );
  return Buffer.concat([GZIP_HEAD, ...pieces.map(({ packed }) => packed), LAST_BLOCK, tail]);
}

/** A quality of 0 means "not this one". */
export const takesGzip = (acceptEncoding: string | string[] | undefined): boolean =>
  String(acceptEncoding ?? '')
    .split(',')
    .some(part => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(part));
