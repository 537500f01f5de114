import { EVENT_SELECTORS, type EventSelector, type Webhook } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addCommand, type Context, type Runner } from '../../command.ts';
import { UsageError } from '../../exit-codes.ts';
import { checkId, listOf, timeOf } from '../../read-options.ts';
import { plain } from '../../terminal/style.ts';
import { statusWord } from '../../terminal/words.ts';

interface UpdateFlags {
  to?: string;
  events?: EventSelector[];
  description?: string;
  enable?: boolean;
  disable?: boolean;
}

const webhookId = (args: string[]): string => checkId(args[0], 'whk', 'a webhook');

function show({ output }: Context, webhook: Webhook): void {
  if (output.isJson) {
    output.json(webhook);
    return;
  }
  output.fields([
    ['webhook', webhook.id],
    ['state', statusWord(output.style, webhook.enabled ? 'enabled' : 'disabled')],
    ['url', plain(webhook.url)],
    ['events', webhook.events.join(', ')],
    ['description', plain(webhook.description)],
  ]);
}

function addUpdate(webhooks: Command, runner: Runner): void {
  addCommand<UpdateFlags>(webhooks, runner, {
    name: 'update <webhook-id>',
    summary: 'change address, events or state of a webhook',
    more: 'Enabling a webhook delivers the events that it held.',
    examples: [
      ['coinslot webhooks update whk_… --to https://game.example.com/hooks', 'the next attempt goes there'],
      ['coinslot webhooks update whk_… --enable', 'and what it held is sent'],
    ],
    options: command =>
      command
        .option('--to <url>', 'the new address')
        .option('--events <kinds>', 'event kinds, separated by commas', listOf('--events', EVENT_SELECTORS))
        .option('--description <text>', 'a description')
        .option('--enable', 'deliver again')
        .option('--disable', 'hold its events'),
    async run(context, args, { to, events, description, enable, disable }) {
      const id = webhookId(args);
      if (enable && disable) throw new UsageError('Give either --enable or --disable.');
      const change = {
        ...(to && { url: to }),
        ...(events && { events }),
        ...(description !== undefined && { description }),
        ...((enable || disable) && { enabled: enable ?? false }),
      };
      if (Object.keys(change).length === 0)
        throw new UsageError('Nothing to change.', 'Give --to, --events, --description, --enable or --disable.');
      show(context, await context.client.webhooks.update(id, change));
    },
  });
}

/** Adds the commands that change an existing webhook. */
export function addWebhookChanges(webhooks: Command, runner: Runner): void {
  addUpdate(webhooks, runner);
  addCommand(webhooks, runner, {
    name: 'rotate <webhook-id>',
    summary: 'make a new signing secret and print it',
    more: 'For 24 hours webhooks are also signed with the previous secret, in x-service-signature-previous.',
    examples: [['coinslot webhooks rotate whk_… --json', 'the secret is in the field "secret"']],
    async run({ client, output }, args) {
      const rotated = await client.webhooks.rotateSecret(webhookId(args));
      if (output.isJson) {
        output.json(rotated);
        return;
      }
      output.fields([
        ['webhook', rotated.id],
        ['secret', rotated.secret],
      ]);
      output.note('It is shown this once. Give it to your receiver within 24 hours.');
    },
  });
  addCommand<{ since: number; until?: number; onlyFailed?: boolean }>(webhooks, runner, {
    name: 'replay <webhook-id>',
    summary: 'send the events of a time span again',
    more: 'Bodies and idempotency keys are the original ones, so a good receiver grants nothing twice.',
    examples: [['coinslot webhooks replay whk_… --since 2h --only-failed', 'after an outage']],
    options: command =>
      command
        .requiredOption('--since <time>', '15m, 2h, 7d, a date or Unix seconds', timeOf('--since', Date.now))
        .option('--until <time>', 'the same; now when omitted', timeOf('--until', Date.now))
        .option('--only-failed', 'only events that never got a 2xx'),
    async run({ client, output }, args, { since, until, onlyFailed }) {
      const id = webhookId(args);
      const span = { since, ...(until !== undefined && { until }), ...(onlyFailed && { only_failed: true }) };
      const result = await client.webhooks.replay(id, span);
      if (output.isJson) output.json(result);
      else output.line(`${result.replayed} ${result.replayed === 1 ? 'delivery is' : 'deliveries are'} sent again.`);
    },
  });
}
