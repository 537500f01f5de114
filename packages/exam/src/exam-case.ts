import type { Fix } from './advice/advice.ts';
import type { Examiner, Probing } from './examiner.ts';
import type { Reply } from './probe.ts';

/** Says what went wrong, or null if nothing did. */
export type Verdict = string | null;

/** What a player or the studio loses to a receiver that fails the case. */
export type Loss = 'cannot_buy' | 'pays_for_nothing' | 'gets_twice' | 'keeps_refunded' | 'loses_own' | 'stranger_gets';

export interface ExamCase {
  name: string;
  /** What the receiver must do. */
  title: string;
  /** Why it matters, shown if the receiver fails. */
  why: string;
  loss: Loss;
  fix: Fix;
  /** The case can only be judged if the exam can see what was granted. */
  needsCounts?: true;
  /** The case crashes the receiver, which the exam can do only if it started it. */
  needsCrash?: true;
  /** Not judged while one of these is missed, because that mistake shows here too. */
  unless?: readonly string[];
  run(examiner: Examiner): Promise<Verdict>;
}

export const first = (...verdicts: Verdict[]): Verdict => verdicts.find(verdict => verdict !== null) ?? null;

export const replyText = (reply: Reply): string =>
  reply.kind === 'answer' ? `it answered ${reply.status}` : reply.reason;

/** Null if the receiver answered 2xx. */
export const accepted = (reply: Reply): Verdict =>
  reply.kind === 'answer' && reply.status >= 200 && reply.status < 300 ? null : `${replyText(reply)}, not 2xx`;

/** Null if the receiver refused the request itself: 4xx, but not 410, which disables the webhook. */
export function refused(reply: Reply): Verdict {
  if (reply.kind === 'none') return reply.reason;
  if (reply.status >= 200 && reply.status < 300) return `it answered ${reply.status}, so the items would be granted`;
  if (reply.status === 410) return 'it answered 410, which disables the webhook';
  return reply.status >= 400 && reply.status < 500 ? null : `it answered ${reply.status}, not 403 or 400`;
}

/** Sends a request that the receiver must refuse without granting anything. */
export async function mustRefuse(examiner: Examiner, probe: Probing): Promise<Verdict> {
  return first(refused(await examiner.send(await probe)), await examiner.expectCount(0));
}

/** Sends an event that the receiver must take, again while it says that it is busy with it. */
export async function mustAccept(examiner: Examiner, event: object | string): Promise<Verdict> {
  return accepted(await examiner.deliver(event));
}
