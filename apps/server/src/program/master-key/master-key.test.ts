import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { masterKey } from './master-key.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'coinslot-key-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe('the master key', () => {
  it('is the given one, and then nothing is written', async () => {
    const given = Buffer.alloc(32, 7);
    expect(await masterKey({ dataDir: root, masterKey: given })).toBe(given);
    expect(await readdir(root)).toEqual([]);
  });

  it('is made once, for the owner only, and is the same at the next start', async () => {
    const dataDir = join(root, 'new', 'data');
    const made = await masterKey({ dataDir, masterKey: undefined });
    expect(made).toHaveLength(32);
    expect(await masterKey({ dataDir, masterKey: undefined })).toEqual(made);
    expect(await readdir(dataDir)).toEqual(['master.key']);
    expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
  });

  it('is one and the same for programs that start at once', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => masterKey({ dataDir: root, masterKey: undefined })));
    expect(new Set(keys.map(key => key.toString('hex'))).size).toBe(1);
  });

  it('is not replaced when its file is damaged', async () => {
    await writeFile(join(root, 'master.key'), 'half');
    await expect(masterKey({ dataDir: root, masterKey: undefined })).rejects.toThrow('Put the right key back');
  });

  it('that cannot be kept stops the start with the name of the setting', async () => {
    const file = join(root, 'a-file');
    await writeFile(file, '');
    await expect(masterKey({ dataDir: join(file, 'data'), masterKey: undefined })).rejects.toThrow('DATA_DIR');
  });
});
