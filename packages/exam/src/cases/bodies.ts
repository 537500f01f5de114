import { accepted, type ExamCase, first, mustAccept, refused } from '../exam-case.ts';

const GRANTS = { unless: ['right'] } as const;
const CANNOT_BUY = { loss: 'cannot_buy' } as const;

export const BODIES: ExamCase[] = [
  {
    ...CANNOT_BUY,
    name: 'unknown_kind',
    title: 'answers an unknown event type with 400 or 2xx and grants nothing',
    why: 'New versions bring new event types. If your receiver fails on them, each is sent again for three days.',
    fix: 'KINDS',
    async run(examiner) {
      const event = { ...examiner.event('item.add'), event_type: 'item.polish' };
      const reply = await examiner.send(await examiner.sign(event));
      return first(accepted(reply) === null ? null : refused(reply), await examiner.expectCount(0));
    },
  },
  {
    ...CANNOT_BUY,
    name: 'not_an_event',
    title: 'answers a signed body that is not an event with 4xx',
    why: 'A stranger could cause this exception as soon as a secret leaks.',
    fix: 'PARSE',
    async run(examiner) {
      for (const body of ['status=ok', '[]', '{"event_type":7}']) {
        const verdict = refused(await examiner.send(await examiner.sign(body)));
        if (verdict) return `${body}: ${verdict}`;
      }
      return null;
    },
  },
  {
    ...CANNOT_BUY,
    ...GRANTS,
    name: 'unicode',
    title: 'handles player IDs and SKUs in any script',
    why: 'The signature covers bytes. Text that was decoded and encoded again has different ones.',
    fix: 'RAW',
    async run(examiner) {
      const playerId = `${examiner.playerId}-Zoë-e\u0301-龙-🐉`;
      const event = examiner.event('item.add', { playerId, sku: 'schwert-ü' });
      const body = JSON.stringify(event).replace('ü', '\\u00fc');
      return first(await mustAccept(examiner, body), await examiner.expectCount(1, { playerId, sku: 'schwert-ü' }));
    },
  },
  {
    ...CANNOT_BUY,
    ...GRANTS,
    name: 'large_body',
    title: 'accepts a body of 200 KiB',
    why: 'An order of a hundred items with long names is valid, but many frameworks stop at 100 KB.',
    fix: 'LIMIT',
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
        await mustAccept(examiner, large),
        await examiner.expectCount(1),
        await examiner.expectCount(1, { sku: last }),
      );
    },
  },
  {
    ...CANNOT_BUY,
    ...GRANTS,
    name: 'unknown_fields',
    title: 'ignores fields that it does not know',
    why: 'New fields can appear within a version. A strict parser fails on the day that happens.',
    fix: 'FIELDS',
    async run(examiner) {
      const event = examiner.event('item.add');
      const [item] = event.event_data.items;
      const data = { ...event.event_data, items: [{ ...item!, rarity: { tier: 5 } }], season: ['spring', null] };
      const more = { ...event, event_data: data, context: { player: { player_id: examiner.playerId } }, trace: 1.5e3 };
      return first(await mustAccept(examiner, more), await examiner.expectCount(1));
    },
  },
  {
    ...CANNOT_BUY,
    ...GRANTS,
    name: 'test_event',
    title: 'answers the test button with 2xx',
    why: 'The test in the dashboard would always fail.',
    fix: 'TEST',
    async run(examiner) {
      const { event_data: _, ...envelope } = examiner.event('item.add');
      const event = {
        ...envelope,
        event_type: 'webhook.test',
        event_data: { webhook_id: 'whk_exam', message: 'A test.' },
      };
      return mustAccept(examiner, event);
    },
  },
];
