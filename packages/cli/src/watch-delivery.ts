import type { Coinslot, Delivery } from '@coinslot/sdk';

const EVERY_MS = 250;
/** The service waits ten seconds for a response. */
const LONGEST_MS = 13_000;

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Returns the delivery after its next attempt has ended, or in its current state if the time is up. */
export async function watchDelivery(client: Coinslot, id: string, attemptsBefore: number): Promise<Delivery> {
  for (let waitedMs = 0; ; waitedMs += EVERY_MS) {
    const delivery = await client.deliveries.get(id);
    const isAnswered = delivery.attempts_made > attemptsBefore && isSettled(delivery, attemptsBefore);
    // The delivery and its log are read one after the other, so the log may be ahead of the status.
    if (isAnswered && delivery.status === 'pending') return client.deliveries.get(id);
    if (isAnswered || waitedMs >= LONGEST_MS || ['held', 'blocked', 'canceled'].includes(delivery.status))
      return delivery;
    await pause(EVERY_MS);
  }
}

/** A running attempt is already counted. Its end shows in the log, or in the first status if logging is off. */
const isSettled = ({ status, attempts, attempts_made, last_status, last_error }: Delivery, before: number): boolean =>
  status !== 'pending' ||
  attempts.some(({ attempt }) => attempt >= attempts_made) ||
  (before === 0 && (last_status !== null || last_error !== null));

export const answerWord = ({
  last_status,
  last_error,
  status,
}: Pick<Delivery, 'last_status' | 'last_error' | 'status'>): string =>
  last_status === null ? (last_error ?? status) : `${last_status}`;
