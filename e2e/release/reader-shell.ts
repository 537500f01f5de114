import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ReaderShell {
  output(): string;
  /** Ends everything the shell began, and waits until it is gone. */
  end(): Promise<void>;
}

/** A shell into which a reader pastes what a document says. Printed last: `@@ over`. */
export function startReaderShell(script: string, env: NodeJS.ProcessEnv, cwd: string): ReaderShell {
  // A group of its own: readers start things in the background, too.
  const child = spawn('bash', ['-c', script], { cwd, env, detached: true });
  const closed = once(child, 'close');
  let output = '';
  // What it left in the background may still hold its output open.
  child.once('exit', () => {
    output += '\n@@ over';
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return {
    output: () => output,
    async end() {
      try {
        process.kill(-child.pid!, 'SIGTERM');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
      await closed;
    },
  };
}
