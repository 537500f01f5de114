import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const EVERY_MS = 250;

async function residentKb(pid: number): Promise<number> {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout);
}

export const residentMb = async (pid: number): Promise<number> => (await residentKb(pid)) / 1024;

/** The most memory the process held at any look. */
export function watchMemory(pid: number): { stop(): number } {
  let mostKb = 0;
  const look = (): void => {
    residentKb(pid).then(
      kb => {
        mostKb = Math.max(mostKb, kb);
      },
      () => {},
    );
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return mostKb / 1024;
    },
  };
}
