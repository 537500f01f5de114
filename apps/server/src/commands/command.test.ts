import { expect, it } from 'vitest';
import { AppError } from '../kit/app-error.ts';
import { defineCommand, UsageError } from './command.ts';

const greetCommand = defineCommand<{ greeting: string }, { loud?: boolean }>({
  name: 'greet <name>',
  summary: 'Greets a player.',
  refusal: 'The player was not greeted',
  options: command => command.option('--loud', 'with an exclamation mark'),
  open: work => work({ greeting: 'Hello' }),
  async run({ greeting, write }, [name = ''], { loud }) {
    if (name === '-') throw new UsageError('A dash is no name.');
    if (name === 'eve')
      throw new AppError('validation_failed', {
        issues: [{ pointer: '/player_name', code: 'url_refused', message: 'Is not welcome.' }],
      });
    write(`${greeting} ${name}${loud ? '!' : ''}`);
    return 0;
  },
});

async function run(...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const io = { write: (text: string) => void out.push(text), writeError: (text: string) => void err.push(text) };
  return { code: await greetCommand.run(argv, { greeting: 'Hi', ...io }), out: out.join('\n'), err: err.join('\n') };
}

it('runs with its arguments and options', async () => {
  expect(await run('ada')).toEqual({ code: 0, out: 'Hi ada', err: '' });
  expect(await run('ada', '--loud')).toMatchObject({ out: 'Hi ada!' });
});

it('explains itself: asked for help with 0, called wrongly with 2, and nothing runs', async () => {
  expect(await run('--help')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/greet.*<name>[\s\S]+--loud/),
    err: '',
  });
  for (const argv of [[], ['ada', 'bob'], ['ada', '--quiet'], ['-']]) {
    expect(await run(...argv)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Greets a player.') });
  }
});

it('names each option that was refused', async () => {
  expect(await run('eve')).toEqual({
    code: 1,
    out: '',
    err: 'The player was not greeted:\n  --player-name Is not welcome.',
  });
});
