import { accepted, type ExamCase, first, mustAccept, type Verdict } from '../exam-case.ts';
import type { Examiner } from '../examiner.ts';
import { pause } from '../probe.ts';

const DUPLICATED =
  'A webhook is sent again if its answer is lost. Without the idempotency key, the player gets the items twice.';
const BUSY = [409, 425, 429, 503];

/** Longer than the answer of a receiver that saves a moment after it has answered. */
const SAVED_MS = 700;
const LOOK_EVERY_MS = 20;
const LOOK_MS = 1_500;
const EARLY_MS = 100;

/** After a crash: the player has what was answered with 2xx, and a second delivery changes nothing. */
async function mustHold(examiner: Examiner, event: object): Promise<Verdict> {
  const { timesPrinted } = examiner.target;
  // What was printed before the crash says nothing about what is held after it.
  if (!timesPrinted) {
    const lost = await examiner.expectCount(1);
    if (lost) return `after the crash ${lost}`;
  }
  const printed = async (): Promise<number> => (await timesPrinted?.(examiner.playerId, examiner.sku)) ?? 0;
  const before = await printed();
  const again = await mustAccept(examiner, event);
  if (again) return again;
  const verdict = await examiner.expectCount(1);
  // A line that was not printed before the crash is not printed again.
  if (verdict && timesPrinted && (await printed()) === 0) return examiner.cannotSee();
  if (verdict) return verdict;
  if ((await printed()) === before) return null;
  return before === 0
    ? 'it granted only after the crash, though it had answered before'
    : 'it granted again after the crash, so the first grant was lost, or the player has it twice';
}

/** A crash between the commit and the line that the receiver prints leaves nothing to see. Another player's crash hits another instant. */
const UNSEEN = Symbol('unseen');
const CRASHES = 4;

/** Crashes the receiver while it is busy with a purchase of this player, and sends it again. */
async function crashOnce(
  examiner: Examiner,
  playerId: string,
  when: (playerId: string) => Promise<unknown>,
): Promise<Verdict | typeof UNSEEN> {
  const event = examiner.event('item.add', { playerId });
  const sent = examiner.send(await examiner.sign(event));
  await Promise.race([sent, when(playerId)]);
  await examiner.target.process!.crash();
  await sent;
  const before = await examiner.held({ playerId });
  const again = await mustAccept(examiner, event);
  if (again) return again;
  const verdict = await examiner.expectCount(1, { playerId });
  if (verdict === null) return null;
  // A line that was not printed before the crash is not printed again.
  if (examiner.target.timesPrinted && (await examiner.held({ playerId })) === 0) return UNSEEN;
  return `it crashed when the player had ${before ?? 'an unknown number'}; after the second delivery ${verdict}`;
}

async function crashDuring(examiner: Examiner, name: string, when: (playerId: string) => Promise<unknown>) {
  for (let crashes = 1; crashes <= CRASHES; crashes += 1) {
    const verdict = await crashOnce(examiner, `${examiner.playerId}-${name}-${crashes}`, when);
    if (verdict !== UNSEEN) return verdict;
  }
  return examiner.cannotSee();
}

async function untilHeld(examiner: Examiner, playerId: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < LOOK_MS; waitedMs += LOOK_EVERY_MS) {
    if (((await examiner.held({ playerId })) ?? 0) > 0) return;
    await pause(LOOK_EVERY_MS);
  }
}

/** An inventory is asked at once and after a pause. Without one, a crash right after the answer shows what was saved. */
async function mustHaveSaved(examiner: Examiner): Promise<Verdict> {
  const event = examiner.event('item.add');
  const reply = accepted(await examiner.deliver(event));
  if (reply) return reply;
  const { timesPrinted, process } = examiner.target;
  if (timesPrinted) {
    if (!process) return examiner.cannotSee();
    await process.crash();
    return mustHold(examiner, event);
  }
  const atOnce = await examiner.held();
  if (atOnce === null) return null;
  if (atOnce !== 1) return `when it had answered, the player had ${atOnce}, not 1`;
  await pause(SAVED_MS);
  return examiner.expectCount(1);
}

export const DUPLICATES: ExamCase[] = [
  {
    name: 'twice',
    title: 'grants an event once if it arrives twice',
    why: DUPLICATED,
    loss: 'gets_twice',
    fix: 'ONCE',
    needsCounts: true,
    unless: ['right'],
    async run(examiner) {
      const event = examiner.event('item.add');
      return first(await mustAccept(examiner, event), await mustAccept(examiner, event), await examiner.expectCount(1));
    },
  },
  {
    name: 'twice_at_once',
    title: 'grants an event once if it arrives five times at once',
    why: 'Two processes that look for the key before either has written it both grant. Let the insert itself decide.',
    loss: 'gets_twice',
    fix: 'ONCE',
    needsCounts: true,
    unless: ['right', 'twice'],
    async run(examiner) {
      const event = examiner.event('item.add');
      const probes = await Promise.all(Array.from({ length: 5 }, () => examiner.sign(event)));
      const replies = await Promise.all(probes.map(probe => examiner.send(probe)));
      const busy = replies.filter(reply => reply.kind === 'answer' && BUSY.includes(reply.status));
      const others = replies.filter(reply => !busy.includes(reply));
      if (others.length === 0) return 'none of the five was accepted';
      return first(...others.map(accepted), await examiner.expectCount(1));
    },
  },
  {
    name: 'answer_lost',
    title: 'grants once if its answer is lost and the event is sent again',
    why: DUPLICATED,
    loss: 'gets_twice',
    fix: 'ONCE',
    needsCounts: true,
    unless: ['right', 'twice'],
    async run(examiner) {
      const event = examiner.event('item.add');
      await examiner.send({ ...(await examiner.sign(event)), cut: true });
      await pause(SAVED_MS);
      return first(await mustAccept(examiner, event), await examiner.expectCount(1));
    },
  },
  {
    name: 'crash',
    title: 'holds what it granted if it crashes after the answer, and grants nothing twice',
    why: 'What is kept in memory is gone after a crash: the items that were paid for, or the key. Save both in one transaction.',
    loss: 'pays_for_nothing',
    fix: 'DURABLE',
    needsCounts: true,
    needsCrash: true,
    unless: ['right', 'twice'],
    async run(examiner) {
      const event = examiner.event('item.add');
      const before = await mustAccept(examiner, event);
      if (before) return before;
      await pause(SAVED_MS);
      await examiner.target.process!.crash();
      return mustHold(examiner, event);
    },
  },
  {
    name: 'crash_between',
    title: 'grants once if it crashes between the grant and the answer',
    why: 'If the grant and the key are saved one after the other, a crash between them grants twice or never.',
    loss: 'gets_twice',
    fix: 'DURABLE',
    needsCounts: true,
    needsCrash: true,
    unless: ['right', 'twice', 'answer_lost', 'crash'],
    async run(examiner) {
      const verdict = await crashDuring(examiner, 'held', playerId => untilHeld(examiner, playerId));
      if (verdict !== null || examiner.isBlind()) return verdict;
      return crashDuring(examiner, 'early', () => pause(EARLY_MS));
    },
  },
  {
    name: 'commit_before_answer',
    title: 'has saved the grant when it answers',
    why: 'A 2xx captures the money. If the receiver crashes before it saves, the player has paid and gets nothing.',
    loss: 'pays_for_nothing',
    fix: 'ANSWER',
    needsCounts: true,
    unless: ['right', 'twice', 'crash'],
    run: mustHaveSaved,
  },
];
