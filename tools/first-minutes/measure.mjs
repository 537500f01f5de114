// How long a newcomer waits: from `git clone` to the first item that a game granted, step by step. It uses nothing but Node,
// npm and git, works in a folder of its own, and leaves nothing behind:
//   node tools/first-minutes/measure.mjs [--from <repository>] [--limit <seconds>] [--json]
// Exits with 1 when it took longer than the limit, 90 seconds by default.
import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const HERE = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { values: given } = parseArgs({
  options: {
    from: { type: 'string', default: HERE },
    limit: { type: 'string', default: '90' },
    json: { type: 'boolean', default: false },
  },
});

const exec = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'coinslot-first-minutes-'));
const clone = join(folder, 'coinslot');
const steps = [];
let server = null;
let game = null;

async function step(name, work) {
  const startedMs = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedMs) / 1000;
  steps.push({ name, seconds: Number(seconds.toFixed(1)) });
  if (!given.json) console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
  return result;
}

async function freePort() {
  const probe = createTcpServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Settings of this machine must not make a newcomer's way shorter or longer. */
function newcomersEnv(port) {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, PORT: String(port), HOST: '127.0.0.1' };
}

/** `npm start` in the clone, until it says where it runs. */
async function start(env) {
  server = spawn('npm', ['start'], { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  await new Promise((ready, failed) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream.on('data', chunk => {
        printed += chunk;
        if (printed.includes(' is running at ')) ready();
      });
    }
    server.once('exit', code => failed(new Error(`npm start ended with ${code}:\n${printed}`)));
  });
}

async function register(env) {
  const studio = ['--company', 'Your Studio', '--game-url', 'https://apps.apple.com/us/app/castle-quest/id1234567890'];
  const account = ['--email', 'you@studio.example', '--password', 'eleven small lamps', ...studio, '--json'];
  const { stdout } = await exec('npm', ['run', '--silent', 'setup', '--', ...account], { cwd: clone, env });
  return JSON.parse(stdout).sandbox.s2s_key;
}

/** A game that checks the signature and grants. Resolves with the first item. */
async function startGame(key) {
  let granted;
  const firstItem = new Promise(resolve => {
    granted = resolve;
  });
  const answer = async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const signed = `${String(request.headers['x-service-signature-timestamp'])}.${body}`;
    const isOurs = createHmac('sha256', key).update(signed).digest('hex') === request.headers['x-service-signature'];
    response.writeHead(isOurs ? 200 : 403).end();
    if (isOurs) granted(JSON.parse(body).event_data.items[0].sku);
  };
  game = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(game, 'listening');
  return { url: `http://127.0.0.1:${game.address().port}/webhook`, firstItem };
}

async function measure() {
  const port = await freePort();
  const env = newcomersEnv(port);
  const api = async (key, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${port}/s2s/v1/${path}`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  await step('git clone', () => exec('git', ['clone', '--quiet', given.from, clone]));
  await step('npm start: install, build, database, listening', () => start(env));
  const key = await step('register the game', () => register(env));
  const { url, firstItem } = await startGame(key);
  await step('register the webhook', () => api(key, 'webhooks', { url, events: ['item.add', 'item.remove'] }));
  const order = await step('create an order', () =>
    api(key, 'orders', { player_id: 'player-1', items: [{ sku: 'gold_100' }] }),
  );
  await step('pay, and the game grants', async () => {
    const paid = await api(key, `orders/${order.order_id}/pay`, { card: 'success' });
    if (paid.order.status !== 'paid') throw new Error(`The order is ${paid.order.status}.`);
    await firstItem;
  });
}

async function cleanUp() {
  game?.closeAllConnections();
  game?.close();
  if (server && server.exitCode === null) {
    const ended = once(server, 'exit');
    process.kill(-server.pid, 'SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}

try {
  await measure();
} finally {
  await cleanUp();
}
const totalSeconds = steps.reduce((sum, { seconds }) => sum + seconds, 0);
const limitSeconds = Number(given.limit);
if (given.json) console.log(JSON.stringify({ steps, total_seconds: Number(totalSeconds.toFixed(1)) }));
else console.log(`${totalSeconds.toFixed(1).padStart(6)} s  from clone to first item (limit ${limitSeconds} s)`);
process.exitCode = totalSeconds <= limitSeconds ? 0 : 1;
