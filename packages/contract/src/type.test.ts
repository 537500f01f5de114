import TypeBox from 'typebox';
import { expect, it } from 'vitest';
import { Type } from './type.ts';

/** The same schema by each of them. */
function build(T: typeof Type) {
  const inner = T.Object({
    id: T.String({ minLength: 1, description: 'Which.' }),
    count: T.Optional(T.Integer({ minimum: 0 })),
    share: T.Optional(T.Number()),
  });
  return T.Object(
    {
      inner,
      maybe: T.Optional(inner),
      list: T.Array(T.Boolean(), { maxItems: 3 }),
      picked: T.Pick(inner, ['id', 'count']),
      word: T.Literal('true', { description: 'Yes.' }),
      number: T.Literal(3),
      free: T.Unsafe<string | null>({ type: ['string', 'null'] }),
      freeMaybe: T.Optional(T.Unsafe<string>({ enum: ['a'] })),
      nothing: T.Object({ left: T.Optional(T.String()) }),
    },
    { description: 'All of it.', additionalProperties: true },
  );
}

it('builds what TypeBox builds, letter by letter', () => {
  expect(JSON.stringify(build(Type))).toBe(JSON.stringify(build(TypeBox)));
});
