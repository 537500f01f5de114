import type { SandboxPayment } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addCommand, type Runner } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { checkId, durationOf } from '../read-options.ts';
import { plain } from '../terminal/style.ts';
import { statusWord } from '../terminal/words.ts';

const LONGEST_SECONDS = 2_592_000;

/** Adds `orders advance`, which shows what will happen to an order later. */
export function addAdvance(orders: Command, runner: Runner): void {
  addCommand<{ by: number }>(orders, runner, {
    name: 'advance <order-id>',
    summary: 'advance time: make an order older, so that what is due later happens now (sandbox)',
    more: 'Expiry, retries, giving up and disputes come due at once. Your server gets the attempts as real requests.',
    sandboxOnly: true,
    examples: [
      ['coinslot orders advance ord_… --by 24h', 'an unpaid order expires'],
      ['coinslot orders advance ord_… --by 4d', 'what happens when the game never answers'],
    ],
    options: command =>
      command.requiredOption('--by <time>', '90s, 15m, 2h or 7d', durationOf('--by', 1, LONGEST_SECONDS)),
    async run({ client, output }, args, { by }) {
      const id = checkId(args[0], 'ord', 'an order');
      const moved: SandboxPayment = await output.during(
        'Moving the clock',
        client.sandbox.advance(id, { seconds: by }),
      );
      if (output.isJson) {
        output.json(moved);
        return EXIT.done;
      }
      const { order, payment } = moved;
      output.fields([
        ['order', order.order_id],
        ['status', statusWord(output.style, order.status)],
        ['payment', payment && `${payment.payment_id} ${statusWord(output.style, payment.status)}`],
        ['problem', order.problem && output.style.red(plain(order.problem))],
      ]);
      output.next(`coinslot deliveries list --order ${id}`, 'See what was sent to the game');
      return EXIT.done;
    },
  });
}
