import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { ICON_BYTES, makeIcon } from './make-icon.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

function header(width: number, height = width, interlace = 0): Buffer {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, interlace]);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  return chunk('IHDR', data);
}

const rows = (side: number): Buffer => Buffer.concat(Array.from({ length: side }, () => Buffer.alloc(1 + side * 4, 0)));
const end = chunk('IEND', Buffer.alloc(0));
const png = (...chunks: Buffer[]): Buffer => Buffer.concat([SIGNATURE, ...chunks, end]);

function drawn(side: number): Buffer {
  const picture = new PNG({ width: side, height: side });
  for (let at = 0; at < picture.data.length; at += 1) picture.data[at] = at % 251;
  return PNG.sync.write(picture);
}

describe('an icon', () => {
  test('keeps its pixels and nothing else of the file', async () => {
    const given = drawn(64);
    const secret = Buffer.from('<script>alert(1)</script>');
    const [before, after] = [given.subarray(0, 33), given.subarray(33)];
    const dressed = Buffer.concat([before, chunk('tEXt', secret), chunk('eXIf', secret), after]);
    const made = await makeIcon(dressed);
    if ('problem' in made) throw new Error(made.problem);
    expect(made.side).toBe(64);
    expect(PNG.sync.read(made.png).data.equals(PNG.sync.read(given).data)).toBe(true);
    expect(made.png.includes('script')).toBe(false);
    expect(made.png.includes('tEXt')).toBe(false);
  });

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'not_png'],
    ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'not_png'],
    ['nothing', Buffer.alloc(0), 'not_png'],
    ['a file that ends early', drawn(64).subarray(0, 200), 'not_png'],
    [
      'a chunk that claims to be longer than the file',
      Buffer.concat([SIGNATURE, Buffer.from('7fffffff49484452', 'hex')]),
      'not_png',
    ],
    ['something behind the picture', Buffer.concat([drawn(64), Buffer.from('PK')]), 'not_png'],
    ['a wrong checksum', drawn(64).map((byte, at) => (at === 60 ? byte ^ 1 : byte)), 'not_png'],
    ['too many bytes', Buffer.concat([drawn(64), Buffer.alloc(ICON_BYTES)]), 'too_large'],
    ['a tiny one', drawn(8), 'side'],
    ['a wide one', png(header(64, 32), chunk('IDAT', deflateSync(rows(64)))), 'side'],
    ['more pixels than the limit, before any is decoded', png(header(60_000), chunk('IDAT', Buffer.alloc(8))), 'side'],
    [
      'a second header that names another size',
      png(header(64), header(60_000), chunk('IDAT', deflateSync(rows(64)))),
      'not_png',
    ],
    [
      'interlaced rows, whose size the decoder does not bound',
      png(header(64, 64, 1), chunk('IDAT', deflateSync(rows(64)))),
      'interlaced',
    ],
  ])('is refused: %s', async (_what, bytes, problem) => {
    expect(await makeIcon(Buffer.from(bytes))).toEqual({ problem });
  });

  test('that unpacks to more than its header says takes no more memory than the header says', async () => {
    const bomb = png(header(64), chunk('IDAT', deflateSync(Buffer.alloc(30 * 1024 * 1024), { level: 9 })));
    expect(bomb.length).toBeLessThan(ICON_BYTES);
    const before = process.memoryUsage().arrayBuffers;
    await makeIcon(bomb);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 1024 * 1024);
  });
});
