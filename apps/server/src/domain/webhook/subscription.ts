import type { EventKind, EventSelector } from '@coinslot/contract';

export interface Subscription {
  environmentId: string;
  id: string;
  url: string;
  description: string;
  events: EventSelector[];
  enabled: boolean;
  enabledLogs: boolean;
  playerContextEnabled: boolean;
  /** Null: the environment's S2S key signs, as the reference receiver has it. */
  secretSealed: Buffer | null;
  previousSecretSealed: Buffer | null;
  previousSecretUntil: Date | null;
  disabledReason: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** What a subscription can have written to receive this kind. */
export const selectorsOf = (kind: EventKind): EventSelector[] => [
  kind,
  `${kind.slice(0, kind.indexOf('.'))}.*` as EventSelector,
  '*',
];

/** At most one enabled subscription of an environment is asked about items. */
export const takesItems = (events: readonly EventSelector[]): boolean =>
  (['item.add', 'item.remove'] as const).some(kind => selectorsOf(kind).some(selector => events.includes(selector)));
