import { createdBetween, LIMITS, named, nullable, paging, time } from '../shape.ts';
import { type TSchema, Type } from '../type.ts';

export const SEARCH_CHARS = 255;

/** A filter with several values is one query parameter, separated by commas. */
export const someOf = (words: readonly string[], description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 1_000,
      pattern: `^(?:${words.map(word => word.replaceAll('.', '\\.')).join('|')})(?:,(?:${words.map(word => word.replaceAll('.', '\\.')).join('|')}))*$`,
      description: `${description} Separate several with commas.`,
    }),
  );

export const search = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: SEARCH_CHARS, description }));

export const exactly = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: LIMITS.idChars, description }));

/** All dashboard lists are paged in the same way. */
export const listing = { ...paging, ...createdBetween };

/**
 * A page of a long list. Each response does a bounded amount of work, so a rare filter can return fewer rows than
 * requested, or none, with a `next_cursor` to continue.
 */
export const boundedPage = <S extends TSchema>(title: string, item: S) =>
  named(
    title,
    {
      data: Type.Array(item, { description: 'Newest first.' }),
      next_cursor: nullable(
        Type.String({ description: 'Send it as `cursor` to get the next page; null on the last page.' }),
      ),
      searched_back_to: nullable(
        time(
          'Set when the page is short because the search stopped early; rows older than this were not searched yet.',
        ),
      ),
    },
    'One page of a long list.',
  );

export const Count = named(
  'Count',
  {
    count: Type.Integer({ description: 'Number of rows.' }),
    is_exact: Type.Boolean({ description: 'False when it is an estimate, accurate to about two digits.' }),
  },
  'Length of a list.',
);
