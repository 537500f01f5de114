import { accepted, type ExamCase, first, mustAccept, mustRefuse, refused, type Verdict } from '../exam-case.ts';
import type { Examiner } from '../examiner.ts';
import type { Reply } from '../probe.ts';

const without = (headers: Record<string, string>, ...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

const SIGNATURE = 'x-service-signature';
const TIMESTAMP = 'x-service-signature-timestamp';
const UNSIGNED = 'If unsigned requests are accepted, any stranger can grant items.';
const REPLAYED =
  'A recorded request can be replayed at any time unless the timestamp is checked to within 300 seconds.';
const STRANGER = { loss: 'stranger_gets' } as const;
const VERIFIES = { unless: ['wrong_signature'] } as const;

/** Secrets that stand in for one that is not set. */
const GUESSABLE = ['', 'secret', 'test', 'changeme', 'undefined', 'null', 'None'];

async function mustRefuseGuessable(examiner: Examiner): Promise<Verdict> {
  for (const secret of GUESSABLE) {
    const verdict = await mustRefuse(examiner, examiner.forge(examiner.event('item.add'), secret));
    if (verdict) return `signed with ${secret === '' ? 'an empty secret' : `"${secret}"`}: ${verdict}`;
  }
  return null;
}

/** A receiver without its secret must not serve, or answer with an error. */
async function mustNotServeWithout(examiner: Examiner): Promise<Verdict> {
  const { process, send } = examiner.target;
  if (!process) return null;
  try {
    if (!(await process.startWith(''))) return null;
    for (const secret of GUESSABLE) {
      const reply = await send(examiner.forge(examiner.event('item.add'), secret));
      if (accepted(reply) === null) return `started with an empty WEBHOOK_SECRET, it accepts what "${secret}" signed`;
    }
    return null;
  } finally {
    await process.crash();
  }
}

function declines(reply: Reply): boolean {
  if (reply.kind === 'none' || reply.status < 400 || reply.status > 499) return false;
  try {
    return (JSON.parse(reply.body) as { code?: unknown } | null)?.code === 'declined';
  } catch {
    return false;
  }
}

export const SIGNATURES: ExamCase[] = [
  {
    name: 'right',
    title: 'grants a correctly signed purchase',
    why: 'Every purchase would fail.',
    loss: 'cannot_buy',
    fix: 'RAW',
    run: async examiner => first(await mustAccept(examiner, examiner.event('item.add')), await examiner.expectCount(1)),
  },
  {
    ...STRANGER,
    name: 'wrong_signature',
    title: 'refuses a signature made with another secret',
    why: UNSIGNED,
    fix: 'VERIFY',
    run: async examiner =>
      mustRefuse(examiner, examiner.sign(examiner.event('item.add'), { secret: 'not the secret of this game' })),
  },
  {
    ...STRANGER,
    ...VERIFIES,
    name: 'missing_signature',
    title: 'refuses a request without a signature',
    why: UNSIGNED,
    fix: 'VERIFY',
    async run(examiner) {
      const { body, headers } = await examiner.sign(examiner.event('item.add'));
      return mustRefuse(examiner, { body, headers: without(headers, SIGNATURE) });
    },
  },
  {
    ...STRANGER,
    ...VERIFIES,
    name: 'missing_timestamp',
    title: 'refuses a request without a timestamp',
    why: UNSIGNED,
    fix: 'TOLERANCE',
    async run(examiner) {
      const { body, headers } = await examiner.sign(examiner.event('item.add'));
      return mustRefuse(examiner, { body, headers: without(headers, TIMESTAMP) });
    },
  },
  {
    ...STRANGER,
    ...VERIFIES,
    name: 'truncated_signature',
    title: 'refuses a truncated signature',
    why: 'A comparison that stops at the shorter text can be passed by guessing a few characters.',
    fix: 'VERIFY',
    async run(examiner) {
      const { body, headers } = await examiner.sign(examiner.event('item.add'));
      for (const length of [32, 0]) {
        const cut = { ...headers, [SIGNATURE]: headers[SIGNATURE]!.slice(0, length) };
        const verdict = await mustRefuse(examiner, { body, headers: cut });
        if (verdict) return verdict;
      }
      return null;
    },
  },
  {
    ...STRANGER,
    ...VERIFIES,
    name: 'old',
    title: 'refuses a request signed more than 300 seconds ago',
    why: REPLAYED,
    fix: 'TOLERANCE',
    run: async examiner => mustRefuse(examiner, examiner.sign(examiner.event('item.add'), { ageSeconds: 330 })),
  },
  {
    ...STRANGER,
    ...VERIFIES,
    name: 'future',
    title: 'refuses a request signed more than 300 seconds in the future',
    why: REPLAYED,
    fix: 'TOLERANCE',
    run: async examiner => mustRefuse(examiner, examiner.sign(examiner.event('item.add'), { ageSeconds: -330 })),
  },
  {
    ...STRANGER,
    ...VERIFIES,
    name: 'altered_body',
    title: 'refuses a body that was changed after it was signed',
    why: UNSIGNED,
    fix: 'VERIFY',
    async run(examiner) {
      const { body, headers } = await examiner.sign(examiner.event('item.add'));
      return mustRefuse(examiner, { body: body.replace('"quantity":1', '"quantity":9'), headers });
    },
  },
  {
    name: 'rotated_secret',
    title: 'accepts the previous signature while a secret is rotated',
    why: 'Purchases fail from the moment of a rotation until the new secret is deployed.',
    loss: 'cannot_buy',
    fix: 'PREVIOUS',
    unless: ['right', 'wrong_signature'],
    async run(examiner) {
      const options = { secret: 'the secret after the rotation', previousSecret: examiner.target.secret };
      const during = await examiner.send(await examiner.sign(examiner.event('item.add'), options));
      const forged = await examiner.sign(examiner.event('item.add'), {
        secret: 'the secret after the rotation',
        previousSecret: 'neither of the two secrets',
      });
      return first(accepted(during), refused(await examiner.send(forged)), await examiner.expectCount(1));
    },
  },
  {
    ...STRANGER,
    ...VERIFIES,
    name: 'weak_secret',
    title: 'accepts no empty or guessable secret, and does not serve without its own',
    why: 'A secret that is not set must stop the receiver. A default in its place is known to every stranger.',
    fix: 'SECRET',
    run: async examiner => first(await mustRefuseGuessable(examiner), await mustNotServeWithout(examiner)),
  },
  {
    name: 'no_decline',
    title: 'never answers "declined" to a wrong signature or an unknown event type',
    why: 'A 4xx with {"code":"declined"} rejects the order for good. A wrong secret would cancel every purchase.',
    loss: 'cannot_buy',
    fix: 'DECLINE',
    unless: ['wrong_signature'],
    async run(examiner) {
      const forged = await examiner.sign(examiner.event('item.add'), { secret: 'not the secret of this game' });
      if (declines(await examiner.send(forged))) return 'it answered "declined" to a wrong signature';
      const unknown = await examiner.sign({ ...examiner.event('item.add'), event_type: 'item.polish' });
      return declines(await examiner.send(unknown)) ? 'it answered "declined" to an unknown event type' : null;
    },
  },
];
