import { describe, expect, it } from 'vitest';
import { SIGNATURE_VECTORS } from '../../../../tools/signature-vectors.ts';
import { EVENT_SELECTORS, type EventKind, signWebhook, testEvent, verifyWebhook } from '../index.ts';

const SECRET = 'a signing secret';
const KINDS = EVENT_SELECTORS.filter((kind): kind is EventKind => !kind.includes('*'));

describe('signWebhook', () => {
  it('signs as the service does: the shared vectors come out', async () => {
    for (const { made_from: recipe } of SIGNATURE_VECTORS) {
      if (!/^\d+$/.test(recipe.timestamp) || recipe.upper_case || recipe.without || recipe.body === '') continue;
      const { headers } = await signWebhook({
        body: recipe.body,
        secret: recipe.secret,
        signedAt: new Date(Number(recipe.timestamp) * 1000),
        ...(recipe.previous_secret && { previousSecret: recipe.previous_secret }),
      });
      const made = SIGNATURE_VECTORS.find(vector => vector.made_from === recipe)!.headers;
      expect(headers).toMatchObject(made);
    }
  });

  it.each(KINDS)('makes %s that verifies and is typed', async kind => {
    const event = testEvent(kind);
    const { rawBody, headers } = await signWebhook({ body: event, secret: SECRET });
    expect(await verifyWebhook({ rawBody, headers, secret: SECRET })).toEqual({ ok: true, event });
  });

  it('refuses an empty secret and a body that is none', async () => {
    await expect(signWebhook({ body: testEvent('item.add'), secret: '' })).rejects.toThrow('secret is missing');
    await expect(signWebhook({ body: 7 as never, secret: SECRET })).rejects.toThrow('body must be an event');
  });
});

describe('testEvent', () => {
  it('takes fields of its own, and a key for a duplicate', () => {
    const event = testEvent('item.add', { player_id: 'ann' }, { idempotency_key: 'same' });
    expect(event).toMatchObject({
      idempotency_key: 'same',
      event_data: { player_id: 'ann', reason_code: 'order_paid' },
    });
    expect(testEvent('item.add').idempotency_key).not.toBe(testEvent('item.add').idempotency_key);
  });

  it('knows no other kinds', () => {
    expect(() => testEvent('item.*' as never)).toThrow('there is no event');
  });
});
