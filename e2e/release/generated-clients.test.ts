/** What other tools make of our OpenAPI: a linter finds nothing, and generated types take README's order as it is. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TOOLS = join(ROOT, 'tools/clients');
const OPENAPI = join(ROOT, 'docs/reference/openapi.json');
const exec = promisify(execFile);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-clients-'));
  if (!existsSync(join(TOOLS, 'node_modules/typescript')))
    await exec('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: TOOLS });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const tool = (path: string, ...args: string[]) =>
  exec(process.execPath, [join(TOOLS, 'node_modules', path), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  }).catch((error: { stdout: string; stderr: string }) => error);

test('Redocly has no error and no warning', async () => {
  const { stdout } = await tool('@redocly/cli/bin/cli.js', 'lint', OPENAPI, '--format=json');
  const [, json = '{}'] = /(\{[\s\S]*\})/.exec(stdout) ?? [];
  expect(JSON.parse(json)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 } });
});

test('generated types take README’s order, a webhook with only what it must have', async () => {
  const { stderr } = await tool('openapi-typescript/bin/cli.js', OPENAPI, '--output', join(folder, 'api.d.ts'));
  expect(stderr).not.toMatch(/error/i);
  const [, order = ''] = /-d '(\{"player_id".*\})'\)/.exec(await readFile(join(ROOT, 'README.md'), 'utf8')) ?? [];
  expect(JSON.parse(order)).toHaveProperty('player_id');
  await writeFile(
    join(folder, 'use.ts'),
    `import type { components } from './api';
     type Schemas = components['schemas'];
     export const order: Schemas['CreateOrder'] = ${order};
     export const webhook: Schemas['CreateWebhook'] = { events: ['item.add'], url: 'https://game.example.com/webhooks' };
     export const change: Schemas['PatchWebhook'] = { enabled: false };
     export const sale: Schemas['ItemInput'] = { price_decimal: 4, currency: 'EUR', sale: { discount_percent: 20 } };
     export const known = (paid: Schemas['Order']): [string, number, string | null] => [paid.order_id, paid.amount, paid.email];
     // @ts-expect-error: the player is required.
     export const withoutPlayer: Schemas['CreateOrder'] = { items: [{ sku: 'gold_100' }] };
     // @ts-expect-error: a sale has a discount or a price.
     export const emptySale: Schemas['ItemInput'] = { sale: {} };`,
  );
  const { stdout } = await tool('typescript/bin/tsc', '--noEmit', '--strict', 'use.ts');
  expect(stdout).toBe('');
});
