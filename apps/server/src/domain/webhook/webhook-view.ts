import type * as contract from '@coinslot/contract';
import { toUnixSeconds, unixOrNull } from '../../kit/clock.ts';
import { type Environment, isSandbox } from '../game/environment.ts';
import type { Subscription } from './subscription.ts';

const VISIBLE_CHARS = 4;

/** Enough to tell secrets apart, and too little to sign with. */
export const redactSecret = (secret: string): string => `…${secret.slice(-VISIBLE_CHARS)}`;

/** A webhook as every door shows it. */
export const webhookView = (environment: Environment, webhook: Subscription, secret: string): contract.Webhook => ({
  id: webhook.id,
  game_id: environment.gameId,
  events: webhook.events,
  url: webhook.url,
  description: webhook.description,
  method: 'POST',
  enabled: webhook.enabled,
  enabled_logs: webhook.enabledLogs,
  player_context_enabled: webhook.playerContextEnabled,
  secret,
  secret_source: webhook.secretSealed ? 'dedicated' : 's2s_key',
  previous_secret_until: unixOrNull(webhook.previousSecretUntil),
  disabled_reason: webhook.disabledReason,
  sandbox: isSandbox(environment),
  created_at: toUnixSeconds(webhook.createdAt),
  updated_at: toUnixSeconds(webhook.updatedAt),
});
