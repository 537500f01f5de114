import { readFile } from 'node:fs/promises';
import { verifyWebhook, type WebhookRefusal } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addBareCommand, type Runner } from '../command.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { wholeNumber } from '../read-options.ts';
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
  invalid_timestamp: 'the timestamp is no number of seconds',
  timestamp_too_old: 'the signature is right, but the timestamp is too old (--any-age looks past it)',
  timestamp_too_new: 'the signature is right, but the timestamp is ahead of this clock',
  signature_mismatch:
    'another secret, or another body. The body must be the bytes as they arrived: not parsed and written again, no line break at the end',
  invalid_body: 'the signature is right, but the body is no event',
};

const readBody = (io: Io, from: string): Promise<Buffer> =>
  from === '-'
    ? io.readInput()
    : readFile(from).catch(() => {
        throw new UsageError(`There is no file ${from}.`, '--body - reads standard input.');
      });

async function secretOf(io: Io, flags: VerifyFlags): Promise<string> {
  const secret = io.env.COINSLOT_SECRET || (await readSettings(io, flags)).key;
  if (secret) return secret;
  throw new UsageError(
    'There is no secret to verify with.',
    'Set COINSLOT_SECRET to the secret of the webhook, or COINSLOT_KEY if the S2S key signs.',
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
    more: `The secret is taken from COINSLOT_SECRET, else from your S2S key, which signs unless a webhook has a secret
of its own. Ends with 7 when the signature is not good.`,
    examples: [
      ['coinslot signature verify --body body.json --timestamp 1767225600 --signature 3f0c…', 'from a file'],
      ['COINSLOT_SECRET=whsec_… coinslot signature verify --body - --timestamp … --signature … < body', 'from a pipe'],
    ],
    options: command =>
      command
        .requiredOption('--body <file>', 'the raw body, byte for byte; - reads standard input')
        .requiredOption('--timestamp <seconds>', 'the header x-service-signature-timestamp')
        .requiredOption('--signature <hex>', 'the header x-service-signature')
        .option('--tolerance <seconds>', 'how old it may be', wholeNumber('--tolerance', 0, 315_360_000), 300)
        .option('--any-age', 'whatever the timestamp says'),
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
        output.line(`${style.green('good')}  ${verified.event.event_type} ${verified.event.idempotency_key}`);
      } else output.line(`${style.red('not good')}  ${WHY[verified.reason]} (${rawBody.length} bytes)`);
      return verified.ok ? EXIT.done : EXIT.saidNo;
    },
  });
}
