import { accepted, type ExamCase, first } from '../exam-case.ts';
import { BODIES } from './bodies.ts';
import { DUPLICATES } from './duplicates.ts';
import { ITEMS } from './items.ts';
import { SIGNATURES } from './signatures.ts';

const BURST = 40;

/** Comes before all others: what answers too late cannot be judged by its answers. */
const IN_TIME: ExamCase = {
  name: 'in_time',
  title: 'answers within 10 seconds',
  why: 'The service waits no longer. The player waits for nothing, and the webhook is sent again and again.',
  loss: 'cannot_buy',
  fix: 'ANSWER',
  async run(examiner) {
    const reply = await examiner.send(await examiner.sign(examiner.event('item.add')));
    return reply.kind === 'none' ? reply.reason : null;
  },
};

const LOAD: ExamCase[] = [
  {
    name: 'slow_client',
    title: 'waits for a body that arrives slowly',
    why: 'On a bad day a request takes seconds to arrive. Reading only its first chunk gives a different signature.',
    loss: 'cannot_buy',
    fix: 'RAW',
    unless: ['right'],
    async run(examiner) {
      const probe = await examiner.sign(examiner.event('item.add'));
      return first(accepted(await examiner.send({ ...probe, dripMs: 1_000 })), await examiner.expectCount(1));
    },
  },
  {
    name: 'forty_at_once',
    title: `grants ${BURST} purchases that arrive at once, each within 10 seconds`,
    why: 'A sale starts for all players in the same second.',
    loss: 'cannot_buy',
    fix: 'ANSWER',
    unless: ['right'],
    async run(examiner) {
      const probes = await Promise.all(Array.from({ length: BURST }, () => examiner.sign(examiner.event('item.add'))));
      const replies = await Promise.all(probes.map(probe => examiner.send(probe)));
      return first(...replies.map(accepted), await examiner.expectCount(BURST));
    },
  },
];

export const CASES: readonly ExamCase[] = [IN_TIME, ...SIGNATURES, ...DUPLICATES, ...ITEMS, ...BODIES, ...LOAD];
