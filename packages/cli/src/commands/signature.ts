import { readFile } from 'node:fs/promises';
import { verifyWebhook, type WebhookRefusal } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addBareCommand, type Runner } from '../command.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { checkSecret, wholeNumber } from '../read-options.ts';
import { readSettings } from '../settings.ts';
import type { Io } from '../terminal/io.ts';

interface VerifyFlags {
  body: string;
  timestamp: string;
  signature: string;
  tolerance: number;
  anyAge?: boolean;
  key?: string;
  url?: string;
}

const WHY: Record<WebhookRefusal, string> = {
  missing_headers: 'the timestamp or the signature is missing',
  invalid_timestamp: 'the timestamp is not a number of seconds',
  timestamp_too_old: 'the signature is right, but the timestamp is too old (--any-age ignores this)',
  timestamp_too_new: 'the signature is right, but the timestamp is ahead of this clock',
  signature_mismatch:
    'the secret or the body is different. Use the body exactly as it arrived: not parsed and serialized again, without an extra line break at the end',
  invalid_body: 'the signature is right, but the body is not an event',
};

const readBody = (io: Io, from: string): Promise<Buffer> =>
  from === '-'
    ? io.readInput()
    : readFile(from).catch(() => {
        throw new UsageError(`File not found: ${from}.`, '--body - reads standard input.');
      });

async function secretOf(io: Io, flags: VerifyFlags): Promise<string> {
  const given = io.env.COINSLOT_SECRET;
  if (given !== undefined) checkSecret('COINSLOT_SECRET', given);
  const secret = given ?? (await readSettings(io, flags)).key;
  if (secret) return secret;
  throw new UsageError(
    'No signing secret is set.',
    'Set COINSLOT_SECRET to the webhook’s secret, or COINSLOT_KEY if the S2S key signs.',
  );
}

export function addSignature(program: Command, runner: Runner): void {
  const signature = program
    .command('signature')
    .summary('check the signature of a webhook')
    .description('Signatures of webhooks.');
  addBareCommand<VerifyFlags>(signature, runner, {
    name: 'verify',
    summary: 'check whether a webhook was signed by Coinslot',
    more: `Uses COINSLOT_SECRET as the secret, or else your S2S key, which signs webhooks without their own secret.
Exits with 7 if the signature is invalid.`,
    examples: [
      ['coinslot signature verify --body body.json --timestamp 1767225600 --signature 3f0c…', 'from a file'],
      ['COINSLOT_SECRET=whsec_… coinslot signature verify --body - --timestamp … --signature … < body', 'from a pipe'],
    ],
    options: command =>
      command
        .requiredOption('--body <file>', 'the raw body, byte for byte; - reads standard input')
        .requiredOption('--timestamp <seconds>', 'value of the x-service-signature-timestamp header')
        .requiredOption('--signature <hex>', 'value of the x-service-signature header')
        .option(
          '--tolerance <seconds>',
          'maximum age of the timestamp',
          wholeNumber('--tolerance', 0, 315_360_000),
          300,
        )
        .option('--any-age', 'ignore the age of the timestamp'),
    async run({ io, output }, _args, flags) {
      const rawBody = await readBody(io, flags.body);
      const verified = await verifyWebhook({
        rawBody,
        secret: await secretOf(io, flags),
        headers: { 'x-service-signature-timestamp': flags.timestamp, 'x-service-signature': flags.signature },
        toleranceSeconds: flags.anyAge ? Number.MAX_SAFE_INTEGER : flags.tolerance,
      });
      const { style } = output;
      if (output.isJson) output.json({ ...verified, body_bytes: rawBody.length });
      else if (verified.ok) {
        output.line(`${style.green('valid')}  ${verified.event.event_type} ${verified.event.idempotency_key}`);
      } else output.line(`${style.red('invalid')}  ${WHY[verified.reason]} (${rawBody.length} bytes)`);
      return verified.ok ? EXIT.done : EXIT.negative;
    },
  });
}
