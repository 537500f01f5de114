import { accepted, type Examiner, refused } from './examiner.ts';
import type { Fix } from './fixes.ts';

/** What went wrong, or null. */
type Verdict = string | null;

export interface ExamCase {
  name: string;
  /** What the receiver must do. */
  title: string;
  /** Why it matters, for one who missed it. */
  why: string;
  fix: Fix;
  /** Only a receiver whose grants can be seen is judged in full. */
  needsCounts?: true;
  /** Only a receiver that the exam started can be crashed. */
  needsCrash?: true;
  run(examiner: Examiner): Promise<Verdict>;
}

const first = (...verdicts: Verdict[]): Verdict => verdicts.find(verdict => verdict !== null) ?? null;

/** Sends something that must not be believed; nothing may be granted. */
async function mustRefuse(examiner: Examiner, probe: Awaited<ReturnType<Examiner['sign']>>): Promise<Verdict> {
  return first(refused(await examiner.send(probe)), await examiner.holds(0));
}

const without = (headers: Record<string, string>, ...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

const SIGNATURE = 'x-service-signature';
const TIMESTAMP = 'x-service-signature-timestamp';
const FORGED = 'A request that Coinslot did not sign lets any stranger grant items.';
const REPLAYED =
  'A recorded request can be sent again at any time, unless a timestamp off by more than 300 seconds is refused.';
const DOUBLED = 'A webhook comes again when an answer is lost. Without the key the player gets the items twice.';

const SIGNATURES: ExamCase[] = [
  {
    name: 'right',
    title: 'grants what is signed correctly',
    why: 'Every purchase would fail.',
    fix: 'RAW',
    async run(examiner) {
      return first(
        accepted(await examiner.send(await examiner.sign(examiner.event('item.add')))),
        await examiner.holds(1),
      );
    },
  },
  {
    name: 'wrong_signature',
    title: 'refuses a signature by another secret',
    why: FORGED,
    fix: 'VERIFY',
    run: async examiner =>
      mustRefuse(examiner, await examiner.sign(examiner.event('item.add'), { secret: 'not the secret of this game' })),
  },
  {
    name: 'missing_signature',
    title: 'refuses a request without a signature',
    why: FORGED,
    fix: 'VERIFY',
    async run(examiner) {
      const { body, headers } = await examiner.sign(examiner.event('item.add'));
      return mustRefuse(examiner, { body, headers: without(headers, SIGNATURE) });
    },
  },
  {
    name: 'missing_timestamp',
    title: 'refuses a request without a timestamp',
    why: FORGED,
    fix: 'TOLERANCE',
    async run(examiner) {
      const { body, headers } = await examiner.sign(examiner.event('item.add'));
      return mustRefuse(examiner, { body, headers: without(headers, TIMESTAMP) });
    },
  },
  {
    name: 'truncated_signature',
    title: 'refuses half of a signature',
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
    name: 'old',
    title: 'refuses what was signed more than 300 seconds ago',
    why: REPLAYED,
    fix: 'TOLERANCE',
    run: async examiner => mustRefuse(examiner, await examiner.sign(examiner.event('item.add'), { ageSeconds: 330 })),
  },
  {
    name: 'future',
    title: 'refuses what is signed more than 300 seconds ahead',
    why: REPLAYED,
    fix: 'TOLERANCE',
    run: async examiner => mustRefuse(examiner, await examiner.sign(examiner.event('item.add'), { ageSeconds: -330 })),
  },
  {
    name: 'altered_body',
    title: 'refuses a body that was changed after it was signed',
    why: FORGED,
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
    fix: 'PREVIOUS',
    async run(examiner) {
      const options = { secret: 'the secret after the rotation', previousSecret: examiner.stage.secret };
      const during = await examiner.send(await examiner.sign(examiner.event('item.add'), options));
      const forged = await examiner.sign(examiner.event('item.add'), {
        secret: 'the secret after the rotation',
        previousSecret: 'neither of the two secrets',
      });
      return first(accepted(during), refused(await examiner.send(forged)), await examiner.holds(1));
    },
  },
];

const DUPLICATES: ExamCase[] = [
  {
    name: 'twice',
    title: 'grants the same event once when it comes twice',
    why: DOUBLED,
    fix: 'ONCE',
    needsCounts: true,
    async run(examiner) {
      const event = examiner.event('item.add');
      const replies = [
        await examiner.send(await examiner.sign(event)),
        await examiner.send(await examiner.sign(event)),
      ];
      return first(...replies.map(accepted), await examiner.holds(1));
    },
  },
  {
    name: 'twice_at_once',
    title: 'grants the same event once when it comes five times at once',
    why: 'Two processes that look for the key before either has written it both grant. The insert itself must decide.',
    fix: 'ONCE',
    needsCounts: true,
    async run(examiner) {
      const event = examiner.event('item.add');
      const probes = await Promise.all(Array.from({ length: 5 }, () => examiner.sign(event)));
      const replies = await Promise.all(probes.map(probe => examiner.send(probe)));
      const busy = replies.filter(reply => reply.kind === 'answer' && [409, 425, 429, 503].includes(reply.status));
      const others = replies.filter(reply => !busy.includes(reply));
      if (others.length === 0) return 'none of the five was accepted';
      return first(...others.map(accepted), await examiner.holds(1));
    },
  },
  {
    name: 'answer_lost',
    title: 'grants once when the answer was lost and the event comes again',
    why: DOUBLED,
    fix: 'ONCE',
    needsCounts: true,
    async run(examiner) {
      const event = examiner.event('item.add');
      await examiner.send({ ...(await examiner.sign(event)), cut: true });
      return first(accepted(await examiner.send(await examiner.sign(event))), await examiner.holds(1));
    },
  },
  {
    name: 'crash',
    title: 'grants once when the receiver crashed after the first time',
    why: 'Keys in memory are gone after a crash, while the items are saved. Both belong into one transaction.',
    fix: 'ONCE',
    needsCounts: true,
    needsCrash: true,
    async run(examiner) {
      const event = examiner.event('item.add');
      const before = accepted(await examiner.send(await examiner.sign(event)));
      await examiner.stage.crash?.();
      return first(before, accepted(await examiner.send(await examiner.sign(event))), await examiner.holds(1));
    },
  },
];

const ITEMS: ExamCase[] = [
  {
    name: 'add_then_remove',
    title: 'takes back what a refund returns',
    why: 'A refunded player keeps the items.',
    fix: 'TAKE_BACK',
    needsCounts: true,
    async run(examiner) {
      const add = await examiner.send(await examiner.sign(examiner.event('item.add', { quantity: 3 })));
      const remove = await examiner.send(await examiner.sign(examiner.event('item.remove', { quantity: 3 })));
      return first(accepted(add), accepted(remove), await examiner.holds(0));
    },
  },
  {
    name: 'remove_before_answer',
    title: 'takes back what is refunded before the answer to the grant arrived',
    why: 'The answer to a grant can be lost, and the refund comes next. Both must count, in any order.',
    fix: 'TAKE_BACK',
    needsCounts: true,
    async run(examiner) {
      const add = await examiner.sign(examiner.event('item.add'));
      const remove = await examiner.sign(examiner.event('item.remove'));
      await examiner.send({ ...add, cut: true });
      return first(accepted(await examiner.send(remove)), await examiner.holds(0));
    },
  },
];

const BODIES: ExamCase[] = [
  {
    name: 'unknown_kind',
    title: 'answers an unknown kind with 400 or 2xx, and grants nothing',
    why: 'New kinds come with new versions. An error of your own makes each of them come for three days.',
    fix: 'KINDS',
    async run(examiner) {
      const event = { ...examiner.event('item.add'), event_type: 'item.polish' };
      const reply = await examiner.send(await examiner.sign(event));
      const isFine = reply.kind === 'answer' && reply.status >= 200 && reply.status < 300;
      return first(isFine ? null : refused(reply), await examiner.holds(0));
    },
  },
  {
    name: 'not_an_event',
    title: 'answers a signed body that is no event with 4xx',
    why: 'An exception here is one that a stranger can cause as soon as a secret leaks.',
    fix: 'KINDS',
    async run(examiner) {
      for (const body of ['status=ok', '[]', '{"event_type":7}']) {
        const verdict = refused(await examiner.send(await examiner.sign(body)));
        if (verdict) return `${body}: ${verdict}`;
      }
      return null;
    },
  },
  {
    name: 'unicode',
    title: 'grants to players and skus in any script',
    why: 'The signature is over bytes. Text that was decoded and encoded again has others.',
    fix: 'RAW',
    async run(examiner) {
      const playerId = `${examiner.playerId}-Zoë-e\u0301-龙-🐉`;
      const event = examiner.event('item.add', { playerId, sku: 'schwert-ü' });
      const body = JSON.stringify(event).replace('ü', '\\u00fc');
      return first(
        accepted(await examiner.send(await examiner.sign(body))),
        await examiner.holds(1, { playerId, sku: 'schwert-ü' }),
      );
    },
  },
  {
    name: 'large_body',
    title: 'takes a body of 200 KiB',
    why: 'A hundred items with long names are a valid order, and frameworks often stop at 100 KB.',
    fix: 'RAW',
    async run(examiner) {
      const event = examiner.event('item.add');
      const [item] = event.event_data.items;
      const others = Array.from({ length: 99 }, (_, i) => ({
        ...item!,
        sku: `${examiner.sku}_${i}`,
        name: 'x'.repeat(2_000),
      }));
      const large = { ...event, event_data: { ...event.event_data, items: [item!, ...others] } };
      const last = `${examiner.sku}_98`;
      return first(
        accepted(await examiner.send(await examiner.sign(large))),
        await examiner.holds(1),
        await examiner.holds(1, { sku: last }),
      );
    },
  },
  {
    name: 'unknown_fields',
    title: 'ignores fields that it does not know',
    why: 'Within a version fields are only added. A strict parser fails on the day that happens.',
    fix: 'RAW',
    async run(examiner) {
      const event = examiner.event('item.add');
      const [item] = event.event_data.items;
      const data = { ...event.event_data, items: [{ ...item!, rarity: { tier: 5 } }], season: ['spring', null] };
      const more = { ...event, event_data: data, context: { player: { player_id: examiner.playerId } }, trace: 1.5e3 };
      return first(accepted(await examiner.send(await examiner.sign(more))), await examiner.holds(1));
    },
  },
  {
    name: 'test_event',
    title: 'answers the test button with 2xx',
    why: 'The test in the dashboard would always fail.',
    fix: 'KINDS',
    async run(examiner) {
      const { event_data: _, ...envelope } = examiner.event('item.add');
      const event = {
        ...envelope,
        event_type: 'webhook.test',
        event_data: { webhook_id: 'whk_exam', message: 'A test.' },
      };
      return accepted(await examiner.send(await examiner.sign(event)));
    },
  },
];

const CROWD = 40;

const LOAD: ExamCase[] = [
  {
    name: 'slow_client',
    title: 'waits for a body that comes slowly',
    why: 'On a bad day a request takes seconds to arrive. Reading only the first piece gives another signature.',
    fix: 'RAW',
    async run(examiner) {
      const probe = await examiner.sign(examiner.event('item.add'));
      return first(accepted(await examiner.send({ ...probe, dripMs: 1_000 })), await examiner.holds(1));
    },
  },
  {
    name: 'forty_at_once',
    title: `grants ${CROWD} purchases that come at once, each within 10 seconds`,
    why: 'A sale begins for all players in the same second.',
    fix: 'ANSWER',
    async run(examiner) {
      const probes = await Promise.all(Array.from({ length: CROWD }, () => examiner.sign(examiner.event('item.add'))));
      const replies = await Promise.all(probes.map(probe => examiner.send(probe)));
      return first(...replies.map(accepted), await examiner.holds(CROWD));
    },
  },
];

export const CASES: readonly ExamCase[] = [...SIGNATURES, ...DUPLICATES, ...ITEMS, ...BODIES, ...LOAD];
