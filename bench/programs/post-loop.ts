import { Pool } from 'undici';
import { monotonicMs, serveParent } from './serve-parent.ts';

export interface PostLoop {
  origin: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  concurrency: number;
  count: number;
}

/** The least that any sender can do: post, read the answer, post again. Nothing is kept. */
async function run({ origin, path, headers, body, concurrency, count }: PostLoop): Promise<{ perSecond: number }> {
  const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });
  let begun = 0;
  const startedAt = monotonicMs();
  const drive = async (): Promise<void> => {
    while (begun++ < count) {
      const answer = await pool.request({ path, method: 'POST', headers, body });
      await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, drive));
  const seconds = (monotonicMs() - startedAt) / 1000;
  await pool.close();
  return { perSecond: count / seconds };
}

serveParent(run);
