import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { CheckoutPage } from '@coinslot/checkout-page';

// Two thirds of every page are its style and its script, which never change: they are packed once, and only what lies
// around them for each visit. Smaller answers also leave sooner: writing the whole page to a socket took longer than
// reading and rendering it.

const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const LAST_BLOCK = Buffer.from([3, 0]);
/** Below this packing saves less than it costs, so the bytes go as they are. */
const WORTH_PACKING = 1_200;
/** Beyond this the time grows and the size hardly shrinks. */
const LEVEL = 3;

interface Piece {
  bytes: Buffer;
  /** Complete deflate blocks that end at a byte, so that others can follow. */
  packed: Buffer;
}

/** Tables that fit a page: the usual ones are so large that the system hands out fresh memory for each call. */
const SMALL_TABLES = { windowBits: 14, memLevel: 6 };

const pack = (bytes: Buffer, level: number): Buffer =>
  deflateRawSync(bytes, { ...SMALL_TABLES, level, finishFlush: constants.Z_SYNC_FLUSH });

/** A deflate block that holds its bytes as they are; the length has 16 bits. */
function store(bytes: Buffer): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0]);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(~bytes.length & 0xffff, 3);
  return Buffer.concat([head, bytes]);
}

function pieceOf(text: string): Piece {
  const bytes = Buffer.from(text);
  return { bytes, packed: bytes.length < WORTH_PACKING ? store(bytes) : pack(bytes, LEVEL) };
}

const fixed = new Map<string, Piece>();

/** There are two of them; by their text, so that no other can be taken for one. */
function fixedPieceOf(text: string): Piece {
  const known = fixed.get(text);
  if (known) return known;
  const bytes = Buffer.from(text);
  const made = { bytes, packed: pack(bytes, constants.Z_BEST_COMPRESSION) };
  fixed.set(text, made);
  return made;
}

/** The page as gzip. Safe beside a secret: whoever could ask for this page again and again has its secret, the address, already. */
export function packPage([head, style, body, script, end]: CheckoutPage['parts']): Buffer {
  const all = [pieceOf(head), fixedPieceOf(style), pieceOf(body), fixedPieceOf(script), pieceOf(end)];
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
