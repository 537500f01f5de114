/** The example game with its items granted by a receiver in each language, by one switch. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECEIVER_NAMES } from '../../examples/game/src/language-receiver.ts';
import { serveGame } from '../../examples/game/src/serve-game.ts';
import { freePort } from '../free-port.ts';
import { type Account, type Coinslot, startCoinslot } from '../start-coinslot.ts';
import { MONO, missing } from './debian-packages.ts';

const NEEDS: Record<string, string> = { python: 'python3' };
const noMono = await missing(MONO);
function isHere(language: string): boolean {
  if (language === 'csharp') return noMono === null;
  try {
    execFileSync('sh', ['-c', `command -v ${NEEDS[language] ?? language}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const here = RECEIVER_NAMES.filter(isHere);
const absent = RECEIVER_NAMES.filter(name => !here.includes(name));

let coinslot: Coinslot;
let account: Account;
beforeAll(async () => {
  coinslot = await startCoinslot();
  account = await coinslot.setup();
});
afterAll(() => coinslot.stop());

/** What the page of the game shows at this moment. */
async function world(gameUrl: string): Promise<{ crystals: number; purchases: { status: string }[] }> {
  const reader = (await fetch(`${gameUrl}/api/live`)).body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return JSON.parse(new TextDecoder().decode(value).slice('data: '.length));
}

async function call(gameUrl: string, path: string, body: object): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(gameUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Record<string, string>;
}

describe(`the game${absent.length > 0 ? `; not installed and so not run: ${absent.join(', ')}` : ''}`, () => {
  test.each(here)('with the receiver in %s shows what was bought, and takes it back', async name => {
    const receiver = { name, port: await freePort() };
    const connection = { s2sKey: account.sandbox.s2s_key, coinslotUrl: coinslot.url };
    const game = await serveGame({ ...connection, port: await freePort(), receiver });
    try {
      const { checkoutUrl, orderId } = await call(game.url, '/api/buy', { sku: 'crystals_100' });
      const card = { card_number: '4242 4242 4242 4242', card_expiry: '12/34', card_cvc: '123', postal_code: '10115' };
      const body = new URLSearchParams({ email: 'ann@example.com', ...card });
      await fetch(`${checkoutUrl}/pay`, { method: 'POST', body, redirect: 'manual' });
      await expect.poll(() => world(game.url)).toMatchObject({ crystals: 100, purchases: [{ status: 'paid' }] });
      await call(game.url, '/api/refund', { orderId });
      await expect.poll(async () => (await world(game.url)).crystals).toBe(0);
    } finally {
      await game.stop();
    }
  });

  test('names the receivers that there are when it is given another', async () => {
    const connection = { s2sKey: account.sandbox.s2s_key, coinslotUrl: coinslot.url };
    const wrong = serveGame({ ...connection, port: await freePort(), receiver: { name: 'cobol', port: 1 } });
    await expect(wrong).rejects.toThrow('There are: node, python, go');
  });
});
