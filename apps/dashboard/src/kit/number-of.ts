/** "4.99" and "4,99" are the same; a thousands separator is none. */
export function numberOf(text: string): number | null {
  const plain = text.trim().replace(',', '.');
  return /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : null;
}
