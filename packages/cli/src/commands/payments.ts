import { type ListPaymentsQuery, PAYMENT_STATUSES, type PaymentStatus } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addCommand, type Runner } from '../command.ts';
import { checkId, oneOf, timeOf, wholeNumber } from '../read-options.ts';
import { paymentRow } from './order-fields.ts';

interface ListFlags {
  order?: string;
  player?: string;
  status?: PaymentStatus;
  since?: number;
  limit: number;
}

export function addPayments(program: Command, runner: Runner): void {
  const payments = program.command('payments').summary('list payments').description('Payments: attempts to pay.');
  addCommand<ListFlags>(payments, runner, {
    name: 'list',
    summary: 'list payments, newest first, declined ones too',
    examples: [
      ['coinslot payments list --order ord_…', 'every attempt to pay an order'],
      ['coinslot payments list --status declined --since 7d', 'what was declined this week'],
    ],
    options: command =>
      command
        .option('--order <id>', 'only of this order', (text: string) => checkId(text, 'ord', 'an order'))
        .option('--player <id>', 'only of this player')
        .option('--status <status>', 'only these', oneOf('--status', PAYMENT_STATUSES))
        .option('--since <time>', 'only since 15m, 2h, 7d, a date or Unix seconds', timeOf('--since', Date.now))
        .option('--limit <n>', 'at most that many', wholeNumber('--limit', 1, 10_000), 20),
    async run({ client, output }, _args, { order, player, status, since, limit }) {
      const filter: ListPaymentsQuery = {
        limit: Math.min(limit, 100),
        ...(order && { order_id: order }),
        ...(player && { player_id: player }),
        ...(status && { status }),
        ...(since !== undefined && { created_from: since }),
      };
      const found = await output.during('Reading payments', client.payments.list(filter).take(limit));
      if (output.isJson) {
        for (const payment of found) output.json(payment);
        return;
      }
      output.table(
        ['PAYMENT', 'STATUS', 'AMOUNT', 'METHOD', 'ANSWER', 'ORDER', 'BEGAN'],
        found.map(payment => paymentRow(output, payment)),
        'No payments.',
      );
    },
  });
}
