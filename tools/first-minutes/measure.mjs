// How long a newcomer waits: from `git clone` to the first item that a game granted, step by step. It pastes the README's own
// blocks, uses nothing but Node, npm, git and bash, works in a folder of its own, and leaves nothing behind:
//   node tools/first-minutes/measure.mjs [--from <repository>] [--limit <seconds>] [--json]
// Exits with 1 when it took longer than the limit, 90 seconds by default.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
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

const SECTION = 'First order in five steps';
const ITEM = '[game] item.add gold_100';
const GIVE_UP_MS = 600_000;
const exec = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'coinslot-first-minutes-'));
const clone = join(folder, 'coinslot');
const steps = [];
const shells = [];

async function step(name, work) {
  const startedMs = performance.now();
  await work();
  const seconds = (performance.now() - startedMs) / 1000;
  steps.push({ name, seconds: Number(seconds.toFixed(1)) });
  if (!given.json) console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** The numbered steps of the README: what each is called, and the block that is pasted. */
function readSteps() {
  const [, section = ''] = readFileSync(join(clone, 'README.md'), 'utf8').split(`\n## ${SECTION}\n`);
  const found = section.split('\n## ')[0].matchAll(/^\*\*(\d\. [^*]+?)\.?\*\*.*?^```sh\n(.*?)^```$/gms);
  return [...found].map(([, name, block]) => ({ name, block }));
}

/** A terminal, into which blocks are pasted one after the other. */
function openShell(env) {
  const shell = spawn('bash', [], { cwd: clone, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  shells.push(shell);
  let printed = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', chunk => {
      printed += chunk;
    });
  }
  return {
    paste: text => shell.stdin.write(`${text}\n`),
    until(text) {
      const deadlineMs = performance.now() + GIVE_UP_MS;
      return new Promise((seen, failed) => {
        const timer = setInterval(() => {
          const isOver = performance.now() > deadlineMs || shell.exitCode !== null;
          if (!printed.includes(text) && !isOver) return;
          clearInterval(timer);
          if (printed.includes(text)) seen();
          else failed(new Error(`"${text}" did not come:\n${printed}`));
        }, 20);
      });
    },
  };
}

async function measure() {
  const [port, gamePort] = [await freePort(), await freePort()];
  // Settings of this machine must not make a newcomer's way shorter or longer.
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: String(port) };
  const moved = text =>
    text.replaceAll('localhost:4242', `localhost:${port}`).replaceAll(/\b4300\b/g, String(gamePort));
  await step('git clone', () => exec('git', ['clone', '--quiet', given.from, clone]));
  const [start, ...rest] = readSteps();
  if (rest.length !== 4) throw new Error(`The README has ${rest.length + 1} steps, not five.`);
  await step(start.name, async () => {
    const terminal = openShell(env);
    terminal.paste(start.block);
    await terminal.until(' is running at ');
  });
  const second = openShell(env);
  for (const [i, { name, block }] of rest.entries()) {
    await step(name, async () => {
      second.paste(`${moved(block)}\necho "@@ done ${i}"`);
      await second.until(`@@ done ${i}`);
      if (i === rest.length - 1) await second.until(ITEM);
    });
  }
}

async function cleanUp() {
  for (const shell of shells.toReversed()) {
    const closed = once(shell, 'close');
    try {
      process.kill(-shell.pid, 'SIGTERM');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
    await closed;
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
