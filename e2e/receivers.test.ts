/** The receivers in other languages: each whose language is on this machine, against the vectors and the running program. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { SIGNATURE_VECTORS, type SignatureVector, signRecipe } from '../tools/signature-vectors.ts';
import { freePort } from './free-port.ts';
import { createStudio, patience, type Studio } from './game-studio.ts';
import { type Coinslot, startCoinslot } from './start-coinslot.ts';

const FOLDER = fileURLToPath(new URL('../examples/receivers/', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'coinslot-receivers-'));

interface Receiver {
  language: string;
  /** What must be on the PATH. */
  needs: string[];
  build?: () => void;
  command: (port: number) => [string, ...string[]];
}

const at = (file: string): string => join(FOLDER, file);
const compiled = join(scratch, 'receiver-in-go');
const compiledForMono = join(scratch, 'Receiver.exe');
const MONO_LIBRARIES = '-r:System.Runtime.Serialization.dll,System.Xml.Linq.dll';

const RECEIVERS: Receiver[] = [
  { language: 'Node', needs: ['node'], command: () => [process.execPath, at('node/receiver.mjs')] },
  { language: 'Python', needs: ['python3'], command: () => ['python3', at('python/receiver.py')] },
  { language: 'Java', needs: ['javac'], command: () => ['java', at('java/Receiver.java')] },
  {
    language: 'Go',
    needs: ['go'],
    build: () => void execFileSync('go', ['build', '-o', compiled, at('go/receiver.go')]),
    command: () => [compiled],
  },
  { language: 'PHP', needs: ['php'], command: port => ['php', '-S', `127.0.0.1:${port}`, at('php/receiver.php')] },
  { language: 'Ruby', needs: ['ruby'], command: () => ['ruby', at('ruby/receiver.rb')] },
  {
    language: 'C# (.NET)',
    needs: ['dotnet'],
    build: () => void execFileSync('dotnet', ['build', at('csharp'), '-o', join(scratch, 'csharp')]),
    command: () => ['dotnet', join(scratch, 'csharp', 'Receiver.dll')],
  },
  {
    language: 'C# (Mono)',
    needs: ['mcs', 'mono'],
    build: () => void execFileSync('mcs', [MONO_LIBRARIES, `-out:${compiledForMono}`, at('csharp/Receiver.cs')]),
    command: () => ['mono', compiledForMono],
  },
];

const onPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, program)));
const here = RECEIVERS.filter(({ needs }) => needs.every(onPath));
const elsewhere = RECEIVERS.filter(receiver => !here.includes(receiver));
const names = (some: Receiver[]): string => some.map(({ language }) => language).join(', ');

interface Running {
  url: string;
  /** What it printed: a line for each item, `item.add player sku count`. */
  log(): string[];
  stop(): Promise<void>;
}

async function run({ language, build, command }: Receiver, secret: string): Promise<Running> {
  build?.();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/webhook`;
  const [program, ...args] = command(port);
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    // What they print of a player's name.
    LC_ALL: 'C.UTF-8',
    PORT: String(port),
    WEBHOOK_SECRET: secret,
    STATE_FILE: join(scratch, `${language}.json`),
  };
  const child: ChildProcess = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (printed += String(chunk)));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  await vi
    .waitFor(() => fetch(url, { method: 'POST' }), patience)
    .catch(async (error: unknown) => {
      await stop();
      throw new Error(`the receiver in ${language} does not answer:\n${printed}`, { cause: error });
    });
  return {
    url,
    log: () => printed.split('\n').filter(line => /^item\.(?:add|remove) /.test(line)),
    stop,
  };
}

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
  rmSync(scratch, { recursive: true, force: true });
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

const missing = elsewhere.length > 0 ? `; not on this machine and so not run: ${names(elsewhere)}` : '';
describe(`receivers on this machine: ${names(here)}${missing}`, () => {
  describe.each(here)('$language', receiver => {
    let running: Running;
    beforeAll(async () => {
      running = await run(receiver, secret);
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
});
