import { accepted, type Examiner, refused } from './examiner.ts';
import type { Fix } from './fixes.ts';

/** Says what went wrong, or null if nothing did. */
type Verdict = string | null;

export interface ExamCase {
  name: string;
  /** What the receiver must do. */
  title: string;
  /** Why it matters, shown if the receiver fails. */
  why: string;
  fix: Fix;
  /** The case can only be judged if the exam can see what was granted. */
  needsCounts?: true;
  /** The case crashes the receiver, which the exam can do only if it started it. */
  needsCrash?: true;
  run(examiner: Examiner): Promise<Verdict>;
}

const first = (...verdicts: Verdict[]): Verdict => verdicts.find(verdict => verdict !== null) ?? null;

/** Sends a request that the receiver must refuse without granting anything. */
async function mustRefuse(examiner: Examiner, probe: Awaited<ReturnType<Examiner['sign']>>): Promise<Verdict> {
  return first(refused(await examiner.send(probe)), await examiner.expectCount(0));
}

const without = (headers: Record<string, string>, ...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

const SIGNATURE = 'x-service-signature';
const TIMESTAMP = 'x-service-signature-timestamp';
const UNSIGNED = 'If unsigned requests are accepted, any stranger can grant items.';
const REPLAYED =
  'A recorded request can be replayed at any time unless the timestamp is checked to within 300 seconds.';
const DUPLICATED =
  'A webhook is sent again if its answer is lost. Without the idempotency key, the player gets the items twice.';

const SIGNATURES: ExamCase[] = [
  {
    name: 'right',
    title: 'grants a correctly signed purchase',
    why: 'Every purchase would fail.',
    fix: 'RAW',
    async run(examiner) {
      return first(
        accepted(await examiner.send(await examiner.sign(examiner.event('item.add')))),
        await examiner.expectCount(1),
      );
    },
  },
  {
    name: 'wrong_signature',
    title: 'refuses a signature made with another secret',
    why: UNSIGNED,
    fix: 'VERIFY',
    run: async examiner =>
      mustRefuse(examiner, await examiner.sign(examiner.event('item.add'), { secret: 'not the secret of this game' })),
  },
  {
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
    name: 'old',
    title: 'refuses a request signed more than 300 seconds ago',
    why: REPLAYED,
    fix: 'TOLERANCE',
    run: async examiner => mustRefuse(examiner, await examiner.sign(examiner.event('item.add'), { ageSeconds: 330 })),
  },
  {
    name: 'future',
    title: 'refuses a request signed more than 300 seconds in the future',
    why: REPLAYED,
    fix: 'TOLERANCE',
    run: async examiner => mustRefuse(examiner, await examiner.sign(examiner.event('item.add'), { ageSeconds: -330 })),
  },
  {
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
    fix: 'PREVIOUS',
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
];

const DUPLICATES: ExamCase[] = [
  {
    name: 'twice',
    title: 'grants an event once if it arrives twice',
    why: DUPLICATED,
    fix: 'ONCE',
    needsCounts: true,
    async run(examiner) {
      const event = examiner.event('item.add');
      const replies = [
        await examiner.send(await examiner.sign(event)),
        await examiner.send(await examiner.sign(event)),
      ];
      return first(...replies.map(accepted), await examiner.expectCount(1));
    },
  },
  {
    name: 'twice_at_once',
    title: 'grants an event once if it arrives five times at once',
    why: 'Two processes that look for the key before either has written it both grant. Let the insert itself decide.',
    fix: 'ONCE',
    needsCounts: true,
    async run(examiner) {
      const event = examiner.event('item.add');
      const probes = await Promise.all(Array.from({ length: 5 }, () => examiner.sign(event)));
      const replies = await Promise.all(probes.map(probe => examiner.send(probe)));
      const busy = replies.filter(reply => reply.kind === 'answer' && [409, 425, 429, 503].includes(reply.status));
      const others = replies.filter(reply => !busy.includes(reply));
      if (others.length === 0) return 'none of the five was accepted';
      return first(...others.map(accepted), await examiner.expectCount(1));
    },
  },
  {
    name: 'answer_lost',
    title: 'grants once if its answer is lost and the event is sent again',
    why: DUPLICATED,
    fix: 'ONCE',
    needsCounts: true,
    async run(examiner) {
      const event = examiner.event('item.add');
      await examiner.send({ ...(await examiner.sign(event)), cut: true });
      return first(accepted(await examiner.send(await examiner.sign(event))), await examiner.expectCount(1));
    },
  },
  {
    name: 'crash',
    title: 'grants once if it crashes after the grant and the event is sent again',
    why: 'Keys kept in memory are gone after a crash, but the items are saved. Save both in one transaction.',
    fix: 'ONCE',
    needsCounts: true,
    needsCrash: true,
    async run(examiner) {
      const event = examiner.event('item.add');
      const before = accepted(await examiner.send(await examiner.sign(event)));
      await examiner.target.crash?.();
      return first(before, accepted(await examiner.send(await examiner.sign(event))), await examiner.expectCount(1));
    },
  },
];

const ITEMS: ExamCase[] = [
  {
    name: 'add_then_remove',
    title: 'revokes the items of a refunded purchase',
    why: 'A refunded player would keep the items.',
    fix: 'REVOKE',
    needsCounts: true,
    async run(examiner) {
      const add = await examiner.send(await examiner.sign(examiner.event('item.add', { quantity: 3 })));
      const remove = await examiner.send(await examiner.sign(examiner.event('item.remove', { quantity: 3 })));
      return first(accepted(add), accepted(remove), await examiner.expectCount(0));
    },
  },
  {
    name: 'remove_before_answer',
    title: 'revokes items that are refunded before the grant was answered',
    why: 'The answer to a grant can get lost, and the refund comes next. Both must count, in any order.',
    fix: 'REVOKE',
    needsCounts: true,
    async run(examiner) {
      const add = await examiner.sign(examiner.event('item.add'));
      const remove = await examiner.sign(examiner.event('item.remove'));
      await examiner.send({ ...add, cut: true });
      return first(accepted(await examiner.send(remove)), await examiner.expectCount(0));
    },
  },
];

const BODIES: ExamCase[] = [
  {
    name: 'unknown_kind',
    title: 'answers an unknown event type with 400 or 2xx and grants nothing',
    why: 'New versions bring new event types. If your receiver fails on them, each is sent again for three days.',
    fix: 'KINDS',
    async run(examiner) {
      const event = { ...examiner.event('item.add'), event_type: 'item.polish' };
      const reply = await examiner.send(await examiner.sign(event));
      const isFine = reply.kind === 'answer' && reply.status >= 200 && reply.status < 300;
      return first(isFine ? null : refused(reply), await examiner.expectCount(0));
    },
  },
  {
    name: 'not_an_event',
    title: 'answers a signed body that is not an event with 4xx',
    why: 'A stranger could cause this exception as soon as a secret leaks.',
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
    title: 'handles player IDs and SKUs in any script',
    why: 'The signature covers bytes. Text that was decoded and encoded again has different ones.',
    fix: 'RAW',
    async run(examiner) {
      const playerId = `${examiner.playerId}-Zoë-e\u0301-龙-🐉`;
      const event = examiner.event('item.add', { playerId, sku: 'schwert-ü' });
      const body = JSON.stringify(event).replace('ü', '\\u00fc');
      return first(
        accepted(await examiner.send(await examiner.sign(body))),
        await examiner.expectCount(1, { playerId, sku: 'schwert-ü' }),
      );
    },
  },
  {
    name: 'large_body',
    title: 'accepts a body of 200 KiB',
    why: 'An order of a hundred items with long names is valid, but many frameworks stop at 100 KB.',
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
        await examiner.expectCount(1),
        await examiner.expectCount(1, { sku: last }),
      );
    },
  },
  {
    name: 'unknown_fields',
    title: 'ignores fields that it does not know',
    why: 'New fields can appear within a version. A strict parser fails on the day that happens.',
    fix: 'RAW',
    async run(examiner) {
      const event = examiner.event('item.add');
      const [item] = event.event_data.items;
      const data = { ...event.event_data, items: [{ ...item!, rarity: { tier: 5 } }], season: ['spring', null] };
      const more = { ...event, event_data: data, context: { player: { player_id: examiner.playerId } }, trace: 1.5e3 };
      return first(accepted(await examiner.send(await examiner.sign(more))), await examiner.expectCount(1));
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

const BURST = 40;

const LOAD: ExamCase[] = [
  {
    name: 'slow_client',
    title: 'waits for a body that arrives slowly',
    why: 'On a bad day a request takes seconds to arrive. Reading only its first chunk gives a different signature.',
    fix: 'RAW',
    async run(examiner) {
      const probe = await examiner.sign(examiner.event('item.add'));
      return first(accepted(await examiner.send({ ...probe, dripMs: 1_000 })), await examiner.expectCount(1));
    },
  },
  {
    name: 'forty_at_once',
    title: `grants ${BURST} purchases that arrive at once, each within 10 seconds`,
    why: 'A sale starts for all players in the same second.',
    fix: 'ANSWER',
    async run(examiner) {
      const probes = await Promise.all(Array.from({ length: BURST }, () => examiner.sign(examiner.event('item.add'))));
      const replies = await Promise.all(probes.map(probe => examiner.send(probe)));
      return first(...replies.map(accepted), await examiner.expectCount(BURST));
    },
  },
];

export const CASES: readonly ExamCase[] = [...SIGNATURES, ...DUPLICATES, ...ITEMS, ...BODIES, ...LOAD];
