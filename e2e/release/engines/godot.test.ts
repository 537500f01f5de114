/** The add-on for Godot, without a screen, against the example game: the page opens, the player pays, the backend has the items. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveGame } from '../../../examples/game/src/serve-game.ts';
import { freePort } from '../../free-port.ts';
import { type Account, type Coinslot, startCoinslot } from '../../start-coinslot.ts';
import { missing } from '../debian-packages.ts';

const ENGINES = fileURLToPath(new URL('../../../engines/', import.meta.url));
const noGodot = await missing({ probe: ['sh', '-c', 'command -v godot3-server'], packages: ['godot3-server'] });

let coinslot: Coinslot;
let account: Account;
let project: string;
beforeAll(async () => {
  coinslot = await startCoinslot();
  account = await coinslot.setup();
  project = mkdtempSync(join(tmpdir(), 'coinslot-godot-'));
  cpSync(join(ENGINES, 'godot3'), project, { recursive: true });
});
afterAll(async () => {
  await coinslot.stop();
  rmSync(project, { recursive: true, force: true });
});

function runGodot(...args: string[]): { said: () => string; child: ChildProcess } {
  let text = '';
  const env = { PATH: process.env.PATH, HOME: project };
  const child = spawn('godot3-server', ['--path', project, ...args], { env });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (text += String(chunk)));
  return { said: () => text, child };
}

async function pay(page: string): Promise<void> {
  const card = { card_number: '4242 4242 4242 4242', card_expiry: '12/34', card_cvc: '123', postal_code: '10115' };
  const body = new URLSearchParams({ email: 'ann@example.com', ...card });
  await fetch(`${page}/pay`, { method: 'POST', body, redirect: 'manual' });
}

const shop = async (receiver?: string) =>
  serveGame({
    s2sKey: account.sandbox.s2s_key,
    coinslotUrl: coinslot.url,
    port: await freePort(),
    ...(receiver && { receiver: { name: receiver, port: await freePort() } }),
  });

describe.skipIf(noGodot)(`the add-on for Godot${noGodot ? `; not run without ${noGodot}` : ''}`, () => {
  test('opens the page, and says that the items are there when the backend has them', async () => {
    const game = await shop('node');
    const { said, child } = runGodot(`--backend=${game.url}`, '--buy=crystals_100');
    try {
      await expect.poll(said).toMatch(/^open http\S+$/m);
      const [, page = ''] = /^open (\S+)$/m.exec(said()) ?? [];
      expect(said()).not.toContain('yours');
      await pay(page);
      await expect.poll(said).toContain('The crystals are yours.');
      expect(said()).not.toMatch(/SCRIPT ERROR|Parse Error/);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
      await game.stop();
    }
  });

  test('says why when the shop does not sell it, and when there is no backend', async () => {
    const game = await shop();
    for (const [backend, reason] of [
      [game.url, 'The shop does not sell that.'],
      [`http://127.0.0.1:${await freePort()}`, 'The shop cannot be reached.'],
    ]) {
      const { said, child } = runGodot(`--backend=${backend}`, '--buy=nothing_of_the_kind');
      try {
        await expect.poll(said).toContain(reason);
      } finally {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
    await game.stop();
  });

  test('reads an order out of its own links alone, and takes no page without encryption from elsewhere', async () => {
    const { said, child } = runGodot('--script', 'res://check_links.gd');
    await once(child, 'exit');
    expect(said()).toContain('checked');
    expect(said()).not.toMatch(/SCRIPT ERROR|wrong/);
  });
});

test('the add-ons for Godot 3 and 4 have the same functions, signals and figures', () => {
  const outline = (folder: string): string[] =>
    readFileSync(join(ENGINES, folder, 'addons/coinslot/checkout.gd'), 'utf8')
      .split('\n')
      .flatMap(line => /^(?:static )?(?:func|signal|const) \w+|^(?:@?export )?var \w+/.exec(line) ?? [])
      .map(line => line.replace('@', ''));
  expect(outline('godot').length).toBeGreaterThan(20);
  expect(outline('godot')).toEqual(outline('godot3'));
});
