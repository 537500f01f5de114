import { execFileSync } from 'node:child_process';
import { chownSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';

const DISARM = 'V';
const FEED = '1';

/**
 * What a machine's watchdog device is to Patroni, over the pipe that Patroni's own driver for tests writes to: once it is
 * armed, a manager that no longer feeds it in time gets its whole machine reset.
 */
export class Watchdog {
  readonly path: string;
  readonly #reset: () => void;
  readonly #pipe: Socket;
  #timeoutMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, user: { uid: number; gid: number } | null, reset: () => void) {
    this.path = path;
    this.#reset = reset;
    execFileSync('mkfifo', ['-m', '600', path]);
    if (user) chownSync(path, user.uid, user.gid);
    // Opened for both ways, the pipe does not end when the manager does.
    this.#pipe = new Socket({ fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK), readable: true });
    this.#pipe.on('data', data => this.#hear(data.toString('latin1')));
  }

  /** As when a machine starts: the device knows nothing of before. */
  disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  close(): void {
    this.disarm();
    this.#pipe.destroy();
  }

  #hear(text: string): void {
    const seconds = /Ctimeout=(\d+)\n/.exec(text)?.[1];
    if (seconds) this.#timeoutMs = Number(seconds) * 1000;
    if (text.endsWith(DISARM)) this.disarm();
    else if (seconds || text.includes(FEED)) this.#arm();
  }

  #arm(): void {
    this.disarm();
    this.#timer = setTimeout(() => {
      this.disarm();
      this.#reset();
    }, this.#timeoutMs);
  }
}
