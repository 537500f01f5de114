import type { DashboardWebhook } from '@coinslot/contract';
import { describe, expect, test } from 'vitest';
import { eventName, expandEvents, headerText, isSuccess } from './event-text.ts';
import { missingWebhookFields, replaySpan, toggleEvent, webhookForm, webhookInput } from './webhook-form.ts';

const KINDS = ['item.add', 'item.remove', 'order.paid', 'order.created'];

describe('an event', () => {
  test('has a readable name', () => {
    expect(eventName('item.add')).toBe('Item add');
    expect(eventName('order.charged_back')).toBe('Order charged back');
    expect(eventName('order.*')).toBe('order.*');
    expect(eventName('')).toBe('');
  });

  test.each([
    [['order.*'], ['order.paid', 'order.created']],
    [['*'], KINDS],
    [['item.add', 'item.add'], ['item.add']],
    [['weather.*', 'item'], []],
  ])('of %j covers %j', (selected, kinds) => {
    expect(expandEvents(selected, KINDS)).toEqual(kinds);
  });
});

describe('the form of a webhook', () => {
  test('starts empty and keeps logs', () => {
    const form = webhookForm(null, KINDS);
    expect(form).toMatchObject({ url: '', events: [], enabled_logs: true, player_context_enabled: false });
    expect(missingWebhookFields(form)).toEqual(['url', 'events']);
  });

  test('starts with what is saved, wildcards spread out', () => {
    const saved = { url: 'https://game.example', description: null, events: ['item.*'], enabled_logs: false };
    const form = webhookForm({ ...saved, player_context_enabled: true } as unknown as DashboardWebhook, KINDS);
    expect(form.events).toEqual(['item.add', 'item.remove']);
    expect(webhookInput({ ...form, url: ' https://game.example ' })).toEqual({
      url: 'https://game.example',
      description: '',
      events: ['item.add', 'item.remove'],
      player_context_enabled: true,
      enabled_logs: false,
    });
    expect(missingWebhookFields(form)).toEqual([]);
  });

  test('selects and deselects events', () => {
    expect(toggleEvent(['item.add'], 'item.remove', true)).toEqual(['item.add', 'item.remove']);
    expect(toggleEvent(['item.add'], 'item.add', true)).toEqual(['item.add']);
    expect(toggleEvent(['item.add'], 'item.add', false)).toEqual([]);
  });
});

describe('a replay', () => {
  test('needs a start, and without an end goes up to now', () => {
    expect(replaySpan(undefined, 200, 300)).toBeNull();
    expect(replaySpan(100, undefined, 300)).toEqual({ since: 100, until: 300 });
    expect(replaySpan(100, 200, 300)).toEqual({ since: 100, until: 200 });
  });
});

describe('an attempt', () => {
  test.each([
    [200, true],
    [299, true],
    [199, false],
    [302, false],
    [503, false],
    [null, false],
  ])('answered with %s succeeded: %s', (status, isGood) => {
    expect(isSuccess(status)).toBe(isGood);
  });

  test('shows one header on each line', () => {
    expect(headerText({ a: '1', 'x-b': 'two: three' })).toBe('a: 1\nx-b: two: three');
    expect(headerText({})).toBe('');
  });
});
