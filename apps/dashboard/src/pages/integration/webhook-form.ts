import type { DashboardWebhook } from '@coinslot/contract';
import type { RequestOf } from '../../kit/api.ts';
import { expandEvents } from './event-text.ts';

export interface WebhookForm {
  url: string;
  description: string;
  events: readonly string[];
  player_context_enabled: boolean;
  enabled_logs: boolean;
}

/** Starts with the saved webhook. A new one keeps logs and selects no events. */
export const webhookForm = (webhook: DashboardWebhook | null, kinds: readonly string[]): WebhookForm => ({
  url: webhook?.url ?? '',
  description: webhook?.description ?? '',
  events: webhook ? expandEvents(webhook.events, kinds) : [],
  player_context_enabled: webhook?.player_context_enabled ?? false,
  enabled_logs: webhook?.enabled_logs ?? true,
});

type Input = RequestOf<'POST /dashboard/api/games/{game_id}/{mode}/webhooks'>['body'];

export const webhookInput = (form: WebhookForm): Input => ({
  ...form,
  url: form.url.trim(),
  events: [...form.events] as Input['events'],
});

/** Lists what is missing before the server is called. */
export const missingWebhookFields = ({ url, events }: Pick<WebhookForm, 'url' | 'events'>): ('url' | 'events')[] => [
  ...(url.trim() === '' ? (['url'] as const) : []),
  ...(events.length === 0 ? (['events'] as const) : []),
];

export const toggleEvent = (chosen: readonly string[], kind: string, isOn: boolean): string[] => [
  ...chosen.filter(one => one !== kind),
  ...(isOn ? [kind] : []),
];

/** The time range of a replay in Unix seconds. Null until a start is given; without an end it ends now. */
export function replaySpan(since: number | undefined, until: number | undefined, now: number) {
  return since === undefined ? null : { since, until: until ?? now };
}
