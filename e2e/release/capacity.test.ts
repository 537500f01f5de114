import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const disk = mkdtempSync(join(tmpdir(), 'coinslot-capacity-'));
afterAll(() => rmSync(disk, { recursive: true, force: true }));

const capacity = (...args: string[]) =>
  run(process.execPath, ['tools/run.mjs', 'capacity', '--disk', disk, ...args], { cwd: ROOT, timeout: 300_000 });

describe('npm run capacity', () => {
  it('says from orders that it paid here how many a second and how many until the disk is full', {
    timeout: 320_000,
  }, async () => {
    const { stdout } = await capacity('--orders', '40', '--seconds', '60', '--json');
    const figures = JSON.parse(stdout.slice(stdout.indexOf('{')));
    expect(figures.orders).toBeGreaterThanOrEqual(40);
    expect(figures.ordersPerSecond).toBeGreaterThan(0);
    expect(figures.bytesPerOrder).toBeGreaterThan(figures.keptBytesPerOrder);
    expect(figures.keptBytesPerOrder).toBeGreaterThan(0);
    expect(figures.ordersUntilFull).toBe(Math.floor((figures.freeBytes * 0.8) / figures.bytesPerOrder));
    expect(figures.ordersUntilFullKept).toBe(Math.floor((figures.freeBytes * 0.8) / figures.keptBytesPerOrder));
    expect(readdirSync(disk), 'nothing is left behind').toEqual([]);
  });

  it('refuses figures without an end', async () => {
    await expect(capacity('--seconds', '100000')).rejects.toMatchObject({ code: 2 });
    await expect(capacity('--orders', 'many')).rejects.toMatchObject({ code: 2 });
  });
});
