/** As the browser sends it, before it is drawn again. With base64 it still fits into a request. */
export const ICON_BYTES = 180 * 1024;
export const ICON_SIDE = { least: 16, most: 256 } as const;

export type IconProblem = 'too_large' | 'not_png' | 'interlaced' | 'side';
export type MadeIcon = { png: Buffer; side: number } | { problem: IconProblem };

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEADER = { lengthBytes: 4, typeBytes: 4, crcBytes: 4 } as const;
const AROUND = HEADER.lengthBytes + HEADER.typeBytes + HEADER.crcBytes;
const IHDR_BYTES = 13;
const PIXEL_BYTES = 4;

interface Chunk {
  type: string;
  data: Buffer;
}

function chunksOf(bytes: Buffer): Chunk[] | null {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null;
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  while (at + AROUND <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const from = at + HEADER.lengthBytes + HEADER.typeBytes;
    if (from + length + HEADER.crcBytes > bytes.length) return null;
    const type = bytes.toString('latin1', at + HEADER.lengthBytes, from);
    chunks.push({ type, data: bytes.subarray(from, from + length) });
    if (type === 'IEND') return chunks;
    at = from + length + HEADER.crcBytes;
  }
  return null;
}

/** Everything that decides how much memory decoding takes is read here, before the decoder sees a byte. */
function problemOf(bytes: Buffer): IconProblem | null {
  if (bytes.length > ICON_BYTES) return 'too_large';
  const chunks = chunksOf(bytes);
  const [first] = chunks ?? [];
  if (first?.type !== 'IHDR' || first.data.length !== IHDR_BYTES) return 'not_png';
  // The decoder takes the last header that it meets, so a second one could name another size.
  if (chunks!.filter(({ type }) => type === 'IHDR').length > 1) return 'not_png';
  const [width, height] = [first.data.readUInt32BE(0), first.data.readUInt32BE(4)];
  if (width !== height || width < ICON_SIDE.least || width > ICON_SIDE.most) return 'side';
  // The decoder bounds what it inflates by the header's size, except when the rows are interlaced.
  return first.data[12] === 0 ? null : 'interlaced';
}

/**
 * The pixels of a PNG, drawn again by us: no byte of the given file survives, so no text, profile, trailing data or
 * second format can hide in what we serve.
 */
export async function makeIcon(bytes: Buffer): Promise<MadeIcon> {
  const problem = problemOf(bytes);
  if (problem !== null) return { problem };
  // Asked for once in a game's life.
  const { PNG } = await import('pngjs');
  try {
    const { width, height, data } = PNG.sync.read(bytes, { checkCRC: true });
    if (data.length !== width * height * PIXEL_BYTES) return { problem: 'not_png' };
    const drawn = new PNG({ width, height });
    drawn.data = data;
    return { png: PNG.sync.write(drawn), side: width };
  } catch {
    return { problem: 'not_png' };
  }
}
