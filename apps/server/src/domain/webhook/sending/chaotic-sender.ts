import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../kit/clock.ts';
import { deliveryChaos, type IsChaotic } from '../../game/chaos/chaos.ts';
import { type Exchange, failedExchange, tookUntil } from './exchange.ts';
import type { Sender, SendRequest } from './send.ts';

export interface ChaosOptions {
  isChaotic: IsChaotic;
  random: () => number;
  clock: Clock;
}

const lostIn = (startedAtMs: number, nowMs: number, error: string): Exchange =>
  failedExchange(tookUntil(startedAtMs, nowMs), 'timeout', error);

/** The same sender, which delays, doubles, reorders and loses what goes to a sandbox that asked for it. */
export function chaoticSender(sender: Sender, { isChaotic, random, clock }: ChaosOptions): Sender {
  const ended = new AbortController();
  const copies = new Set<Promise<unknown>>();

  function copyLater(request: SendRequest, afterMs: number): void {
    const copy = pause(afterMs, undefined, { signal: ended.signal, ref: false })
      .then(() => sender.send(request))
      // The program ends; a copy is nothing that anyone waits for.
      .catch(() => undefined)
      .finally(() => copies.delete(copy));
    copies.add(copy);
  }

  async function sendInChaos(request: SendRequest): Promise<Exchange> {
    const startedAtMs = clock.nowMs();
    const { delayMs, copyAfterMs, lost } = deliveryChaos(random);
    if (delayMs > 0) await pause(delayMs, undefined, { signal: ended.signal }).catch(() => undefined);
    if (lost === 'request') return lostIn(startedAtMs, clock.nowMs(), 'chaos: the request was lost on the way');
    const exchange = await sender.send(request);
    if (copyAfterMs !== null) copyLater(request, copyAfterMs);
    return lost === 'answer' ? lostIn(startedAtMs, clock.nowMs(), 'chaos: the answer was lost on the way') : exchange;
  }

  return {
    async send(request) {
      const { environmentId } = request;
      const strikes = environmentId !== undefined && (await isChaotic(environmentId).catch(() => false));
      return strikes ? sendInChaos(request) : sender.send(request);
    },
    async close() {
      ended.abort();
      await Promise.all(copies);
      await sender.close();
    },
  };
}
