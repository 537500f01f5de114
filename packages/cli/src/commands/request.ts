import type { Command } from 'commander';
import { addCommand, type Runner } from '../command.ts';
import { UsageError } from '../exit-codes.ts';
import { append, oneOf, readJson, readPairs } from '../read-options.ts';

interface RequestFlags {
  data?: string;
  query: string[];
  idempotencyKey?: string;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export function addRequest(program: Command, runner: Runner): void {
  addCommand<RequestFlags>(program, runner, {
    name: 'request <method> <path>',
    values: METHODS,
    summary: 'make any call of the API with your key',
    more: 'Prints the body of the answer as JSON. A refusal ends with the exit code of its kind. --data - reads from standard input.',
    examples: [
      ['coinslot request GET /s2s/v1/orders --query limit=1', 'the newest order'],
      ['coinslot request PUT /s2s/v1/items/gold_100 --data \'{"price_decimal":0.99,"currency":"EUR"}\'', 'with a body'],
    ],
    options: command =>
      command
        .option('--data <json>', 'the body; - reads it from standard input')
        .option('--query <name=value>', 'can be repeated', append, [])
        .option('--idempotency-key <key>', 'makes a repetition safe'),
    async run({ client, output, io }, args, { data, query, idempotencyKey }) {
      const method = oneOf('The method', METHODS)((args[0] ?? '').toUpperCase());
      const path = args[1] ?? '';
      if (!path.startsWith('/s2s/'))
        throw new UsageError(
          'A path starts with /s2s/, such as /s2s/v1/orders.',
          'All of them are in /docs/reference/api',
        );
      const text = data === '-' ? (await io.readInput()).toString('utf8') : data;
      const { body } = await client.request({
        method,
        path,
        query: readPairs('--query', query),
        ...(text !== undefined && { body: readJson('--data', text) }),
        ...(idempotencyKey && { idempotencyKey }),
      });
      if (body !== undefined && body !== null && body !== '')
        io.out(output.isJson ? `${JSON.stringify(body)}\n` : `${JSON.stringify(body, null, 2)}\n`);
    },
  });
}
