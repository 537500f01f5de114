/** Three times the displayed size, for dense screens. Any image of this size fits into a request. */
const SIDE = 192;

/**
 * Crops any image that the browser can read to its middle square, as base64 PNG. The server accepts no other format.
 */
export async function squarePng(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const side = Math.min(bitmap.width, bitmap.height);
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
  context.drawImage(bitmap, left, top, side, side, 0, 0, SIDE, SIDE);
  bitmap.close();
  return canvas.toDataURL('image/png').split(',')[1]!;
}
