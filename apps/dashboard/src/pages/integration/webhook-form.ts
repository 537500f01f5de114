import type { DashboardWebhook } from '@coinslot/contract';
import type { RequestOf } from '../../kit/api.ts';
import { spreadEvents } from './events.ts';

export interface WebhookForm {
  url: string;
  description: string;
  events: readonly string[];
  player_context_enabled: boolean;
  enabled_logs: boolean;
}

/** Starts with what is saved; a new webhook keeps logs and selects nothing. */
export const webhookForm = (webhook: DashboardWebhook | null, kinds: readonly string[]): WebhookForm => ({
  url: webhook?.url ?? '',
  description: webhook?.description ?? '',
  events: webhook ? spreadEvents(webhook.events, kinds) : [],
  player_context_enabled: webhook?.player_context_enabled ?? false,
  enabled_logs: webhook?.enabled_logs ?? true,
});

type Input = RequestOf<'POST /dashboard/api/games/{game_id}/{mode}/webhooks'>['body'];

export const webhookInput = (form: WebhookForm): Input => ({
  ...form,
  url: form.url.trim(),
  events: [...form.events] as Input['events'],
});

/** What is missing before the server needs to be asked. */
export const webhookGaps = ({ url, events }: Pick<WebhookForm, 'url' | 'events'>): ('url' | 'events')[] => [
  ...(url.trim() === '' ? (['url'] as const) : []),
  ...(events.length === 0 ? (['events'] as const) : []),
];

export const toggleEvent = (chosen: readonly string[], kind: string, isOn: boolean): string[] => [
  ...chosen.filter(one => one !== kind),
  ...(isOn ? [kind] : []),
];

/** The span of a replay, in Unix seconds; null until a start is given, and an open end is now. */
export function replaySpan(since: number | undefined, until: number | undefined, now: number) {
  return since === undefined ? null : { since, until: until ?? now };
}
