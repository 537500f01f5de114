import type { Page } from './api-shapes.ts';
import { InputCheck, isRecord } from './input-check.ts';
import { type Listing, listing } from './listing.ts';
import type { Answer, CallOptions, RequestOptions } from './send-request.ts';

export type Request = <T = unknown>(options: RequestOptions) => Promise<Answer<T>>;

const LARGEST_PAGE = 100;

export const bodyOf = async <T>(answer: Promise<Answer<T>>): Promise<T> => (await answer).body;

export const optionsOf = ({ signal, timeoutMs, retries }: CallOptions): CallOptions => ({
  ...(signal && { signal }),
  ...(timeoutMs !== undefined && { timeoutMs }),
  ...(retries !== undefined && { retries }),
});

interface ListCall {
  name: string;
  path: string;
  filter: object;
  options: CallOptions;
  /** Filters whose values come from a closed list. */
  words?: Record<string, readonly string[]>;
  known: readonly string[];
}

/** Invalid filters throw when the list is created, not when it is read. */
export function listCall<T>(
  request: Request,
  { name, path, filter, options, words = {}, known }: ListCall,
): Listing<T> {
  const check = new InputCheck(name);
  if (check.object(filter, '', '{ limit: 20 }')) {
    check.fieldNames(filter, '', known);
    if (filter.limit !== undefined) check.wholeNumber(filter.limit, '/limit', 1, LARGEST_PAGE);
    for (const [field, list] of Object.entries(words)) {
      if (filter[field] !== undefined) check.oneOf(filter[field], `/${field}`, list);
    }
    for (const field of ['created_from', 'created_to']) {
      const time = filter[field];
      if (time === undefined) continue;
      if (time instanceof Date || (typeof time === 'number' && time > 1e11))
        check.refuse(`/${field}`, 'type', 'is in Unix seconds: Math.floor(date.getTime() / 1000)');
    }
  }
  check.done();
  const query = isRecord(filter) ? (filter as NonNullable<RequestOptions['query']>) : {};
  return listing<T>(cursor =>
    bodyOf(
      request<Page<T>>({ method: 'GET', path, query: { ...query, ...(cursor && { cursor }) }, ...optionsOf(options) }),
    ),
  );
}
