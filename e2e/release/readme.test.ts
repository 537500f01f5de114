import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../packages/cli/src/testing/run-cli.ts';
import { freePort } from '../free-port.ts';
import { type ReaderShell, startReaderShell } from './reader-shell.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The shell blocks of one section, as a reader would copy them. */
function blocksOf(heading: string): string[] {
  const [, section = ''] = readme.split(`\n## ${heading}\n`);
  const text = section.split('\n## ')[0]!;
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

/** The lines that a section promises after its blocks. `…` stands for anything. */
function promisedIn(heading: string): RegExp[] {
  const [, section = ''] = readme.split(`\n## ${heading}\n`);
  const shown = [...section.split('\n## ')[0]!.matchAll(/^```text\n(.*?)^```$/gms)].flatMap(([, text = '']) =>
    text.trim().split('\n'),
  );
  const plain = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return shown.map(line => new RegExp(line.split('…').map(plain).join('.*')));
}

const waiting = { timeout: 90_000, interval: 200 };

describe('the README', () => {
  const shells: ReaderShell[] = [];
  let dataDir: string;
  let url: string;
  let gamePort: number;
  let run: (script: string, more?: NodeJS.ProcessEnv) => ReaderShell;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'coinslot-readme-'));
    const port = await freePort();
    gamePort = await freePort();
    url = `http://localhost:${port}`;
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, PORT: String(port), DATA_DIR: dataDir };
    run = (script, more = {}) => {
      const moved = script.replaceAll('localhost:4242', `localhost:${port}`).replaceAll(/\b4300\b/g, String(gamePort));
      const shell = startReaderShell(moved, { ...env, ...more }, ROOT);
      shells.push(shell);
      return shell;
    };
  });

  afterAll(async () => {
    for (const shell of shells.toReversed()) await shell.end();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('leads in five pasted steps from nothing to an item that is granted and paid, and back', async () => {
    const [start = '', ...steps] = blocksOf('First order in five steps');
    const refund = blocksOf('Refund it');
    expect([steps.length, refund.length]).toEqual([4, 1]);

    const server = run(start);
    await expect.poll(server.output, waiting).toContain(' is running at ');

    // A reader who went wrong pastes the game once more.
    const [register, game, ...rest] = steps;
    const pasted = [register, game, game, ...rest];
    const reader = run(['set -e', ...pasted, 'echo; echo "KEPT $S2S_KEY $order_id"', 'wait'].join('\n'));
    await expect.poll(reader.output, waiting).toMatch(/KEPT \S+ ord_\w+/);
    await expect.poll(reader.output, waiting).toContain('[game] item.add gold_100, player player-1');
    const [, key = '', id = ''] = /KEPT (\S+) (\S+)/.exec(reader.output())!;
    const status = async (): Promise<string> => {
      const answer = await fetch(`${url}/s2s/v1/orders/${id}`, { headers: { authorization: `Bearer ${key}` } });
      return ((await answer.json()) as { status: string }).status;
    };
    await expect.poll(status, waiting).toBe('paid');
    const moved = (text: string): string =>
      text.replaceAll(url, 'http://localhost:4242').replaceAll(`localhost:${gamePort}`, 'localhost:4300');
    const seen = moved(server.output() + reader.output());
    // Here it is installed and built already.
    const promised = promisedIn('First order in five steps').filter(
      ({ source }) => !/Installing|Building/.test(source),
    );
    expect(promised.length).toBeGreaterThan(5);
    expect(promised.filter(line => !line.test(seen))).toEqual([]);

    run(refund.join('\n'), { S2S_KEY: key, order_id: id });
    await expect.poll(reader.output, waiting).toContain('[game] item.remove gold_100, player player-1');
    await expect.poll(status, waiting).toBe('refunded');
    expect(reader.output()).not.toMatch(/EADDRINUSE|"type":"[^"]*problem/);

    const env = { COINSLOT_SECRET: key };
    const { out } = await runCli(['exam', `http://localhost:${gamePort}/webhook`, '--json'], { env });
    const { results } = JSON.parse(out) as { results: { name: string; outcome: string; problem: string | null }[] };
    expect(results.filter(({ outcome }) => outcome === 'missed')).toEqual([]);
  });
});
