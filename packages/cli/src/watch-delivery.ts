import type { Coinslot, Delivery } from '@coinslot/sdk';

const EVERY_MS = 250;
/** The service gives an attempt ten seconds. */
const LONGEST_MS = 13_000;

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** The delivery once an attempt more than `attemptsBefore` is over, or as it stands when the time is up. */
export async function watchDelivery(client: Coinslot, id: string, attemptsBefore: number): Promise<Delivery> {
  for (let waitedMs = 0; ; waitedMs += EVERY_MS) {
    const delivery = await client.deliveries.get(id);
    const isAnswered = delivery.attempts_made > attemptsBefore && isSettled(delivery, attemptsBefore);
    // A delivery and its log are read one after the other: the log may tell of an end that the status does not show yet.
    if (isAnswered && delivery.status === 'pending') return client.deliveries.get(id);
    if (isAnswered || waitedMs >= LONGEST_MS || ['held', 'blocked', 'canceled'].includes(delivery.status))
      return delivery;
    await pause(EVERY_MS);
  }
}

/** While an attempt runs it is counted already. Its end shows in the log, and in the first answer where no log is kept. */
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
