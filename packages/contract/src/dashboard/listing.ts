import { createdBetween, LIMITS, named, nullable, paging, time } from '../shape.ts';
import { type TSchema, Type } from '../type.ts';

export const SEARCH_CHARS = 255;

/** Words of a closed list with commas between them, so that a filter is one part of an address. */
export const someOf = (words: readonly string[], description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 1_000,
      pattern: `^(?:${words.map(word => word.replaceAll('.', '\\.')).join('|')})(?:,(?:${words.map(word => word.replaceAll('.', '\\.')).join('|')}))*$`,
      description: `${description} Several with commas between them.`,
    }),
  );

export const search = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: SEARCH_CHARS, description }));

export const exactly = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: LIMITS.idChars, description }));

/** Every list of the dashboard is cut and read on in the same way. */
export const listing = { ...paging, ...createdBetween };

/**
 * A page of a long list. However rare what is looked for, one answer does a bounded amount of work: it may hold fewer rows
 * than asked for, or none, and still have a `next_cursor`. Then ask on.
 */
export const boundedPage = <S extends TSchema>(title: string, item: S) =>
  named(
    title,
    {
      data: Type.Array(item, { description: 'Newest first.' }),
      next_cursor: nullable(Type.String({ description: 'Give it as `cursor` to read on; null at the end.' })),
      searched_back_to: nullable(
        time(
          'The page is short, because looking further in one go would take too long; older than this was not looked at yet.',
        ),
      ),
    },
    'One page of a long list.',
  );

export const Count = named(
  'Count',
  {
    count: Type.Integer({ description: 'How many there are.' }),
    is_exact: Type.Boolean({ description: 'False: an estimate from the newest ones, good to about two digits.' }),
  },
  'How long a list is.',
);
