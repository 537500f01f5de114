import { invalidArgument } from '../coinslot-error.ts';

/** Thrown or returned when the game declines for good. */
export class Declined extends Error {
  override readonly name = 'Declined';
}

/** Also true for one from another copy of the SDK in the same program. */
export const isDeclined = (value: unknown): value is Declined => value instanceof Error && value.name === 'Declined';

/**
 * Declines an `item.add` for good: `return decline('level too low')`, or throw it. The order is rejected at once and the money
 * released, and the player reads the reason on the checkout page. After any other error the webhook is sent again.
 */
export function decline(reason: string): Declined {
  if (typeof reason !== 'string' || reason === '')
    throw invalidArgument(
      'decline',
      `give a reason, such as decline('level too low'); studio members see it in the order`,
    );
  return new Declined(reason);
}
