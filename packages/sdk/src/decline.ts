/** The game's final no. */
export class Declined extends Error {
  override readonly name = 'Declined';
}

/** Also true for one of another copy of the SDK in the same program. */
export const isDeclined = (value: unknown): value is Declined => value instanceof Error && value.name === 'Declined';

/**
 * The final no to an `item.add`: `return decline('level too low')`, or throw it. The order is rejected at once and the money
 * released. Any other error means "not now": the webhook is sent again.
 */
export function decline(reason: string): Declined {
  if (typeof reason !== 'string' || reason === '')
    throw new TypeError(`decline: say why, such as decline('level too low'); people read it in the order`);
  return new Declined(reason);
}
