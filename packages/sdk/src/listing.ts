import type { Page } from './api-shapes.ts';

/** A list, read page by page while you go through it with `for await`. */
export interface Listing<T> extends AsyncIterable<T> {
  /** One page as the service returns it, for the `limit` and `cursor` of the call. */
  page(): Promise<Page<T>>;
  /** The first entries, at most that many. */
  take(count: number): Promise<T[]>;
}

export function listing<T>(fetchPage: (cursor: string | undefined) => Promise<Page<T>>): Listing<T> {
  async function* entries(): AsyncGenerator<T, void, undefined> {
    let cursor: string | undefined;
    do {
      const { data, next_cursor } = await fetchPage(cursor);
      yield* data;
      cursor = next_cursor ?? undefined;
    } while (cursor !== undefined);
  }
  return {
    [Symbol.asyncIterator]: entries,
    page: () => fetchPage(undefined),
    async take(count) {
      const taken: T[] = [];
      if (count < 1) return taken;
      for await (const entry of entries()) {
        taken.push(entry);
        if (taken.length >= count) break;
      }
      return taken;
    },
  };
}
