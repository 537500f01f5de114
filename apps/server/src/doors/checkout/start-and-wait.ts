import type { FulfillmentDeps } from '../../domain/fulfillment/fulfillment-deps.ts';
import { PaymentNotBegunError } from '../../domain/payment/start-payment.ts';

/** How long a posted form waits for the outcome before the page takes over the waiting. */
const PAY_WAIT_MS = 4_000;

type Deps = Pick<FulfillmentDeps, 'background'>;

/** What was not begun is told, because the page could show nothing but the same form again. All else the page tells. */
function tellIfNotBegun(error: unknown): void {
  if (error instanceof PaymentNotBegunError) throw error;
}

/** The work goes on whether or not a player waits for it: a closed tab changes nothing. */
export async function startAndWait({ background }: Deps, work: Promise<unknown>, what: string): Promise<void> {
  background(work, what);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>(resolve => {
    timer = setTimeout(resolve, PAY_WAIT_MS);
  });
  await Promise.race([work.catch(tellIfNotBegun), limit]).finally(() => clearTimeout(timer));
}

/** A payment is waited for until it is begun or refused, however long the database takes; then like all other work. */
export async function payAndWait(deps: Deps, pay: (onBegun: () => void) => Promise<unknown>): Promise<void> {
  let onBegun = (): void => {};
  const begun = new Promise<void>(resolve => {
    onBegun = resolve;
  });
  const work = pay(onBegun);
  await Promise.race([begun, work.catch(tellIfNotBegun)]);
  await startAndWait(deps, work, 'payment');
}
