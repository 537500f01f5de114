/** Every bad receiver of the pool is caught by the case that is meant for it and by no other; every right one passes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CASES, type ExamReport } from '@coinslot/exam';
import { afterAll, describe, expect, test } from 'vitest';
import { runCli } from '../../../packages/cli/src/testing/run-cli.ts';
import { freePort } from '../../free-port.ts';
import { POOL, type PoolReceiver, programOf } from './pool.ts';

const scratch = mkdtempSync(join(tmpdir(), 'coinslot-pool-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function examine(receiver: PoolReceiver): Promise<ExamReport> {
  const port = await freePort();
  const file = join(scratch, `${port}.mjs`);
  writeFileSync(file, programOf(receiver));
  const { PATH = '' } = process.env;
  const env = { PATH, COINSLOT_SECRET: 'the secret of this webhook', JOURNAL: join(scratch, `${port}.journal`) };
  const inventory = `http://127.0.0.1:${port}/inventory/{player_id}`;
  const start = `exec ${process.execPath} ${file}`;
  const argv = ['exam', `http://127.0.0.1:${port}/webhook`, '--start', start, '--inventory', inventory, '--json'];
  return JSON.parse((await runCli(argv, { env })).out) as ExamReport;
}

// An exam mostly waits, so many are taken at the same time.
describe.concurrent('the pool', () => {
  test.for(POOL)('$caughtBy: $name', { timeout: 180_000 }, async (receiver, { expect: expectHere }) => {
    const { results } = await examine(receiver);
    const missed = results.filter(({ outcome }) => outcome === 'missed');
    const found = missed.map(({ name, problem }) => [name, problem]);
    expectHere([receiver.name, found.map(([name]) => name), found]).toEqual([
      receiver.name,
      receiver.caughtBy === null ? [] : [receiver.caughtBy],
      found,
    ]);
    // What is right is judged as a whole; what is wrong is not blamed for what follows from it.
    if (receiver.caughtBy === null) expectHere(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    if (receiver.name.startsWith('dies')) expectHere(missed[0]?.problem).toContain('exit code 3');
  });
});

test('every case is proven by a receiver that only it catches', () => {
  const proven = new Set(POOL.map(({ caughtBy }) => caughtBy));
  expect(CASES.map(({ name }) => name).filter(name => !proven.has(name))).toEqual([]);
});
