import type { EventKind, EventSelector } from '@coinslot/contract';
import { type RowOf, table, typed } from '../../../db/table.ts';

/** Why the program disabled a subscription. The texts have a sentence for each. */
export type DisabledReason = 'endpoint_gone';

export const SUBSCRIPTIONS = table('webhook_subscriptions', {
  environmentId: 'text',
  id: 'text',
  url: 'text',
  description: 'text',
  events: typed<EventSelector[]>('text[]'),
  enabled: 'boolean',
  enableCount: 'int',
  enabledLogs: 'boolean',
  playerContextEnabled: 'boolean',
  /** Null: the environment's S2S key signs, as the reference receiver has it. */
  secretSealed: 'bytea?',
  previousSecretSealed: 'bytea?',
  previousSecretUntil: 'timestamptz?',
  /** Null: a member disabled it, or it is enabled. */
  disabledReason: typed<DisabledReason | null>('text?'),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

export type Subscription = RowOf<typeof SUBSCRIPTIONS>;

export const selectorsOf = (kind: EventKind): EventSelector[] => [
  kind,
  `${kind.slice(0, kind.indexOf('.'))}.*` as EventSelector,
  '*',
];

const ITEM_KINDS = ['item.add', 'item.remove'] as const;

const itemKindsIn = (events: readonly EventSelector[]): EventKind[] =>
  ITEM_KINDS.filter(kind => selectorsOf(kind).some(selector => events.includes(selector)));

/** At most one enabled subscription of an environment is asked about items. */
export const takesItems = (events: readonly EventSelector[]): boolean => itemKindsIn(events).length > 0;

const missingItemKind = (events: readonly EventSelector[]): EventKind | undefined =>
  takesItems(events) ? ITEM_KINDS.find(kind => !itemKindsIn(events).includes(kind)) : undefined;

/** What was asked for, once each, with both kinds of items if one was named: items that cannot be revoked are lost money. */
export function wholeEvents(events: readonly EventSelector[]): EventSelector[] {
  const missing = missingItemKind(events);
  return [...new Set(missing ? [...events, missing] : events)];
}

/** Says what `wholeEvents` adds to a request, as a part of its answer. */
export function eventWarnings(events: readonly EventSelector[] = []): { warnings?: string[] } {
  const missing = missingItemKind(events);
  return missing
    ? { warnings: [`/events: ${missing} was added, because one endpoint gets both item.add and item.remove.`] }
    : {};
}
