/** Returns null for an invalid URL. `URL.canParse` of Node 20 refuses letters such as ü once its caller is optimized. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
