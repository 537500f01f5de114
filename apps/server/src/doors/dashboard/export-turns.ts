import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { findCompanyAccess } from '../../domain/company/company.sql.ts';
import { hasRole } from '../../domain/company/manage-members.ts';
import { roleIn } from '../../domain/company/sso/role-in.ts';
import { assertCapacity } from '../../http/limits/budgets.ts';
import { AppError } from '../../kit/app-error.ts';
import { steadyMs } from '../../kit/clock.ts';
import { semaphore } from '../../kit/concurrency.ts';
import type { CompanyContext, DashboardShop } from './define-route.ts';

const MOST_OF_COMPANY = 2;
const ASK_AGAIN_SECONDS = 30;
/** A step of all exports together is followed by a rest this many times as long, so that they take a third of the time of others. */
const REST_FOR_EACH = 2;
const CHECK_MS = 5_000;
/** A reader that takes nothing for so long has gone, and keeps no other export from its place. */
const STALLED_MS = 60_000;

const takeTurn = semaphore(1);
const underWay = new Map<string, number>();

/** By its id: a proof of who the member is gives the session another token, and ends no export. */
async function mayGoOn({ db }: DashboardShop, { signedIn, company, role }: CompanyContext): Promise<boolean> {
  const access = await findCompanyAccess(db, signedIn, company.id);
  const now = access === null || access.isEnded ? null : roleIn(signedIn, access);
  return now !== null && hasRole(now, role);
}

/** A step, and the rest after it. */
const takeStep = (steps: AsyncGenerator<string>): Promise<IteratorResult<string>> =>
  takeTurn(async () => {
    const startedMs = steadyMs();
    const step = await steps.next();
    if (!step.done) await pause((steadyMs() - startedMs) * REST_FOR_EACH);
    return step;
  });

async function* inTurns(
  shop: DashboardShop,
  context: CompanyContext,
  { steps, leave }: { steps: AsyncGenerator<string>; leave: AbortController },
): AsyncGenerator<string> {
  let checkedMs = shop.clock.nowMs();
  try {
    for (;;) {
      const step = await takeStep(steps);
      if (step.done) return;
      if (shop.clock.nowMs() - checkedMs >= CHECK_MS) {
        // The file breaks off, so that no reader takes it for the whole.
        if (!(await mayGoOn(shop, context))) throw new AppError('sign_in_required');
        checkedMs = shop.clock.nowMs();
      }
      const stalled = setTimeout(() => leave.abort(), STALLED_MS).unref();
      yield step.value;
      clearTimeout(stalled);
    }
  } finally {
    await steps.return(undefined);
  }
}

/** Of one company, whoever of its members asks. The lists of all companies are written in turns, a step of each. */
export function assertMayExport({ company }: Pick<CompanyContext, 'company'>): void {
  assertCapacity('exports at once', underWay.get(company.id) ?? 0, MOST_OF_COMPANY, ASK_AGAIN_SECONDS);
}

/** The file of an export that `assertMayExport` has let through. */
export function streamExport(shop: DashboardShop, context: CompanyContext, steps: AsyncGenerator<string>): Readable {
  const { id } = context.company;
  assertMayExport(context);
  underWay.set(id, (underWay.get(id) ?? 0) + 1);
  const leave = new AbortController();
  const lines = inTurns(shop, context, { steps, leave });
  return Readable.from(lines, { objectMode: true, signal: leave.signal }).once('close', () => {
    const left = underWay.get(id)! - 1;
    if (left === 0) underWay.delete(id);
    else underWay.set(id, left);
  });
}
