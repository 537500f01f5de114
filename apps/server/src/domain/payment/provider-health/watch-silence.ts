import type { Db } from '../../../db/db.ts';
import { type Clock, systemClock } from '../../../kit/clock.ts';
import { createTtlCache } from '../../../kit/ttl-cache.ts';
import type { Charge } from '../providers/base/charge-shape.ts';
import { aroundCalls, ChargeMissing, type ChargeRef, type Gateway, OutcomeUnknown } from '../providers/base/gateway.ts';
import type { ShopProblem } from '../providers/base/problems.ts';
import { findProviderCharge } from '../providers/base/provider-charge.sql.ts';
import { deleteSilence, insertSilence, listSilences } from './provider-check.sql.ts';

/** One lost answer is nothing; a provider that answers nothing for so long is marked. */
export const MARKED_AFTER_SECONDS = 180;

export interface SilenceOptions {
  db: Db;
  onError: (error: unknown) => void;
  clock?: Clock;
}

const isSilence = (error: unknown): boolean => error instanceof OutcomeUnknown && !(error instanceof ChargeMissing);

/** A payment that was not begun because the provider gave no answer, or had too much to do, is no sign of life. */
const isBusy = (answer: unknown): boolean =>
  (answer as Partial<Charge> | null)?.responseCode === ('provider_busy' satisfies ShopProblem);

/** Learns from the calls that are made anyway which accounts do not answer. */
export function createSilences({ db, onError, clock = systemClock }: SilenceOptions) {
  /** Accounts that this process saw silent: only for those an answer is worth a statement. */
  const silent = new Set<string>();
  const load = async () => {
    const marked = await listSilences(db, MARKED_AFTER_SECONDS);
    for (const { provider, accountId } of marked) silent.add(`${provider} ${accountId}`);
    return new Map(marked.map(({ provider, accountId, since }) => [`${provider} ${accountId}`, since]));
  };
  const recent = createTtlCache({ load, clock, freshMs: 3_000, absentMs: 3_000, maxEntries: 1 });

  async function note(provider: string, ref: ChargeRef, isAnswered: boolean): Promise<void> {
    if (isAnswered && silent.size === 0) return;
    const accountId = (await findProviderCharge(db, ref))?.accountId;
    if (!accountId) return;
    const key = `${provider} ${accountId}`;
    if (!isAnswered) {
      silent.add(key);
      await insertSilence(db, { provider, accountId });
    } else if (silent.delete(key)) await deleteSilence(db, { provider, accountId });
  }

  const watch = (gateway: Gateway): Gateway =>
    aroundCalls(gateway, ['authorize', 'capture', 'void', 'refund', 'lookUp'], async (ref, call) => {
      try {
        const answer = await call();
        await note(gateway.name, ref, !isBusy(answer)).catch(onError);
        return answer;
      } catch (error) {
        if (isSilence(error)) await note(gateway.name, ref, false).catch(onError);
        throw error;
      }
    });

  return {
    watch,
    /** Null: it answers, or was silent for moments only. A few seconds old at most. */
    silentSince: async (provider: string, accountId: string): Promise<Date | null> =>
      (await recent('all'))?.get(`${provider} ${accountId}`) ?? null,
  };
}

export type Silences = ReturnType<typeof createSilences>;
