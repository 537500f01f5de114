/** The exam against two receivers: one that does everything right, and one as a newcomer would write it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADVICE, CASES, type ExamReport, guessLanguage, RECEIVER_LANGUAGES } from '@coinslot/exam';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../testing/run-cli.ts';

const SECRET = 'the secret of this webhook';
const GOOD = fileURLToPath(new URL('../../../../examples/receivers/node/receiver.mjs', import.meta.url));

/** Accepts every signature of the right length, stores no keys, knows one event type, and reads bodies up to 100 KB. */
const NAIVE = `
import { createServer } from 'node:http';
const held = {};
createServer((request, response) => {
  let body = '';
  request.on('data', chunk => (body += chunk)).on('end', () => {
    if ((request.headers['x-service-signature'] ?? '').length !== 64) return response.writeHead(500).end();
    if (body.length > 100_000) return response.writeHead(413).end();
    const { event_type, event_data } = JSON.parse(body);
    for (const { sku, quantity } of event_data.items) {
      const key = event_data.player_id + ' ' + sku;
      held[key] = (held[key] ?? 0) + quantity;
      console.log(event_type, key, held[key]);
    }
    response.writeHead(200).end('{"status":"ok"}');
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
process.on('uncaughtException', () => {});
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-exam-'));
  await writeFile(join(folder, 'naive.mjs'), NAIVE);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

async function examine(file: string, ...more: string[]) {
  const url = `http://127.0.0.1:${await freePort()}/webhook`;
  const journal = join(folder, `${new URL(url).port}.journal`);
  const env = { PATH: process.env.PATH ?? '', COINSLOT_SECRET: SECRET, JOURNAL: journal };
  const ran = await runCli(['exam', url, '--start', `exec ${process.execPath} ${file}`, ...more], { env });
  return { ...ran, url };
}

const outcomesOf = ({ results }: ExamReport) => Object.fromEntries(results.map(({ name, outcome }) => [name, outcome]));

// An exam mostly waits, so they run at the same time.
describe.concurrent('coinslot exam', () => {
  it('passes a receiver that does everything, in full', async () => {
    const { code, out } = await examine(GOOD, '--json');
    const report = JSON.parse(out) as ExamReport;
    expect(report.results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect([code, report.score, report.results.length]).toEqual([0, 100, CASES.length]);
  }, 120_000);

  it('finds what a naive one misses, explains it in its language, and writes a report to share', async () => {
    const file = join(folder, 'report.md');
    const { code, out } = await examine(join(folder, 'naive.mjs'), '--report', file);
    expect(code).toBe(7);
    expect(out).toContain('timingSafeEqual');
    const report = await readFile(file, 'utf8');
    expect(report).toMatch(/^# Webhook exam: \d+ %/);
    expect(report).not.toContain(SECRET);
    const loss =
      'With this receiver a player can be unable to buy, get items twice, keep items that were refunded or get items without paying.';
    expect([report, out]).toEqual([expect.stringContaining(loss), expect.stringContaining(loss)]);
    const missed = [...report.matchAll(/^\| ✗ \| (\w+) \|/gm)].map(([, name]) => name);
    expect(missed).toEqual([
      'wrong_signature',
      'twice',
      'add_then_remove',
      'unknown_kind',
      'not_an_event',
      'large_body',
      'test_event',
    ]);
  }, 120_000);

  it('calls what prints differently unseen, and never failed', async () => {
    const lines = [
      'console.log(`${player_id}/${sku} = ${held.get(sku)}`);',
      'print(`${event_type} ${player_id} ${sku} ${quantity}`);',
      "if (event_type === 'item.add') print(`${event_type} ${player_id} ${sku} ${held.get(sku)}`);",
    ];
    const program = await readFile(GOOD, 'utf8');
    for (const [i, line] of lines.entries()) {
      const file = join(folder, `differently-${i}.mjs`);
      await writeFile(
        file,
        program.replace('print(`${event_type} ${player_id} ${sku} ${held.get(sku)}`);', () => line),
      );
      const outcomes = outcomesOf(JSON.parse((await examine(file, '--json')).out) as ExamReport);
      expect([line, Object.values(outcomes).filter(one => one === 'missed')]).toEqual([line, []]);
      expect(outcomes).toMatchObject({ right: 'passed', add_then_remove: 'unseen', wrong_signature: 'passed' });
    }
  }, 120_000);

  it('names a receiver that ended, and blames no later case', async () => {
    const file = join(folder, 'mortal.mjs');
    const program = await readFile(GOOD, 'utf8');
    await writeFile(file, program.replace("return [400, { error: 'not JSON' }];", 'process.exit(3);'));
    const url = `http://127.0.0.1:${await freePort()}/webhook`;
    const { spawn } = await import('node:child_process');
    const env = { PATH: process.env.PATH, PORT: new URL(url).port, WEBHOOK_SECRET: SECRET, JOURNAL: join(folder, 'm') };
    const receiver = spawn(process.execPath, [file], { env, stdio: 'ignore' });
    const listens = () => fetch(url, { method: 'POST' }).then(Boolean, () => false);
    await expect.poll(listens).toBe(true);
    try {
      const { code, out } = await runCli(['exam', url, '--json'], { env: { COINSLOT_SECRET: SECRET } });
      const { results } = JSON.parse(out) as ExamReport;
      expect(code).toBe(7);
      expect(results.filter(({ outcome }) => outcome === 'missed')).toMatchObject([
        { name: 'not_an_event', problem: expect.stringContaining('it no longer answers') },
      ]);
      expect(results.at(-1)).toMatchObject({ outcome: 'skipped', problem: 'it was gone after not_an_event' });
    } finally {
      receiver.kill('SIGKILL');
    }
  }, 120_000);

  it('says what it cannot see instead of passing it', async () => {
    const { spawn } = await import('node:child_process');
    const port = await freePort();
    const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: SECRET, JOURNAL: join(folder, 'alone') };
    const receiver = spawn(process.execPath, [GOOD], { env, stdio: 'ignore' });
    try {
      const url = `http://127.0.0.1:${port}/webhook`;
      await expect
        .poll(() =>
          fetch(url).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      const { code, out } = await runCli(['exam', url, '--json'], { env: { COINSLOT_SECRET: SECRET } });
      const outcomes = outcomesOf(JSON.parse(out) as ExamReport);
      expect(code).toBe(0);
      expect(outcomes).toMatchObject({ right: 'passed', twice: 'unseen', crash: 'skipped' });
      expect(Object.values(outcomes)).not.toContain('missed');
    } finally {
      receiver.kill('SIGKILL');
    }
  }, 120_000);

  it('tells an absent receiver and a missing or weak secret from a failed exam', async () => {
    const url = `http://127.0.0.1:${await freePort()}/webhook`;
    expect((await runCli(['exam', url], { env: { COINSLOT_SECRET: SECRET } })).code).toBe(3);
    expect((await runCli(['exam', url], { env: { COINSLOT_SECRET: '' } })).code).toBe(2);
    expect((await runCli(['exam', url])).code).toBe(2);
  });
});

it('has a line to change for every case in every language', () => {
  for (const { fix } of CASES)
    for (const language of RECEIVER_LANGUAGES) expect(ADVICE[fix][language].length).toBeGreaterThan(20);
  expect(
    ['python3 receiver.py', 'go run receiver.go', 'java R.java', 'php -S x', 'ruby r.rb', 'node x'].map(guessLanguage),
  ).toEqual(['python', 'go', 'java', 'php', 'ruby', 'node']);
});
