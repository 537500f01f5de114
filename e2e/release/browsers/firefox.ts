import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WebSocket as Socket } from 'ws';
import type { Engine } from './engine.ts';

const require = createRequire(new URL('../../../apps/server/package.json', import.meta.url));
const { WebSocket } = require('ws') as { WebSocket: new (url: string) => Socket };

const START_MS = 60_000;

interface Answered {
  id?: number;
  error?: string;
  message?: string;
  result?: unknown;
}

type Call = <T>(method: string, params?: object) => Promise<T>;

async function connect(url: string): Promise<{ call: Call; end(): void }> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const waiting = new Map<number, (answer: Answered) => void>();
  socket.on('message', (data: Buffer) => {
    const answer = JSON.parse(data.toString()) as Answered;
    waiting.get(answer.id ?? 0)?.(answer);
  });
  let last = 0;
  const call: Call = async (method, params = {}) => {
    const id = ++last;
    const answer = await new Promise<Answered>(resolve => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    waiting.delete(id);
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error} ${answer.message ?? ''}`);
    return answer.result as never;
  };
  return { call, end: () => socket.close() };
}

/** Debian's Firefox by WebDriver BiDi, which it speaks without a driver. */
export async function startFirefox(): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), 'coinslot-firefox-'));
  const args = [
    '--headless',
    '--remote-debugging-port=0',
    '--profile',
    profile,
    '--no-remote',
    '--width=1280',
    '--height=900',
  ];
  const browser = spawn('firefox-esr', [...args, 'about:blank'], {
    env: { ...process.env, HOME: profile },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>(resolve => {
    browser.once('exit', () => resolve());
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    const late = setTimeout(() => reject(new Error(`Firefox did not start: ${said}`)), START_MS);
    browser.stderr.on('data', chunk => {
      said += String(chunk);
      const found = /listening on (ws:\/\/\S+)/.exec(said)?.[1];
      if (found === undefined) return;
      clearTimeout(late);
      resolve(found);
    });
  });
  const { call, end } = await connect(`${url}/session`);
  await call('session.new', { capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: 'accept' } } } });
  const { contexts } = await call<{ contexts: { context: string }[] }>('browsingContext.getTree');
  const { context } = contexts[0]!;
  return {
    name: 'Firefox',
    open: async address => {
      await call('browsingContext.navigate', { context, url: address, wait: 'complete' });
    },
    async evaluate<T>(expression: string): Promise<T> {
      // As text, so that what comes back is what JSON makes of it.
      const wrapped = `Promise.resolve(${expression}).then(value => JSON.stringify(value ?? null))`;
      const params = { expression: wrapped, target: { context }, awaitPromise: true };
      const { type, result } = await call<{ type: string; result?: { value: string } }>('script.evaluate', params);
      if (type !== 'success') throw new Error(`Firefox could not evaluate ${expression}`);
      return JSON.parse(result!.value) as T;
    },
    async picture() {
      const { data } = await call<{ data: string }>('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
    async resize(width, height) {
      await call('browsingContext.setViewport', { context, viewport: { width, height } });
    },
    async close() {
      await call('browser.close').catch(() => undefined);
      end();
      browser.kill();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
