import type { Chaos } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addCommand, type Runner } from '../command.ts';
import { oneOf } from '../read-options.ts';

export function addChaos(program: Command, runner: Runner): void {
  addCommand(program, runner, {
    name: 'chaos [on-or-off]',
    values: ['on', 'off'],
    summary: 'delay, double, reorder and lose deliveries, and fail the provider now and then (sandbox)',
    more: `Without an argument it says how things stand. A receiver that grants by idempotency key and answers after it saved
comes through chaos with every order right. It stays on until you turn it off.`,
    sandboxOnly: true,
    examples: [
      ['coinslot chaos on', 'within two seconds'],
      ['coinslot chaos off', 'everything arrives once and in time again'],
    ],
    async run({ client, output }, args) {
      const wanted = args[0] === undefined ? null : oneOf('The switch', ['on', 'off'])(args[0]);
      const path = '/s2s/v1/sandbox/chaos';
      const { body } = await client.request<Chaos>(
        wanted === null ? { method: 'GET', path } : { method: 'PUT', path, body: { enabled: wanted === 'on' } },
      );
      const { enabled } = body;
      if (output.isJson) output.json({ enabled });
      else output.line(enabled ? 'This sandbox is in chaos.' : 'This sandbox behaves.');
      if (enabled) output.next('coinslot deliveries list', 'See what was lost and sent again');
    },
  });
}
