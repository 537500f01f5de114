import type { SandboxPayment } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addCommand, type Context, type Runner } from '../command.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-codes.ts';
import { checkId, oneOf } from '../read-options.ts';
import { plain } from '../terminal/style.ts';
import { moneyWord, statusWord } from '../terminal/words.ts';

const CARDS = {
  success: 'pays',
  decline: 'declined, code 16',
  insufficient_funds: 'declined, code 2051',
  lost: 'declined, code 3041',
  stolen: 'declined, code 3043',
  expired: 'declined, code 2054',
  '3ds': 'requires 3-D Secure; answer with --challenge',
  dispute: 'succeeds, then the bank reverses it',
  dispute_won: 'succeeds, then a dispute is won',
  dispute_evidence: 'succeeds, then a dispute waits for evidence',
  inquiry: 'succeeds, then the bank asks before it disputes',
  refund_fails: 'succeeds; the first refund fails at the bank',
} as const;
type Card = keyof typeof CARDS;
const CARD_NAMES = Object.keys(CARDS) as Card[];

interface PayFlags {
  card?: Card;
  challenge?: 'complete' | 'fail';
}

/** The webhook may take ten seconds, and the service waits twelve. */
const TIMEOUT_MS = 30_000;

function suggest({ output }: Context, { order, payment, challenge }: SandboxPayment): void {
  const id = order.order_id;
  if (challenge) output.next(`coinslot orders pay ${id} --challenge complete`, 'Complete the bank’s challenge');
  else if (payment?.status === 'declined') output.next(`coinslot orders pay ${id} --card success`, 'Try another card');
  else if (order.status === 'authorized')
    output.next(`coinslot deliveries list --order ${id}`, 'The money is reserved, and the game has not accepted yet');
  else if (order.status === 'paid') output.next(`coinslot orders refund ${id}`, 'Granted and captured. Refund it');
}

function codeOf({ order, payment }: SandboxPayment): ExitCode {
  return payment?.status === 'declined' || order.status === 'rejected' ? EXIT.negative : EXIT.done;
}

function print(context: Context, paid: SandboxPayment): ExitCode {
  const { output } = context;
  const { order, payment, challenge } = paid;
  if (output.isJson) output.json(paid);
  else {
    const { style } = output;
    output.fields([
      ['order', order.order_id],
      ['status', statusWord(style, order.status)],
      ['payment', payment && `${payment.payment_id} ${statusWord(style, payment.status)}`],
      ['amount', moneyWord(order)],
      [
        'answer',
        payment?.response_code ? plain(`${payment.response_code} ${payment.response_description ?? ''}`) : null,
      ],
      ['challenge', challenge && `${challenge.state} at ${challenge.url}`],
      ['problem', order.problem && style.red(plain(order.problem))],
    ]);
    suggest(context, paid);
  }
  return codeOf(paid);
}

export function addPay(orders: Command, runner: Runner): void {
  const cards = CARD_NAMES.map(name => `  ${name.padEnd(20)}${CARDS[name]}`).join('\n');
  addCommand<PayFlags>(orders, runner, {
    name: 'pay <order-id>',
    summary: 'pay an order with a test card, as on the page (sandbox)',
    more: `Cards:\n${cards}\n\nExits with 7 if the card or the game declined.`,
    sandboxOnly: true,
    examples: [
      ['coinslot orders pay ord_… --card success', 'the game is asked, then the money is captured'],
      ['coinslot orders pay ord_… --card 3ds', 'starts a challenge …'],
      ['coinslot orders pay ord_… --challenge complete', '… and completes it'],
    ],
    options: command =>
      command
        .option('--card <name>', 'which test card', oneOf('--card', CARD_NAMES))
        .option('--challenge <answer>', 'complete or fail', oneOf('--challenge', ['complete', 'fail'])),
    async run(context, args, { card, challenge }) {
      const id = checkId(args[0], 'ord', 'an order');
      if ((card === undefined) === (challenge === undefined)) {
        throw new UsageError('Give either --card or --challenge.', `coinslot orders pay ${id} --card success`);
      }
      const answer = context.client.request<SandboxPayment>({
        method: 'POST',
        path: `/s2s/v1/orders/${id}/pay`,
        body: card ? { card } : { challenge },
        timeoutMs: TIMEOUT_MS,
      });
      return print(context, (await context.output.during('Paying and asking the game', answer)).body);
    },
  });
}
