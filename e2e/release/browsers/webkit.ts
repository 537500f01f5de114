import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../free-port.ts';
import type { Engine } from './engine.ts';

const START_TRIES = 100;
const PAUSE_MS = 100;

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, PAUSE_MS));

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise(resolve => {
    child.once('exit', () => resolve());
    child.kill();
  });
}

/** Debian has it beside the library, in the folder of the processor. */
function findMiniBrowser(): string {
  const folders = readdirSync('/usr/lib').filter(name => name.endsWith('-linux-gnu'));
  const places = folders.flatMap(name =>
    ['4.1', '4.0'].map(version => join('/usr/lib', name, `webkit2gtk-${version}`)),
  );
  const found = places.map(place => join(place, 'MiniBrowser')).find(path => existsSync(path));
  if (found === undefined) throw new Error('There is no MiniBrowser beside WebKit.');
  return found;
}

/** A screen without a monitor: WebKit has no mode without one. It names its number on the third stream. */
async function startScreen(): Promise<{ display: string; screen: ChildProcess }> {
  const args = ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'];
  const screen = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const number = await new Promise<string>((resolve, reject) => {
    screen.once('error', reject);
    screen.stdio[3]!.once('data', chunk => resolve(String(chunk).trim()));
  });
  return { display: `:${number}`, screen };
}

/** Debian's WebKit by WebDriver. */
export async function startWebKit(): Promise<Engine> {
  const { display, screen } = await startScreen();
  const port = await freePort();
  const env = {
    ...process.env,
    DISPLAY: display,
    GDK_BACKEND: 'x11',
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
  };
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' });
  const call = async <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> => {
    const init = { method, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${path}: ${value.error} ${value.message}`);
    return value;
  };
  for (let tries = 0; ; tries++) {
    const isUp = await call('GET', '/status').then(
      () => true,
      () => false,
    );
    if (isUp) break;
    if (tries > START_TRIES) throw new Error('WebKitWebDriver did not start.');
    await pause();
  }
  const binary = findMiniBrowser();
  const options = { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } };
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: options },
  });
  const session = `/session/${sessionId}`;
  const sizeOf = (kind: 'inner' | 'outer'): Promise<[number, number]> =>
    call('POST', `${session}/execute/sync`, { script: `return [${kind}Width, ${kind}Height]`, args: [] });
  return {
    name: 'WebKit',
    open: url => call('POST', `${session}/url`, { url }),
    async resize(width, height) {
      const [inner, outer] = [await sizeOf('inner'), await sizeOf('outer')];
      const rect = { width: width + outer[0] - inner[0], height: height + outer[1] - inner[1] };
      await call('POST', `${session}/window/rect`, rect);
      for (let tries = 0; tries < START_TRIES && (await sizeOf('inner'))[0] !== width; tries++) await pause();
    },
    async evaluate<T>(expression: string): Promise<T> {
      const script = `const done = arguments[0]; Promise.resolve().then(() => (${expression})).then(
        value => done(JSON.stringify({ value: value ?? null })), error => done(JSON.stringify({ error: String(error) })));`;
      const said = await call<string>('POST', `${session}/execute/async`, { script, args: [] });
      const answer = JSON.parse(said) as { value: T; error?: string };
      if (answer.error !== undefined) throw new Error(`WebKit could not evaluate ${expression}: ${answer.error}`);
      return answer.value;
    },
    picture: async () => Buffer.from(await call<string>('GET', `${session}/screenshot`), 'base64'),
    async close() {
      await call('DELETE', session).catch(() => undefined);
      await end(driver);
      await end(screen);
    },
  };
}
