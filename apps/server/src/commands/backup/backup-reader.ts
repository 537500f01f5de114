import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { BackupError, END_OF_ROWS } from './backup-format.ts';

const NEW_LINE = 0x0a;
const END = Buffer.from(END_OF_ROWS);
const END_AFTER_A_ROW = Buffer.from(`\n${END_OF_ROWS}`);

export interface BackupReader {
  line(): Promise<string>;
  /** Reads the rows of a table, and takes the line that ends them. */
  rows(): AsyncGenerator<Buffer>;
  /** Returns the SHA-256 of everything that was read so far. */
  digest(): string;
  close(): void;
}

/** Reads a backup piece by piece, so that its size does not matter. */
export function openBackup(file: string): BackupReader {
  const source = createReadStream(file);
  const text = source.pipe(createGunzip());
  source.on('error', error => text.destroy(error));
  const chunks = text[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const hash = createHash('sha256');
  let buffered = Buffer.alloc(0);

  async function more(): Promise<void> {
    const next = await chunks.next().catch((error: NodeJS.ErrnoException) => {
      throw new BackupError(
        error.code === 'ENOENT' ? `There is no file ${file}.` : `The backup cannot be read: ${error.message}.`,
      );
    });
    if (next.done) throw new BackupError('The backup ends too early: it is damaged, or was never finished.');
    buffered = Buffer.concat([buffered, next.value]);
  }

  function take(length: number): Buffer {
    const taken = buffered.subarray(0, length);
    hash.update(taken);
    buffered = buffered.subarray(length);
    return taken;
  }

  async function* rows(): AsyncGenerator<Buffer> {
    while (buffered.length < END.length) await more();
    if (buffered.subarray(0, END.length).equals(END)) {
      take(END.length);
      return;
    }
    for (;;) {
      const end = buffered.indexOf(END_AFTER_A_ROW);
      if (end >= 0) {
        yield take(end + 1);
        take(END.length);
        return;
      }
      // The end marker may have begun in these bytes.
      const safe = buffered.length - END_AFTER_A_ROW.length;
      if (safe > 0) yield take(safe);
      await more();
    }
  }

  return {
    async line() {
      for (;;) {
        const end = buffered.indexOf(NEW_LINE);
        if (end >= 0) return take(end + 1).toString('utf8');
        await more();
      }
    },
    rows,
    digest: () => hash.copy().digest('hex'),
    close: () => {
      source.destroy();
      text.destroy();
    },
  };
}
