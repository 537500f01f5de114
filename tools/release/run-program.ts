/** A built program in a process of its own: that of this commit, or one of another version. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface RunningProgram {
  url: string;
  /** Its settings, for commands that are run beside it. */
  env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

const START_MS = 180_000;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Answers when it listens. Throws with what it printed if it does not. */
export async function startProgram(program: string, settings: NodeJS.ProcessEnv): Promise<RunningProgram> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: url, ...settings };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (said += String(chunk)));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const deadlineMs = performance.now() + START_MS;
  while (!said.includes(' is running at ')) {
    if (child.exitCode !== null || performance.now() > deadlineMs) {
      await stop();
      throw new Error(`The program does not start:\n${said}`);
    }
    await pause(100);
  }
  return { url, env, stop };
}
