import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { serveParent } from './serve-parent.ts';

/** Players of one company who pay as fast as they are answered. */
export interface LiveLoad {
  port: number;
  /** Paths of the payment pages and what each is paid with; begun again from the first when all were tried. */
  pages: { path: string; token: string }[];
  connections: number;
}
export type LiveLoadQuestion = LiveLoad | 'counts' | 'stop';
export interface LiveLoadCounts {
  sent: number;
  refused: number;
}

const PAUSE_AFTER_ERROR_MS = 100;

const state = { isOn: false };
let drivers: Promise<unknown> = Promise.resolve();
let counts: LiveLoadCounts = { sent: 0, refused: 0 };

function start({ port, pages, connections }: LiveLoad): void {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 });
  let next = 0;
  const drive = async (): Promise<void> => {
    while (state.isOn) {
      const { path, token } = pages[next++ % pages.length]!;
      const body = new URLSearchParams({ email: 'p@example.com', method: 'card', provider_token: token }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
      try {
        const answer = await pool.request({ path: `${path}/pay`, method: 'POST', headers, body });
        await answer.body.dump();
        counts.sent++;
        if (answer.statusCode === 429) counts.refused++;
      } catch {
        await pause(PAUSE_AFTER_ERROR_MS);
      }
    }
  };
  state.isOn = true;
  drivers = Promise.all(Array.from({ length: connections }, drive)).then(() => pool.close());
}

serveParent(async (question: LiveLoadQuestion): Promise<LiveLoadCounts> => {
  if (question === 'counts') return counts;
  if (question === 'stop') {
    state.isOn = false;
    await drivers;
    return counts;
  }
  counts = { sent: 0, refused: 0 };
  start(question);
  return counts;
});
