import type { FulfillmentDeps } from '../../domain/fulfillment/fulfillment-deps.ts';

/** How long a posted form waits for the outcome before the page takes over the waiting. */
const PAY_WAIT_MS = 4_000;

/** The work goes on whether or not somebody waits for it: a closed tab changes nothing. */
export async function startAndWait(
  { background }: Pick<FulfillmentDeps, 'background'>,
  work: Promise<unknown>,
  what: string,
): Promise<void> {
  background(work, what);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>(resolve => {
    timer = setTimeout(resolve, PAY_WAIT_MS);
  });
  await Promise.race([work.catch(() => {}), limit]);
  clearTimeout(timer);
}
