import { EVENT_SELECTORS, type EventSelector } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addCommand, type Runner } from '../../command.ts';
import { EXIT, UsageError } from '../../exit-codes.ts';
import { checkId, checkSecret, listOf } from '../../read-options.ts';
import { plain } from '../../terminal/style.ts';
import { orNone, statusWord } from '../../terminal/words.ts';
import { answerWord, watchDelivery } from '../../watch-delivery.ts';
import { addWebhookChanges } from './webhook-changes.ts';

interface AddFlags {
  events: EventSelector[];
  description?: string;
  playerContext?: boolean;
  secretFromEnv?: string;
}

const webhookId = (args: string[]): string => checkId(args[0], 'whk', 'a webhook');

function checkWebhookUrl(text: string | undefined): string {
  if (text !== undefined && URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new UsageError(
    `A webhook goes to an address such as https://game.example.com/webhooks, not ${JSON.stringify(text ?? '')}.`,
  );
}

function addAdd(webhooks: Command, runner: Runner): void {
  addCommand<AddFlags>(webhooks, runner, {
    name: 'add <url>',
    summary: 'register a webhook and print its secret',
    more: 'Only one enabled webhook can receive item events. For a server on this computer, use `coinslot listen` instead.',
    examples: [
      ['coinslot webhooks add https://game.example.com/webhooks', 'receives item events'],
      ['coinslot webhooks add https://game.example.com/log --events "order.*,payment.*"', 'only observes'],
    ],
    options: command =>
      command
        .option('--events <kinds>', 'event kinds, separated by commas', listOf('--events', EVENT_SELECTORS), [
          'item.add',
          'item.remove',
        ])
        .option('--description <text>', 'a description')
        .option('--player-context', 'include player data in the body')
        .option('--secret-from-env <name>', 'a dedicated secret, from this environment variable'),
    async run({ client, output, io }, args, flags) {
      const url = checkWebhookUrl(args[0]);
      const secret = flags.secretFromEnv === undefined ? undefined : io.env[flags.secretFromEnv];
      if (flags.secretFromEnv !== undefined) checkSecret(flags.secretFromEnv, secret);
      const made = await client.webhooks.create({
        url,
        events: flags.events,
        ...(flags.description && { description: flags.description }),
        ...(flags.playerContext && { player_context_enabled: true }),
        ...(secret && { secret }),
      });
      if (output.isJson) {
        output.json(made);
        return;
      }
      const signed = made.secret_source === 's2s_key' ? 'your S2S key' : 'a dedicated secret';
      output.fields([
        ['webhook', made.id],
        ['url', plain(made.url)],
        ['events', made.events.join(', ')],
        ['signed with', signed],
      ]);
      output.next(`coinslot webhooks test ${made.id}`, 'Test it');
    },
  });
}

export function addWebhooks(program: Command, runner: Runner): void {
  const webhooks = program
    .command('webhooks')
    .summary('list, add, update, test, rotate, replay and remove webhooks')
    .description('Webhooks: endpoints that receive events.');
  addCommand(webhooks, runner, {
    name: 'list',
    summary: 'list webhooks, newest first',
    examples: [['coinslot webhooks list', 'with the events they receive']],
    async run({ client, output }) {
      const found = await client.webhooks.list().take(100);
      if (output.isJson) {
        for (const webhook of found) output.json(webhook);
        return;
      }
      output.table(
        ['WEBHOOK', 'STATE', 'URL', 'EVENTS', 'DESCRIPTION'],
        found.map(({ id, enabled, url, events, description }) => [
          id,
          statusWord(output.style, enabled ? 'enabled' : 'disabled'),
          plain(url),
          events.join(', '),
          orNone(description),
        ]),
        'No webhooks.',
      );
      if (found.length === 0) {
        output.next('coinslot listen --forward-to http://localhost:3000/webhook', 'Receive webhooks on this computer');
      }
    },
  });
  addAdd(webhooks, runner);
  addWebhookChanges(webhooks, runner);
  addCommand(webhooks, runner, {
    name: 'test <webhook-id>',
    summary: 'send a webhook.test event and show the response',
    more: 'Exits with 7 if the response was not 2xx.',
    examples: [['coinslot webhooks test whk_…', 'is it reachable, and does it verify the signature?']],
    async run({ client, output }, args) {
      const { id } = await client.webhooks.test(webhookId(args));
      const delivery = await output.during('Waiting for the response', watchDelivery(client, id, 0));
      if (output.isJson) output.json(delivery);
      else {
        output.fields([
          ['delivery', delivery.id],
          ['status', statusWord(output.style, delivery.status)],
          ['answer', plain(answerWord(delivery))],
        ]);
      }
      if (delivery.status === 'succeeded') return EXIT.done;
      output.next(`coinslot deliveries get ${id}`, 'See the response');
      return EXIT.negative;
    },
  });
  addCommand(webhooks, runner, {
    name: 'remove <webhook-id>',
    summary: 'delete a webhook',
    more: 'Items waiting to be granted are held for the next webhook.',
    examples: [['coinslot webhooks remove whk_…', 'permanently']],
    async run({ client, output }, args) {
      const id = webhookId(args);
      await client.webhooks.delete(id);
      if (output.isJson) output.json({ id, removed: true });
      else output.line(`${id} was removed.`);
    },
  });
}
