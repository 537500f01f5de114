/** The receivers in other languages: each whose language is on this machine, against the vectors and the running program. */

import { CASES } from '@coinslot/exam';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../packages/cli/src/testing/run-cli.ts';
import { SIGNATURE_VECTORS, type SignatureVector, signRecipe } from '../../tools/signature-vectors.ts';
import { freePort } from '../free-port.ts';
import { createStudio, patience, type Studio } from '../game-studio.ts';
import { type Coinslot, startCoinslot } from '../start-coinslot.ts';
import { cleanUp, examinedBy, here, type Running, refusesToServe, runReceiver, whatRuns } from './receiver-programs.ts';

let coinslot: Coinslot;
let studio: Studio;
let secret: string;

beforeAll(async () => {
  coinslot = await startCoinslot();
  const account = await coinslot.setup();
  studio = createStudio(coinslot, account);
  secret = account.sandbox.s2s_key;
});

afterAll(async () => {
  await coinslot.stop();
  cleanUp();
});

/** The vector as it would be made now, for a receiver that holds our secret. */
function headersNow({ secret: theirs, now, made_from }: SignatureVector): Record<string, string> {
  const ours = (one: string): string => (one === theirs ? secret : one);
  const { previous_secret: previous } = made_from;
  const recipe = { ...made_from, secret: ours(made_from.secret), ...(previous && { previous_secret: ours(previous) }) };
  return signRecipe(recipe, Math.floor(Date.now() / 1000) - now);
}

async function post(url: string, body: string, headers: Record<string, string>) {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function signedText(body: string): [string, Record<string, string>] {
  return [body, signRecipe({ secret, timestamp: String(Math.floor(Date.now() / 1000)), body })];
}

const signed = (event: { event_type: string; idempotency_key: string; event_data: object }) =>
  signedText(JSON.stringify(event));

test('the vectors are made as the file says', () => {
  for (const vector of SIGNATURE_VECTORS) expect(signRecipe(vector.made_from)).toEqual(vector.headers);
});

describe(`receivers on this machine: ${whatRuns}`, () => {
  describe.each(here)('$language', receiver => {
    let running: Running;
    beforeAll(async () => {
      running = await runReceiver(receiver, secret);
    }, 180_000);
    afterAll(() => running?.stop());

    test('answers every vector as it must', async () => {
      for (const vector of SIGNATURE_VECTORS) {
        const { status } = await post(running.url, vector.raw_body, headersNow(vector));
        expect([vector.name, status]).toEqual([vector.name, vector.status]);
      }
      const granted = SIGNATURE_VECTORS.filter(({ status }) => status === 200);
      await expect.poll(() => running.log().length, patience).toBe(granted.length);
    });

    test('refuses to serve with an empty or a short secret', async () => {
      for (const weak of ['', 'short']) expect(await refusesToServe(receiver, weak)).toBe(true);
    });

    test('handles a key once, one after the other and at the same time', async () => {
      const event_data = { player_id: 'Zoë 🐉', items: [{ sku: 'gem', quantity: 3 }] };
      const sent = signed({ event_type: 'item.add', idempotency_key: 'twice', event_data });
      const answers = await Promise.all(Array.from({ length: 5 }, () => post(running.url, ...sent)));
      answers.push(await post(running.url, ...sent));
      for (const answer of answers) expect(answer).toEqual({ status: 200, body: { status: 'ok' } });
      await expect
        .poll(() => running.log().filter(line => line.includes('gem')), patience)
        .toEqual(['item.add Zoë 🐉 gem 3']);
    });

    test('reads every way to write JSON, and is not misled by what a text holds', async () => {
      const misleading = JSON.stringify('{"event_type":"item.remove","event_data":{"player_id":"banned"}}');
      const body = String.raw`
        { "metadata": {"player_id": ["\\", ${misleading}, -1.5e3, true, null, {}, []]}, "event_type" :"item.add",
          "idempotency_key":"any JSON\u0000\ud83d\udc09", "event_data": { "items" : [ {"name": "\b\f\n\r\t\/",
          "quantity" : 2 , "sku": "a \"{[,:\\\u00e9\uD83D\uDC09]}\"" }, {"sku":"second"} ],
          "metadata": ${misleading}, "player_id":"JSON \u00fc" } }`;
      for (let i = 0; i < 2; i += 1)
        expect(await post(running.url, ...signedText(body))).toEqual({ status: 200, body: { status: 'ok' } });
      const mine = (): string[] => running.log().filter(line => line.includes('JSON'));
      const expected = ['item.add JSON ü a "{[,:\\é🐉]}" 2', 'item.add JSON ü second 1'];
      await expect.poll(mine, patience).toEqual(expected);
    });

    test('says a final no, a yes to a test, and no to a giant', async () => {
      const event_data = { player_id: 'banned', items: [{ sku: 'gem' }] };
      const no = signed({ event_type: 'item.add', idempotency_key: 'no', event_data });
      for (let i = 0; i < 2; i += 1)
        expect(await post(running.url, ...no)).toMatchObject({ status: 422, body: { code: 'declined' } });
      const trial = signed({ event_type: 'webhook.test', idempotency_key: 'trial', event_data: {} });
      expect(await post(running.url, ...trial)).toEqual({ status: 200, body: { status: 'ok' } });
      const giant = await post(running.url, 'x'.repeat(1024 * 1024 + 1), {}).catch(() => ({ status: 413 }));
      expect(giant.status).toBe(413);
    });

    test('grants a paid order, takes it back after a refund, and refuses a banned player', async () => {
      await studio.unsubscribeAll();
      const webhook = { events: ['item.add', 'item.remove'], url: running.url };
      expect(await studio.call('POST', '/s2s/v1/webhooks', webhook)).toMatchObject({ status: 201 });
      const player_id = `player-${receiver.language}`;
      const id = await studio.buy({ player_id, items: [{ sku: 'sword', quantity: 2 }] });
      const mine = (): string[] => running.log().filter(line => line.includes(player_id));
      await expect.poll(mine, patience).toEqual([`item.add ${player_id} sword 2`]);
      await studio.call('POST', `/s2s/v1/orders/${id}/refund`, {});
      await studio.becomes(id, 'refunded');
      await expect.poll(mine, patience).toEqual([`item.add ${player_id} sword 2`, `item.remove ${player_id} sword 0`]);

      const refused = await studio.createOrder({ player_id: 'banned' });
      await studio.pay(refused.checkout_url);
      await studio.becomes(refused.order_id, 'rejected');
    });
  });

  // Most of an exam is waiting, so they are taken at the same time, each with a program of its own.
  test.concurrent.each(here)('$language passes the exam in full', async receiver => {
    const port = await freePort();
    const { command, env } = examinedBy(receiver, port);
    const argv = ['exam', `http://127.0.0.1:${port}/webhook`, '--start', command, '--json'];
    const { code, out, err } = await runCli(argv, { env: { ...env, COINSLOT_SECRET: secret } });
    expect(err).toBe('');
    const { results } = JSON.parse(out) as { results: { name: string; outcome: string; problem: string | null }[] };
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect([code, results.length]).toEqual([0, CASES.length]);
  });
});
