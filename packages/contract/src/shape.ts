import { type Static, type TObject, type TProperties, type TSchema, Type } from './type.ts';

/** Limits of the API. Text is counted in characters (code points). */
export const LIMITS = {
  bodyBytes: 256 * 1024,
  items: 100,
  quantity: 1_000_000,
  idChars: 255,
  nameChars: 255,
  descriptionChars: 2_000,
  urlChars: 2_083,
  emailChars: 254,
  reasonChars: 500,
  metadataKeys: 50,
  metadataKeyChars: 40,
  metadataValueChars: 500,
  idempotencyKeyChars: 255,
  priceDecimal: 1_000_000_000,
  pageSize: 100,
  pageSizeDefault: 20,
  waitSeconds: 25,
  webhooks: 20,
  secretCharsMin: 8,
  secretChars: 255,
} as const;

/** A single line, because the text can end up in a header or a mail subject. */
const ONE_LINE = '^[^\\r\\n]*$';

const LAST_SECOND = 253_402_300_799;

export const time = (description: string) =>
  Type.Integer({ description: `${description} Unix seconds.`, examples: [1767225600] });

export const givenTime = (description: string) =>
  Type.Integer({ minimum: 0, maximum: LAST_SECOND, description: `${description} Unix seconds.` });

export const priceDecimal = (description: string) =>
  Type.Number({ minimum: 0, maximum: LIMITS.priceDecimal, description, examples: [4.99] });

export const currency = (description = 'ISO 4217 code in upper case.') =>
  Type.String({ format: 'currency', description, examples: ['USD'] });

export const day = (description: string) =>
  Type.String({ format: 'day', maxLength: 10, description, examples: ['2026-01-31'] });

export const opaqueId = (prefix: string, description: string) =>
  Type.String({ description, examples: [`${prefix}_01kb2m3n4p5q6r7s8t9v0w1x2y`] });

export const outsideId = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: LIMITS.idChars, description, examples: [example] });

/** Ids that no path can carry go into the query, because clients resolve the segments `.` and `..`. */
export const idInQuery = (name: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LIMITS.idChars,
      description: `Instead of the path, for a ${name} of \`.\` or \`..\`, which no path can carry. Any other value may stand in the path then.`,
    }),
  );

export const oneLine = (maxLength: number, description: string, minLength = 0) =>
  Type.String({ minLength, maxLength, pattern: ONE_LINE, description });

/** The header of a call that may be made again without happening again. */
export const idempotencyKey = (description: string) =>
  Type.Optional(oneLine(LIMITS.idempotencyKeyChars, description, 1));

export const IDEMPOTENCY_REPLAYED = Type.Object({
  'Idempotency-Replayed': Type.Optional(
    Type.String({ description: '`true` when this is the response to an earlier request.' }),
  ),
});

export const email = (description: string) =>
  Type.String({ format: 'email', maxLength: LIMITS.emailChars, description, examples: ['player@example.com'] });

export const webUrl = (description: string) =>
  Type.String({
    format: 'web-url',
    maxLength: LIMITS.urlChars,
    description,
    examples: ['https://example.com/sword.png'],
  });

export const returnUrl = (description: string) =>
  Type.String({
    format: 'return-url',
    maxLength: LIMITS.urlChars,
    description,
    examples: ['mygame://shop?order={order_id}'],
  });

/**
 * The same schema, or null, written as a list of types instead of `anyOf`. A prepared serializer tries the branches of
 * a union one after the other and fails if a stored value breaks a newer limit. The title is dropped, because it names
 * the other schema.
 */
export function nullable<S extends TSchema>(schema: S) {
  const { title: _, ...rest } = schema as S & { type: string; title?: string };
  return Type.Unsafe<Static<S> | null>({ ...rest, type: [rest.type, 'null'] });
}

/** One value of a closed list. */
export const oneOf = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], description });

/** An object with free keys. `^.*$` would miss keys with a line break, so the rule applies to all other keys. */
const freeKeys = <Value>(value: TSchema, description: string) =>
  Type.Unsafe<Record<string, Value>>({
    type: 'object',
    description,
    maxProperties: LIMITS.metadataKeys,
    propertyNames: { type: 'string', minLength: 1, maxLength: LIMITS.metadataKeyChars },
    additionalProperties: value,
  });

const metadataText = `Your own notes: up to ${LIMITS.metadataKeys} keys of ${LIMITS.metadataKeyChars} characters with text of ${LIMITS.metadataValueChars}.`;

export const metadata = () =>
  freeKeys<string>(
    Type.String({ maxLength: LIMITS.metadataValueChars }),
    `${metadataText} Returned in reads and webhooks.`,
  );

export const attributes = () =>
  freeKeys<string | number | boolean>(
    Type.Unsafe({ type: ['string', 'number', 'boolean'], maxLength: LIMITS.metadataValueChars }),
    'What the game knows about the player, such as level or guild. Returned in the player context of webhooks.',
  );

export const headerMap = (description: string) =>
  Type.Unsafe<Record<string, string>>({ type: 'object', description, additionalProperties: { type: 'string' } });

export const warnings = () =>
  Type.Optional(
    Type.Array(Type.String(), {
      description:
        'JSON Pointers to request fields and parameters that this version does not know and ignored. Absent when there are none.',
      examples: [['/prise_decimal']],
    }),
  );

/** A schema with a name, which OpenAPI uses too. */
export const named = <P extends TProperties>(
  title: string,
  properties: P,
  description: string,
  more: object = {},
): TObject<P> => Type.Object(properties, { title, description, ...more });

export const page = <S extends TSchema>(title: string, item: S) =>
  named(
    title,
    {
      data: Type.Array(item, { description: 'Newest first.' }),
      next_cursor: nullable(
        Type.String({ description: 'Send it as `cursor` to get the next page; null on the last page.' }),
      ),
      warnings: warnings(),
    },
    'One page of a list.',
  );

export const paging = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.pageSize,
      default: LIMITS.pageSizeDefault,
      description: 'Entries on one page.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: '`next_cursor` of the previous page.' }),
  ),
};

export const createdBetween = {
  created_from: Type.Optional(givenTime('Only what was created at this time or later.')),
  created_to: Type.Optional(givenTime('Only what was created before this time.')),
};
