import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../receivers/', import.meta.url));
const START_MS = 60_000;

/** How each receiver of examples/receivers is run. `build` makes in a folder what is run then. */
const RECEIVERS: Record<string, { build?: string; run: string }> = {
  node: { run: 'exec node node/receiver.mjs' },
  python: { run: 'exec python3 python/receiver.py' },
  go: { build: 'go build -o "$OUT/receiver" go/receiver.go', run: 'exec "$OUT/receiver"' },
  java: { run: 'exec java java/Receiver.java' },
  csharp: {
    build: 'mcs -out:"$OUT/Receiver.exe" -r:System.Runtime.Serialization.dll,System.Xml.Linq.dll csharp/Receiver.cs',
    run: 'exec mono "$OUT/Receiver.exe"',
  },
  php: { run: 'exec php -S 127.0.0.1:$PORT php/receiver.php' },
  ruby: { run: 'exec ruby ruby/receiver.rb' },
};
export const RECEIVER_NAMES = Object.keys(RECEIVERS);

export interface LanguageReceiver {
  url: string;
  stop(): void;
}

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; ) {
    if (child.exitCode !== null) break;
    // Without a signature the answer is a no, but it is an answer.
    if (await fetch(url, { method: 'POST', body: '{}' }).catch(() => null)) return;
    await new Promise(later => setTimeout(later, 100));
  }
  throw new Error('The receiver did not start. Is its language installed?');
}

/** Starts the receiver of a language. It prints each change as "item.add player sku held", which is told to `held`. */
export async function startReceiver(
  name: string,
  { secret, port, held }: { secret: string; port: number; held: (kind: string, sku: string, pieces: number) => void },
): Promise<LanguageReceiver> {
  const how = Object.hasOwn(RECEIVERS, name) ? RECEIVERS[name] : undefined;
  if (!how)
    throw new Error(`There is no receiver in ${JSON.stringify(name)}. There are: ${RECEIVER_NAMES.join(', ')}.`);
  const out = mkdtempSync(join(tmpdir(), 'coinslot-receiver-'));
  const { PATH, HOME } = process.env;
  const files = { JOURNAL: join(out, 'granted.journal'), STATE_FILE: join(out, 'state') };
  const env = { PATH, HOME, OUT: out, PORT: String(port), WEBHOOK_SECRET: secret, ...files };
  if (how.build) execFileSync('sh', ['-c', how.build], { cwd: FOLDER, env });
  const child = spawn('sh', ['-c', how.run], { cwd: FOLDER, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', line => {
      const [, kind, sku, pieces] = /\b(item\.(?:add|remove)) \S+ (\S+) (-?\d+)$/.exec(line) ?? [];
      if (kind && sku) held(kind, sku, Number(pieces));
    });
  const stop = (): void => {
    child.kill('SIGTERM');
    rmSync(out, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}/webhook`;
  try {
    await untilItAnswers(url, child);
  } catch (error) {
    stop();
    throw error;
  }
  return { url, stop };
}
