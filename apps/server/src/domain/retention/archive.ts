import { createReadStream, createWriteStream } from 'node:fs';
import { access, chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

const ENDING = '.ndjson.gz';
/** Players' names and addresses are in it. */
const OWNER_ONLY = 0o600;

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function writeDurably(path: string, lines: AsyncIterable<string>): Promise<void> {
  await pipeline(
    Readable.from(lines),
    createGzip(),
    createWriteStream(`${path}.part`, { flush: true, mode: OWNER_ONLY }),
  );
  // A file that an earlier version began would stay readable to other users.
  await chmod(`${path}.part`, OWNER_ONLY);
  await rename(`${path}.part`, path);
}

/** One file, whole or not there at all; one that is there from an earlier try is not written again. */
export async function writeArchive(folder: string, name: string, lines: AsyncIterable<string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}${ENDING}`);
  if (!(await exists(path))) await writeDurably(path, lines);
}

async function* linesOf(path: string): AsyncGenerator<string> {
  for await (const line of createInterface({ input: createReadStream(path).pipe(createGunzip()) })) yield line;
}

async function* changed(path: string, change: (line: string) => string, note: () => void): AsyncGenerator<string> {
  for await (const line of linesOf(path)) {
    const now = change(line);
    if (now !== line) note();
    yield `${now}\n`;
  }
}

/** Every line of every archive through `change`; a file of which none differs stays as it is. Returns how many differed. */
export async function rewriteArchives(folder: string, change: (line: string) => string): Promise<number> {
  if (!(await exists(folder))) return 0;
  let lines = 0;
  for (const name of (await readdir(folder)).filter(one => one.endsWith(ENDING)).toSorted()) {
    const path = join(folder, name);
    let differing = 0;
    const rewritten = `${path}.rewritten`;
    await writeDurably(
      rewritten,
      changed(path, change, () => differing++),
    );
    if (differing > 0) await rename(rewritten, path);
    else await rm(rewritten);
    lines += differing;
  }
  return lines;
}

/** For tests and for exports: every line of every archive. */
export async function* readArchives(folder: string): AsyncGenerator<string> {
  if (!(await exists(folder))) return;
  for (const name of (await readdir(folder)).filter(one => one.endsWith(ENDING)).toSorted())
    yield* linesOf(join(folder, name));
}
