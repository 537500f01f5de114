import { type ListPaymentsQuery, PAYMENT_STATUSES, type PaymentStatus } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addCommand, type Runner } from '../command.ts';
import { checkId, oneOf, timeOf, wholeNumber } from '../read-options.ts';
import { plain } from '../terminal/style.ts';
import { paymentRow } from './order-fields.ts';

interface ListFlags {
  order?: string;
  player?: string;
  status?: PaymentStatus;
  since?: number;
  limit: number;
}

export function addPayments(program: Command, runner: Runner): void {
  const payments = program
    .command('payments')
    .summary('list and read payments')
    .description('Payments: attempts to pay an order.');
  addCommand<ListFlags>(payments, runner, {
    name: 'list',
    summary: 'list payments, newest first, including declined ones',
    examples: [
      ['coinslot payments list --order ord_…', 'every payment attempt of an order'],
      ['coinslot payments list --status declined --since 7d', 'declined payments of the last 7 days'],
    ],
    options: command =>
      command
        .option('--order <id>', 'only for this order', (text: string) => checkId(text, 'ord', 'an order'))
        .option('--player <id>', 'only for this player')
        .option('--status <status>', 'only with this status', oneOf('--status', PAYMENT_STATUSES))
        .option('--since <time>', 'only since 15m, 2h, 7d, a date or Unix seconds', timeOf('--since', Date.now))
        .option('--limit <n>', 'maximum number of rows', wholeNumber('--limit', 1, 10_000), 20),
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
        ['PAYMENT', 'STATUS', 'AMOUNT', 'METHOD', 'RESPONSE', 'ORDER', 'CREATED'],
        found.map(payment => paymentRow(output, payment)),
        'No payments.',
      );
    },
  });
  addCommand(payments, runner, {
    name: 'get <payment-id>',
    summary: 'show one payment',
    examples: [['coinslot payments get pay_…', 'with its method and the bank’s answer']],
    async run({ client, output }, args) {
      const payment = await client.payments.get(checkId(args[0], 'pay', 'a payment'));
      if (output.isJson) {
        output.json(payment);
        return;
      }
      const [id, status, amount, method, response, order] = paymentRow(output, payment);
      output.fields([
        ['payment', id],
        ['status', status],
        ['amount', amount],
        ['method', method],
        ['response', response],
        ['order', order],
        ['attention', payment.attention && plain(payment.attention.detail)],
      ]);
    },
  });
}
