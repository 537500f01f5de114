#!/usr/bin/env node
import { homedir } from 'node:os';
import { run } from './run.ts';

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second Ctrl-C exits at once.
    if (stopped.signal.aborted) process.exit(130);
    stopped.abort();
  });
}

async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function askSecret(question: string): Promise<string | null> {
  const { isCancel, password } = await import('@clack/prompts');
  const answer = await password({ message: question });
  return isCancel(answer) ? null : answer;
}

// The other end of a pipe may close early, as `head` does.
process.stdout.on('error', error => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0);
});

process.exitCode = await run(process.argv.slice(2), {
  out: text => void process.stdout.write(text),
  err: text => void process.stderr.write(text),
  env: process.env,
  isOutTerminal: process.stdout.isTTY ?? false,
  isErrTerminal: process.stderr.isTTY ?? false,
  isInTerminal: process.stdin.isTTY ?? false,
  readInput,
  askSecret,
  signal: stopped.signal,
  homeFolder: homedir(),
  platform: process.platform,
  fetch: globalThis.fetch,
});
