import { PaymentNotBegunError, TooManyAttemptsError } from '../../domain/payment/start-payment.ts';
import type { PurchaseDeps } from '../../domain/purchase/engine/purchase-deps.ts';
import { asAppError } from '../../http/problem.ts';
import { waitAtMost } from '../../jobs/background.ts';

/** How long a posted form waits for the outcome before the page takes over the waiting. */
const PAY_WAIT_MS = 4_000;

type Deps = Pick<PurchaseDeps, 'background'>;

/** A payment that was not begun is an error of this request, because the page could only show the same form again. */
function throwIfNotBegun(error: unknown): void {
  if (error instanceof PaymentNotBegunError || error instanceof TooManyAttemptsError) throw error;
}

/** What the database did not take, the player must do again; all else is found out by a worker and shown by the page. */
function throwIfNotTaken(error: unknown): void {
  if (asAppError(error).code === 'unavailable') throw error;
}

async function goOn(
  { background }: Deps,
  work: Promise<unknown>,
  what: string,
  judge: (error: unknown) => void,
): Promise<void> {
  background(work, what);
  await waitAtMost(work.catch(judge), PAY_WAIT_MS);
}

/** The work goes on when the player closes the tab. */
export const startAndWait = (deps: Deps, work: Promise<unknown>, what: string): Promise<void> =>
  goOn(deps, work, what, throwIfNotTaken);

/** Waits until a payment is begun or refused, however long the database takes; then like all other work. */
export async function payAndWait(deps: Deps, pay: (onBegun: () => void) => Promise<unknown>): Promise<void> {
  let onBegun = (): void => {};
  const begun = new Promise<void>(resolve => {
    onBegun = resolve;
  });
  const work = pay(onBegun);
  await Promise.race([begun, work.catch(throwIfNotBegun)]);
  await goOn(deps, work, 'payment', throwIfNotBegun);
}
