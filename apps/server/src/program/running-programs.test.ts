import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { announce, findRunningPrograms, secondDatabase } from './running-programs.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-running-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const running = { pid: process.pid, publicUrl: 'http://localhost:4242', dataDir: '/shop/data' };

it('a program is found while it runs, and not after it stopped or died', async () => {
  const forget = await announce(running, folder);
  // No process has this number, as after a crash.
  await announce({ ...running, pid: 2 ** 22 + 1 }, folder);
  expect(await findRunningPrograms(folder)).toEqual([running]);
  await forget();
  expect(await findRunningPrograms(folder)).toEqual([]);
});

it.runIf(process.platform === 'linux')(
  'a process that was given the number of one that crashed is not it',
  async () => {
    const forget = await announce(running, folder);
    const file = join(folder, `${process.pid}.json`);
    const left = JSON.parse(await readFile(file, 'utf8')) as { began: string };
    await writeFile(file, JSON.stringify({ ...left, began: String(Number(left.began) - 1) }));
    expect(await findRunningPrograms(folder)).toEqual([]);
    await forget();
  },
);

it('a second database is named only when it is about to be made', () => {
  expect(secondDatabase([running], '/elsewhere/data')).toContain('run the command with DATA_DIR=/shop/data');
  expect(secondDatabase([{ ...running, dataDir: null }], '/elsewhere/data')).toContain('the DATABASE_URL it was given');
  expect(secondDatabase([running], '/shop/data')).toBeNull();
  expect(secondDatabase([], '/shop/data')).toBeNull();
});

it('a folder that cannot be written does not keep a program from starting', async () => {
  const forget = await announce(running, '/dev/null/nowhere');
  await forget();
  expect(await findRunningPrograms('/dev/null/nowhere')).toEqual([]);
});
