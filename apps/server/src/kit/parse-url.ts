/** Null where it is none. Node 20's `URL.canParse` says no to letters such as ü once its caller has become hot. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
